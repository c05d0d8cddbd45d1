#!/usr/bin/env bash
# Promise: the program for Windows writes the files that the program for Linux writes, gives its answers and exit
# codes, replaces a file that is open, heeds the locks of other processes, and grades programs under the same limits;
# nothing that a graded program started is left, also when `grade` is killed.
#
#     tests/windows.sh target/debug/puzzledb target/x86_64-pc-windows-gnu/debug/puzzledb.exe [TEST.exe...]
#
# needs wine and a compiler for Windows (Debian: wine64 gcc-mingw-w64-x86-64-win32). Each TEST.exe is a program of Rust
# unit tests for Windows, of which those of files, locks and graded programs are run.
set -euo pipefail
linux=$(realpath "$1")
windows=$(realpath "$2")
mapfile -t tests < <(realpath -- "${@:3}" 2>/dev/null)
sources=$(realpath "$(dirname "$0")/windows")
export PATH="$PATH:/usr/lib/wine"
wine=$(command -v wine64 || command -v wine)
# wine's server has four open files or more for each process.
ulimit -n "$(ulimit -Hn)"

folder=$(mktemp -d)
export WINEPREFIX=$folder/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
unset PUZZLEDB_DIR
trap 'WINEPREFIX=$folder/wine wineserver -k >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
mkdir "$folder/run" && cd "$folder/run"

compile() { x86_64-w64-mingw32-gcc -O1 -Wall -Werror "$@"; }
compile -o program.exe "$sources/program.c"
"$wine" wineboot -i >/dev/null 2>&1
system=$WINEPREFIX/drive_c/windows/system32
test -e "$system/bcryptprimitives.dll" ||
    compile -shared -o "$system/bcryptprimitives.dll" "$sources/bcryptprimitives.c" -ladvapi32
cp "$windows" puzzledb.exe

fail() {
    echo "windows.sh: $*" >&2
    exit 1
}

# Runs a command on both systems, each with its folder of databases: the same output, the same exit code.
both() {
    local expected=$1 here=0 there=0
    shift
    "$linux" --dir linux "$@" >here.out 2>here.err || here=$?
    "$wine" puzzledb.exe --dir windows "$@" >there.out 2>there.err || there=$?
    [ $here = "$expected" ] || { cat here.err >&2 && fail "exit code $here on Linux: $*"; }
    [ $there = "$expected" ] || { cat there.err >&2 && fail "exit code $there on Windows: $*"; }
    # Paths in messages have the system's separator; times of the run are left out.
    cmp <(sed '/^seconds/d; s,linux/,DIR/,' here.out) <(tr '\\' / <there.out | sed '/^seconds/d; s,windows/,DIR/,') ||
        fail "another output: $*"
}
same_files() {
    diff <(cd linux && sha256sum -- *.pzdb) <(cd windows && sha256sum -- *.pzdb) || fail "other bytes"
}

# The same bytes.
both 0 build
both 0 build --all-goals
both 0 build --shape 3x4
both 0 build --shape 2x6 --encoding full
both 0 build --shape 2x5 --encoding bit --scratch scratch
both 0 build --shape 4x4 --patterns 6-6-3
same_files
test ! -e scratch || fail "a scratch folder is left"

# The same answers and exit codes.
both 0 check
both 0 check --shape 3x4
both 0 info
both 0 solve 536407182
both 0 solve --goal first 536407182
both 0 solve 0fc9d8be4732615a
both 0 probe 536407182
both 0 stats
both 0 count --csv --shape 3x3
both 0 apply 536407182 DRUL
both 0 generate --count 3 --seed 1
both 0 search 536407182 --heuristic linear-conflict --format text
both 0 audit --heuristic manhattan
both 1 audit --heuristic misplaced-with-blank
both 1 solve 123456870
both 2 solve 1234
both 2 build --shape 9x9
both 3 info --db missing.pzdb
printf '536407182\n123456780\n12345\n' >boards
both 2 solve --input boards
cp linux/3x3.pzdb damaged.pzdb && printf x | dd of=damaged.pzdb bs=1 seek=9000 conv=notrunc status=none
both 3 check --db damaged.pzdb

# A file that another process has open is replaced, and both have an answer.
mkfifo boards.fifo
answers_while_replaced() {
    "$@" solve --shape 3x4 --input - <boards.fifo >answers 2>said &
    local solving=$! code=0
    exec 3>boards.fifo
    echo 123456789b0a >&3
    until [ -s answers ] || ! kill -0 $solving; do sleep 0.05; done
    "$@" build --quiet --shape 3x4 --force
    echo 123456789b0a >&3
    exec 3>&-
    wait $solving || code=$?
    echo "exit code $code" && cat answers
}
answers_while_replaced "$linux" --dir linux >replaced.linux
answers_while_replaced "$wine" puzzledb.exe --dir windows >replaced.windows
cmp replaced.linux replaced.windows || { cat replaced.* said >&2 && fail "a file that was replaced"; }
same_files

