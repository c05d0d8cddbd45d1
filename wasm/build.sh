#!/usr/bin/env bash
# Makes the modules of the page and of the npm package, and records the digest of what they were made of.
#
#   wasm/build.sh          replaces the modules in cli/src/serve/page/
#   wasm/build.sh --digest fails if their sources have changed since
#   wasm/build.sh --check  the same; with the tools that made them, builds them again and
#                          compares them, too
set -euo pipefail
cd "$(dirname "$0")/.."
page=cli/src/serve/page
modules="puzzledb verify"
made_of=wasm/made-of.txt
target=wasm32-unknown-unknown
binaryen=binaryen@132.0.0

# All that the modules depend on: sources without their tests, and the versions of the crates.
digest() {
    git ls-files -- Cargo.toml Cargo.lock src wasm/Cargo.toml wasm/build.sh wasm/src | LC_ALL=C sort |
        xargs sha256sum | sha256sum | cut -d' ' -f1
}
record() {
    echo "sources $(digest)"
    rustc --version
}
tools() {
    rustup target add "$target" && rustup component add rust-src &&
        npm exec --yes --package="$binaryen" -- wasm-opt --version
}
# Compiles a module and the standard library with it, for size: a panic ends the instance at once, without a message, which
# nobody could read. These options of the compiler are not stable yet; the program itself does not use them.
compile() {
    local features=verify
    [[ $1 == verify ]] || features=questions
    # The paths of this machine are no part of the module.
    local flags=("--remap-path-prefix=$PWD=." "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
        -Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none
        -Csymbol-mangling-version=legacy -Cllvm-args=-inline-threshold=15)
    RUSTC_BOOTSTRAP=1 CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}") cargo build --locked --quiet \
        -p puzzledb-wasm --no-default-features --features "$features" --profile wasm --target "$target" \
        -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
    # Functions of one name are alike, and compress better side by side.
    npm exec --yes --package="$binaryen" -- wasm-opt "${CARGO_TARGET_DIR:-target}/$target/wasm/puzzledb_wasm.wasm" -o "$2" \
        --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
        --enable-multivalue --enable-reference-types \
        --duplicate-function-elimination --remove-unused-brs --optimize-instructions --precompute-propagate --rse \
        --merge-blocks --vacuum --coalesce-locals-learning --reorder-locals --remove-unused-module-elements --dealign \
        --reorder-functions-by-name --strip-debug --strip-producers --strip-target-features
}

if [[ ${1-} == --digest || ${1-} == --check ]]; then
    if ! diff <(head -1 "$made_of") <(record | head -1); then
        echo "the modules are older than their sources: run wasm/build.sh" >&2
        exit 1
    fi
    if [[ $1 == --digest ]]; then
        exit
    fi
    if [[ $(rustc --version) != $(tail -1 "$made_of") ]] || ! tools >/dev/null 2>&1; then
        echo "other tools than those of the modules, or none: their digest alone is compared" >&2
        exit
    fi
else
    tools
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
for module in $modules; do
    compile "$module" "$made/$module.wasm"
    if [[ ${1-} == --check ]]; then
        gzip -dc "$page/$module.wasm.gz" | cmp - "$made/$module.wasm"
    fi
done
if [[ ${1-} == --check ]]; then
    exit
fi
# Zopfli writes gzip, a twentieth smaller than gzip -9 does.
zopfli=${CARGO_TARGET_DIR:-target}/tools
CARGO_TARGET_DIR=$zopfli cargo install --quiet --locked --root "$zopfli" zopfli@0.8.4
for module in $modules; do
    "$zopfli/bin/zopfli" "$made/$module.wasm"
    mv "$made/$module.wasm.gz" "$page/"
done
record >"$made_of"
ls -l "$page"/*.wasm.gz
