#!/usr/bin/env bash
# Makes the module of the page and of the npm package, and records the digest of what it was made of.
#
#   wasm/build.sh          replaces the module in cli/src/serve/page/
#   wasm/build.sh --digest fails if its sources have changed since
#   wasm/build.sh --check  the same; with the compiler that made it, builds it again and
#                          compares it, too
set -euo pipefail
cd "$(dirname "$0")/.."
module=cli/src/serve/page/puzzledb.wasm.gz
made_of=wasm/made-of.txt
target=wasm32-unknown-unknown

# All that the module depends on: sources without their tests, and the versions of the crates.
digest() {
    git ls-files -- Cargo.toml Cargo.lock src wasm/Cargo.toml wasm/build.sh wasm/src | LC_ALL=C sort |
        xargs sha256sum | sha256sum | cut -d' ' -f1
}
record() {
    echo "sources $(digest)"
    rustc --version
}
build() {
    # The paths of this machine are no part of the module.
    export CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$PWD=.$(printf '\x1f')--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    cargo build --locked --quiet -p puzzledb-wasm --profile wasm --target "$target"
    wasm="${CARGO_TARGET_DIR:-target}/$target/wasm/puzzledb_wasm.wasm"
}
# Zopfli writes gzip, a twentieth smaller than gzip -9 does.
pack() {
    tools=${CARGO_TARGET_DIR:-target}/tools
    CARGO_TARGET_DIR=$tools cargo install --quiet --locked --root "$tools" zopfli@0.8.4
    "$tools/bin/zopfli" "$wasm"
    mv "$wasm.gz" "$module"
}

if [[ ${1-} == --check || ${1-} == --digest ]]; then
    if ! diff <(head -1 "$made_of") <(record | head -1); then
        echo "the module is older than its sources: run wasm/build.sh" >&2
        exit 1
    fi
    if [[ $1 == --digest ]]; then
        exit
    fi
    if [[ $(rustc --version) == $(tail -1 "$made_of") ]] && rustup target add "$target" >/dev/null 2>&1; then
        build
        gzip -dc "$module" | cmp - "$wasm"
    else
        echo "another compiler than that of the module, or no $target here: its digest alone is compared" >&2
    fi
else
    rustup target add "$target"
    build
    pack
    record >"$made_of"
    ls -l "$wasm" "$module"
fi