# Starts a build on Windows and stops it while it has its lock.
build_and_stop() {
    while true; do
        rm -rf held "$1"
        "$wine" puzzledb.exe --dir held build --quiet --shape 3x4 --threads 1 "${@:2}" &
        building=$!
        until [ -e "$1" ] || ! kill -0 $building 2>/dev/null; do sleep 0.01; done
        kill -STOP $building 2>/dev/null || continue
        ! ls held/*.pzdb >/dev/null 2>&1 || { kill -CONT $building && wait $building && continue; }
        return
    done
}
# A scratch folder that another process works in is refused, and a build of the same file waits.
build_and_stop scratch/lock --scratch scratch
code=0
"$wine" puzzledb.exe --dir other build --shape 3x4 --scratch scratch >/dev/null 2>said || code=$?
[ $code = 2 ] || { cat said >&2 && fail "exit code $code with a scratch folder in use"; }
kill -CONT $building
wait $building || fail "the build that held the folder"
cmp held/3x4.pzdb linux/3x4.pzdb
build_and_stop held/.3x4.pzdb.lock
"$wine" puzzledb.exe --dir held build --shape 3x4 >built 2>said &
waiting=$!
until grep -q 'waiting for it' said; do kill -0 $waiting && sleep 0.05; done
kill -CONT $building
wait $building || fail "the build that held the lock"
wait $waiting || { cat said >&2 && fail "the build that waited"; }
cmp held/3x4.pzdb linux/3x4.pzdb

# Graded programs have limits, and nothing that they started is left.
nothing_is_left() {
    local left
    for _ in {1..600}; do
        left=$(pgrep -f "program.exe [s]leep") || return 0
        sleep 0.1
    done
    # A process that is ended while it connects to wine's server waits for ever for the server's answer, as it has both
    # ends of that pipe. It has no module of Windows yet: nothing of the program ran.
    for process in $left; do
        ! grep -q '/ntdll\.dll$' "/proc/$process/maps" || fail "left by $1: $(pgrep -af program.exe)"
        kill -9 "$process"
    done
}
echo 123456708 >near
grade() {
    local code=0 options=(--boards near --timeout "$2" --memory "$3" --report csv)
    "$wine" puzzledb.exe grade "${options[@]}" -- ./program.exe "$1" >graded 2>said || code=$?
    echo "$code $(cut -d, -f 3 graded | tail -1)"
}
while read -r program timeout memory expected; do
    got=$(grade "$program" "$timeout" "$memory")
    # The program ends with 9 where the machine itself cannot start one more process, as with few open files.
    if [ "$program: $got" = "flock: 1 crash (exit code 9)" ]; then
        echo "windows.sh: this machine cannot start 257 processes: flock is left out" >&2
        expected=$got
    fi
    [ "$got" = "$expected" ] || { cat graded said >&2 && fail "$program: $got"; }
    nothing_is_left "$program"
done <<'END'
leave 100s 1GiB 0 optimal
sleep 1s 1GiB 1 timeout
many 1s 1GiB 1 timeout
flock 100s 64GiB 1 too many processes
grow 100s 256MiB 1 out of memory
flood 100s 1GiB 1 too much output
crash 100s 1GiB 1 crash (exit code 0xC0000005)
silent 100s 1GiB 1 no answer found
END
"$wine" puzzledb.exe grade --per-distance 1 --report csv -- ./puzzledb.exe solve '{board}' >graded 2>said
"$wine" puzzledb.exe audit --shape 2x2 --format text --command 'program.exe zero' >audited 2>said
grep -q 'admissible *yes' audited || fail "audit"
for command in "grade --boards near --timeout 600s -- ./program.exe many" "audit --timeout 600s --command program.exe\ many"; do
    eval "$wine puzzledb.exe $command" >graded 2>said &
    grading=$!
    until [ "$(pgrep -fc 'program.exe [s]leep')" -ge 8 ]; do kill -0 $grading && sleep 0.05; done
    kill -9 "$(pgrep -f '^[^ ]*puzzledb.exe (grade|audit)')"
    wait $grading 2>/dev/null || true
    nothing_is_left "$command"
done

for test in "${tests[@]}"; do
    (cd "$(dirname "$sources")/.." && "$wine" "$test" any_numbers_of_ranks folders_that_are_not bfs::scratch::folder table::file grade:: machine::)
done
