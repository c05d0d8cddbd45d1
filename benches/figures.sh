#!/usr/bin/env bash
# Makes the tables of docs/figures.md: each plan beside what the run took, and each figure beside its peer's.
#
#     benches/figures.sh [SHAPE...]     the shapes whose plans are tried; 2x6 and 3x4 if none is named
#
# Needs Python 3 and Linux, about 10 minutes, and a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet -p puzzledb-cli
exec python3 - "$@" <<'PYTHON'
import json, os, random, re, statistics, subprocess, sys, tempfile, threading, time
from pathlib import Path

PROGRAM = str(Path("target/release/puzzledb").resolve())


def run(arguments, folder, input=None):
    """Runs the program in a folder; returns what it took: seconds, CPU seconds, bytes of memory, disk, read and written."""
    took = dict(memory=0, disk=0, read=0, written=0)
    begin = time.monotonic()
    environment = os.environ | {"PUZZLEDB_DIR": folder}
    process = subprocess.Popen(
        [PROGRAM, *arguments], cwd=folder, env=environment, stdin=input, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def watch():
        while process.returncode is None:
            took["disk"] = max(took["disk"], size(folder))
            try:
                moved = Path(f"/proc/{process.pid}/io").read_text().split()
                status = Path(f"/proc/{process.pid}/status").read_text()
            except OSError:
                break
            if peak := re.search(r"VmHWM:\s+(\d+) kB", status):
                took.update(memory=int(peak[1]) * 1024, read=int(moved[1]), written=int(moved[3]))
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took["seconds"] = time.monotonic() - begin
    watcher.join()
    if process.returncode:
        sys.exit(f"puzzledb {' '.join(arguments)}: exit code {process.returncode}")
    took["disk"] = max(took["disk"], size(folder))
    return took | {"cpu": usage.ru_utime + usage.ru_stime}


def size(folder):
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(path, name)).st_size
            except OSError:
                pass  # gone meanwhile
    return total


def amount(bytes):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if bytes < 1024 or unit == "GiB":
            return f"{bytes:.3g} {unit}"
        bytes /= 1024


def duration(seconds):
    for unit, factor in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def row(*cells):
    print("|", " | ".join(str(cell) for cell in cells), "|", flush=True)


def table(*heads):
    print()
    row(*heads)
    row(*["---"] * len(heads))


def plans(shapes):
    table("build", "", "planned", "measured", "planned / measured")
    for shape in shapes:
        plan = json.loads(subprocess.check_output([PROGRAM, "build", "--plan", "--shape", shape, "--format", "json"]))
        for name, options in (("in_memory", []), ("in_scratch", ["--scratch", "scratch"])):
            with tempfile.TemporaryDirectory(dir=".") as folder:
                took = run(["build", "--shape", shape, *options], folder)
            for what, text in (("memory", amount), ("disk", amount), ("read", amount), ("written", amount), ("seconds", duration)):
                planned, measured = plan[name][what], took[what]
                if planned:
                    way = name.replace("_", " ")
                    row(f"{shape} {way}", what, text(planned), text(measured), f"{planned / measured:.2f}")


def boards(count):
    """Makes random boards of 3x3 that the goal reaches: two tiles change places in the others."""
    draw = random.Random(1)
    for _ in range(count):
        board = draw.sample(range(9), 9)
        odd = sum(a > b > 0 for i, a in enumerate(board) for b in board[i:]) % 2
        if odd:
            first, second = [place for place in range(3) if board[place]][:2]
            board[first], board[second] = board[second], board[first]
        yield "".join(map(str, board)) + "\n"


def processes():
    table("whole process, the median of 5", "time", "CPU time", "memory")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        run(["build"], folder)
        run(["build", "--shape", "4x4", "--patterns", "7-8"], folder)
        Path(folder, "boards").write_text("".join(boards(1_000_000)))
        for arguments in (
            ["build", "--force"],
            ["build", "--shape", "3x4", "--force"],
            ["check", "--shape", "3x4"],
            ["build", "--shape", "4x4", "--patterns", "7-8", "--force"],
            ["solve", "--boards", "boards", "--format", "tsv"],
        ):
            runs = [run(arguments, folder) for _ in range(5)]
            time, cpu, memory = (statistics.median(took[what] for took in runs) for what in ("seconds", "cpu", "memory"))
            row(f"`{' '.join(arguments)}`", duration(time), duration(cpu), amount(memory))


# What stands beside what: the bench, ours and the peer in it.
PEERS = (
    ("build", "the bytes of the whole 3x3 file", "ours_full_table", "a queue and a hash map", "plain_hash_map"),
    ("query", "a whole solution from a file", "solutions_full", "A* of the crate pathfinding", "solutions_pathfinding_astar"),
    ("search", "an expansion of A* with Manhattan distance", "astar_by manhattan", "the crate pathfinding", "astar_by_manhattan_pathfinding"),
    ("large", "all boards of 3x4, one thread", 'ours_search ("3x4", 1)', "rank, unrank and bit arrays", "plain_rank_and_bit_array_3x4"),
)


def medians(bench):
    """Returns the median seconds of each line of a bench, of an item where it counts them; arguments by their function's name."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "puzzledb-benches", "--bench", bench]
    text = subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL)
    units = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "item/s": 1, "Kitem/s": 1e3, "Mitem/s": 1e6, "Gitem/s": 1e9}
    function, label, found = "", "", {}
    for line in text.splitlines()[1:]:
        if name := re.match(r"([│ ]*)[├╰]─ (.+?)  ", line):
            label = f"{function} {name[2]}" if name[1] else name[2]
            function = function if name[1] else name[2]
        median = re.findall(r"([0-9.]+) ([KMG]?item/s|ns|µs|ms|s)\b", line)[2:3]
        for number, unit in median:
            value = float(number) * units[unit]
            found[label] = 1 / value if "item" in unit else value
    return found


def peers():
    table("what", "ours", "beside", "its time", "ratio")
    for bench, what, ours, peer, theirs in PEERS:
        found = medians(bench)
        ours, theirs = found[ours], found[theirs]
        row(what, duration(ours), peer, duration(theirs), f"{theirs / ours:,.{0 if theirs > 100 * ours else 1}f} x")


plans(sys.argv[1:] or ["2x6", "3x4"])
processes()
peers()
PYTHON
