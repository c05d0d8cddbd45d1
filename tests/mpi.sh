#!/usr/bin/env bash
# Promise: processes that share a search over MPI write the file that one process writes, over shared memory and over
# TCP, and after one of them was killed; what is wrong is said once.
#
#     tests/mpi.sh target/debug/puzzledb    # built with --features mpi; OpenMPI's mpirun
set -euo pipefail
puzzledb=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

together() {
    mpirun --oversubscribe --allow-run-as-root "$@"
}
over_tcp=(--mca btl tcp,self --mca btl_tcp_if_include lo)

for shape in 3x3 3x4; do
    "$puzzledb" build --quiet --shape $shape --output one
    together -np 3 "$puzzledb" build --quiet --shape $shape --mpi --output three
    together "${over_tcp[@]}" -np 4 "$puzzledb" build --quiet --shape $shape --mpi --output four
    cmp one three
    cmp one four
    "$puzzledb" count --csv --shape $shape >one.csv
    together -np 2 "$puzzledb" count --csv --shape $shape --mpi >two.csv 2>crossed
    cmp one.csv two.csv
    cat crossed
    mv one one.$shape
    rm three four
done

often=(--checkpoint-above 0 --checkpoint-every 0)
for ranks in 4 2 3; do
    together -np $ranks "$puzzledb" build --quiet --shape 3x4 --mpi --output killed --threads 1 "${often[@]}" 2>said &
    mpirun=$!
    until ls -A | grep -q 'checkpoint-' || ! kill -0 $mpirun; do sleep 0.05; done
    sleep 0.$((RANDOM % 5))
    kill -9 $(pgrep -P $mpirun | tail -1) || true
    wait $mpirun && echo "$ranks ranks ended before one was killed" || echo "one of $ranks ranks killed"
done
together -np 2 "$puzzledb" build --shape 3x4 --mpi --output killed
cmp one.3x4 killed
test "$(ls -A | grep -c killed)" = 1 # no checkpoint is left

# One message, and exit code 2.
refused() {
    local code=0
    "$@" >said 2>&1 || code=$?
    cat said
    test $code = 2
    test "$(grep -c '^error: ' said)" = 1
}
refused "$puzzledb" build --mpi
refused together -np 3 "$puzzledb" build --mpi --scratch here
refused together -np 1 "$puzzledb" count --mpi : -np 2 "$puzzledb" count --mpi --threads 1
refused together -np 2 "$puzzledb" count --shape 3x4 --mpi --memory 1MiB
