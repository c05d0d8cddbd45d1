#!/usr/bin/env bash
# Promise: processes that share a search over MPI write the file that one process writes, over shared memory and over
# TCP, in memory and in files, and after one of them was killed, and prove it; an error is printed once.
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
    together -np 2 "$puzzledb" count --json --shape $shape --mpi | grep -q '"crossed":{"ranks":2,"bytes":\[0,'
    together -np 3 "$puzzledb" build --quiet --shape $shape --encoding bit --mpi --scratch files --output three.bit
    "$puzzledb" build --quiet --shape $shape --encoding bit --output one.bit
    cmp one.bit three.bit
    together -np 2 "$puzzledb" count --csv --shape $shape --mpi --scratch files >two.csv
    cmp one.csv two.csv
    together -np 2 "$puzzledb" check one.bit --mpi >proved
    together -np 3 "$puzzledb" check one.bit --mpi --scratch files | cmp proved -
    test ! -e files
    mv one one.$shape
    rm three four three.bit one.bit
done

often=(--checkpoint-above 0 --checkpoint-every 0)
for ranks in 4 2 3; do
    together -np $ranks "$puzzledb" build --quiet --shape 3x4 --mpi --output killed --threads 1 "${often[@]}" 2>said &
    mpirun=$!
    until ls -A | grep -q 'checkpoint$' || ! kill -0 $mpirun; do sleep 0.05; done
    sleep 0.$((RANDOM % 5))
    kill -9 $(pgrep -P $mpirun | tail -1) || true
    wait $mpirun && echo "$ranks ranks ended before one was killed" || echo "one of $ranks ranks killed"
done
together -np 2 "$puzzledb" build --shape 3x4 --mpi --output killed
cmp one.3x4 killed
test "$(ls -A | grep -c killed)" = 1 # no checkpoint is left

# With files, any number of ranks resumes in a folder that all see.
for ranks in 3 2 4; do
    while true; do
        together -np $ranks "$puzzledb" build --quiet --shape 3x4 --mpi --scratch files --output filed --threads 1 --force 2>said &
        mpirun=$!
        until grep -qs "^{\"ranks\":$ranks," files/manifest || ! kill -0 $mpirun; do sleep 0.05; done
        sleep 0.$((RANDOM % 5))
        kill -9 $(pgrep -P $mpirun | tail -1) || true
        wait $mpirun || break
    done
    echo "one of $ranks ranks with files killed"
done
rm -f filed

# Shards, for machines without a shared folder.
together -np 3 "$puzzledb" build --shape 2x6 --mpi --shards --output apart >said
grep -q 'puzzledb build --output apart --join SHARD...' said
"$puzzledb" build --output joined --join apart.shard-*-of-3
"$puzzledb" build --shape 2x6 --output whole
cmp whole joined
rm apart.shard-* joined whole

# One message, and exit code 2.
refused() {
    local code=0
    "$@" >said 2>&1 || code=$?
    cat said
    test $code = 2
    test "$(grep -c '^error: ' said)" = 1
}
refused "$puzzledb" build --mpi
refused together -np 3 "$puzzledb" build --mpi --all-goals
mkdir disk-of-another
mv files/*-0003 disk-of-another
refused together -np 2 "$puzzledb" build --shape 3x4 --mpi --scratch files --output filed
grep -q 'begun with 4 ranks' said
mv disk-of-another/* files
"$puzzledb" build --shape 3x4 --encoding bit --scratch files --output filed 2>said
grep 'going on' said
cmp one.3x4 filed
test ! -e files
refused together -np 1 "$puzzledb" count --mpi : -np 2 "$puzzledb" count --mpi --threads 1
refused together -np 2 "$puzzledb" count --shape 3x4 --mpi --memory 1MiB
grep -q -e '--scratch DIR' said
