#!/usr/bin/env bash
# Times what a developer waits for, on a copy of the last commit in a folder of its own, and prints a row of a table for
# each. The registry's crates are fetched before; CI is left out, whose last line has its time.
#
#     tests/times.sh            all rows
#     tests/times.sh run test   these rows: run test edit full
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet . "$folder/copy"
cd "$folder/copy"
cargo fetch --locked --quiet
rows=${*:-run test edit full}

# Runs a command and prints its name, its seconds and its CPU seconds.
row() {
    local name=$1 code=0 seconds user system
    shift
    local TIMEFORMAT='%0R %0U %0S'
    { time "$@" >"$folder/log" 2>&1; } 2>"$folder/times" || code=$?
    read -r seconds user system <"$folder/times"
    echo "| $name | $seconds | $((user + system)) |"
    [ $code -eq 0 ] || { cat "$folder/log" && exit 1; }
}
# Changes a file as an edit does.
edit() {
    echo '// edited' >>"$1"
}

echo "| command | seconds | CPU seconds |"
echo "| --- | --- | --- |"
for wanted in $rows; do
    case $wanted in
        run) row 'first `cargo run --release`, from a fresh copy' cargo run --locked --release -- solve 536407182 ;;
        test) row 'first `cargo test`, from a fresh copy' cargo test --locked ;;
        edit)
            cargo test --locked --no-run >/dev/null 2>&1
            edit src/judge/verdict.rs
            row 'an edit in `src/judge`, to the result of its tests' cargo test --locked --lib judge::
            cargo test --locked --no-run >/dev/null 2>&1
            edit cli/src/commands/apply.rs
            row 'an edit in `cli/src/commands`, to the result of its tests' cargo test --locked --test command cli::
            ;;
        full)
            cargo test --locked --no-run >/dev/null 2>&1
            row 'the full run, compiled before' cargo test --locked -- --include-ignored
            ;;
    esac
done
