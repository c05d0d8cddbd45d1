//! Searches on several machines.
//!
//! A space whose planes fit no machine is shared by the processes of an MPI program, its *ranks*:
//! each owns a run of slabs, the states that share the leading Lehmer digits of their tile order. A
//! move of the blank leaves a slab only where it rotates the first tiles, so at each level one plane
//! crosses from rank to rank; it is sent, coded, while all other cells are computed.
//!
//! # Installing
//!
//! The program is built with the feature `mpi` where an MPI library and libclang are installed, with
//! the library that runs on the cluster (Debian: `apt-get install openmpi-bin libopenmpi-dev
//! libclang-dev`; elsewhere `module load openmpi`):
//!
//! ```sh
//! cargo build --release --features mpi
//! mpirun -np 4 target/release/puzzledb build --shape 2x7 --mpi
//! ```
//!
//! # Running under SLURM
//!
//! One rank a machine, with a thread for each of its cores, and a folder that all machines see:
//!
//! ```sh
//! #!/bin/bash
//! #SBATCH --nodes=16 --ntasks-per-node=1 --exclusive --time=24:00:00
//! srun puzzledb build --shape 4x4 --mpi --dir /shared/puzzledb --checkpoint-every 1800
//! ```
//!
//! `srun` needs its PMI support for the library (`srun --mpi=list`). `mpirun` in its place finds the machines
//! by itself, and needs `--bind-to none`; otherwise all threads share one core. Checkpoints go to the same
//! folder, one file of all ranks; they take at most a tenth of the time. When a
//! rank or a machine dies, the launcher ends the others. The same command resumes from the last checkpoint, on
//! any number of machines. All ranks have to be the same version with the same arguments; they end with the
//! same exit code, and only the first prints. Each rank writes its bytes of the file by offset: the file is
//! that of one machine, to the byte. `count --mpi` counts the levels in half the memory, and prints the number
//! of bytes that crossed.
//!
//! # With a disk of each machine
//!
//! If the memory of all machines is too small, `--scratch /local/scratch` searches in files, slab by slab. It may be a
//! disk of each machine, or a folder that all see. `--memory` is the limit of each rank. There are no checkpoints:
//! after a rank was killed, or the power failed, the same command resumes from the last slabs that were written.
//! Private disks need the same number of ranks on resume, each where its files are. A shared folder accepts any number.
//! `check --mpi` proves a table, in memory or with `--scratch` in files, at a bit a state; all ranks have to see
//! the table.
//!
//! # Without a common folder
//!
//! `build --mpi --shards` writes the *shard* of each rank on its own machine, `4x4.pzdb.shard-0-of-16` and so
//! on. Copied to one place, `puzzledb build --output 4x4.pzdb --join 4x4.pzdb.shard-*` puts them together: the bytes are
//! the same. There are no checkpoints then; with `--scratch` each rank resumes from its own files.
//!
//! # Memory, network and time
//!
//! `puzzledb build --shape 4x4 --plan --machines 16 --network 25Gb` prints them, with times from the speed of
//! the machine that it runs on. The bytes that each machine sends in all are taken as a fifth of the uncoded
//! bytes, as was measured on 2x6 and 3x4:
//!
//! | shape | machines | memory of each | sent by each | at 25 Gb/s | the file |
//! | --- | --- | --- | --- | --- | --- |
//! | 3x5 | 4 | 46.6 GiB | 20.0 GiB | 7 s | 76.1 GiB |
//! | 3x5 | 16 | 12.1 GiB | 7.9 GiB | 3 s | 76.1 GiB |
//! | 3x5 | 64 | 3.0 GiB | 2.8 GiB | 1 s | 76.1 GiB |
//! | 4x4 | 4 | 738.3 GiB | 283.7 GiB | 97 s | 1217.9 GiB |
//! | 4x4 | 16 | 195.0 GiB | 109.7 GiB | 38 s | 1217.9 GiB |
//! | 4x4 | 64 | 47.4 GiB | 39.4 GiB | 14 s | 1217.9 GiB |
//!
//! Two cores search 700 million states a second: 3x5 takes them 16 minutes, 4x4 four hours, and each
//! rank its share of that. The folder needs up to four times the file while checkpoints are written.
