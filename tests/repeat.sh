#!/bin/sh
# Runs all tests, the long ones too, again and again, and fails if any run fails: a test that passes nineteen times of twenty is not good.
#
#     tests/repeat.sh          twenty runs, ten of them beside two busy loops
#     tests/repeat.sh 4        four runs, two of them beside busy loops
#     tests/repeat.sh 4 0      four runs, none of them beside busy loops
#
# The tests are compiled once, and then their programs are run: unit tests, tests/library, cli/tests/command
# and cli/tests/page, whose tests of the page need a browser (PUZZLEDB_BROWSER=required is set, unless it is set to
# something else). So the sources may change meanwhile. The tests of the page wait for a browser most of the time,
# so they run beside the others. The tests in the documentation are run once, before the
# others; those over MPI, tests/mpi.sh, are not run. Quiet and busy runs take turns. Each run is a line: its
# number, whether it was beside busy loops, its result and its seconds. The log of a run that failed is kept
# in target/repeat/. The exit code is 1 if a run failed.

set -u
runs=${1:-20}
busy_runs=${2:-$((runs / 2))}
export PUZZLEDB_BROWSER="${PUZZLEDB_BROWSER:-required}"
cd "$(dirname "$0")/.." || exit 2
logs=target/repeat
mkdir -p "$logs"
rm -f "$logs"/*
loops=

end_loops() {
    for loop in $loops; do
        kill "$loop" 2>/dev/null
        wait "$loop" 2>/dev/null
    done
    loops=
}
page=

# Ends the busy loops and the tests of the page.
end_all() {
    end_loops
    [ -z "$page" ] || kill "$page" 2>/dev/null
}
trap end_all EXIT
trap 'exit 130' INT HUP
trap 'exit 143' TERM

begin_loops() {
    for _ in 1 2; do
        while kill -0 "$$" 2>/dev/null; do :; done & # until this script ends in any way
        loops="$loops $!"
    done
}

# Prints the seconds since the epoch.
now() {
    date +%s
}

compiled=$(cargo test --no-run --color never 2>&1) || {
    echo "$compiled"
    exit 2
}
programs=$(echo "$compiled" | sed -n 's/^ *Executable .*(\(.*\))$/\1/p')
if [ -z "$programs" ]; then
    echo "no test programs are named in: $compiled"
    exit 2
fi

# Runs all tests, also after one has failed. Every program writes to its own log, $log.NAME.
run_tests() {
    for program in $programs; do
        case $program in */page-*)
            "$program" --include-ignored >"$log.page" 2>&1 &
            page=$!
            ;;
        esac
    done
    result=0
    for program in $programs; do
        case $program in */page-*) ;; *)
            "$program" --include-ignored >"$log.$(basename "$program")" 2>&1 || result=1
            ;;
        esac
    done
    wait "$page" || result=1
    page=
    return "$result"
}

begun=$(now)
if cargo test --doc >"$logs/doc.log" 2>&1; then
    echo "documentation: passed, $(($(now) - begun)) s"
    rm "$logs/doc.log"
    failed=0
else
    echo "documentation: FAILED, $(($(now) - begun)) s, log in $logs/doc.log"
    failed=1
fi

run=0
while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    # The busy runs are spread evenly over all runs.
    if [ $((run * busy_runs / runs)) -gt $(((run - 1) * busy_runs / runs)) ]; then
        load=busy
        begin_loops
    else
        load=quiet
    fi
    log=$logs/run-$run
    begun=$(now)
    if run_tests; then
        verdict=passed
        rm "$log".*
        kept=
    else
        verdict=FAILED
        failed=1
        kept=", logs in $log.*: $(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log".* | tr '\n' ' ')"
    fi
    end_loops
    echo "run $run of $runs, $load: $verdict, $(($(now) - begun)) s$kept"
done
exit "$failed"
