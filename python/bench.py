"""Time of the package, beside a dict of strings and, where they are installed, beside two packages of the registry.

pip install slidingpuzzle fifteen-puzzle-solvers
python bench.py
"""

import importlib
import time
from collections import deque

import numpy as np

import puzzledb

ROWS = 1_000_000


def seconds(work, least=0.2):
    """The least time of a call, of as many as take this long."""
    times = []
    while sum(times) < least:
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def neighbours(text):
    blank = text.index("0")
    for step in (-3, 3, -1, 1):
        cell = blank + step
        if 0 <= cell < 9 and (abs(step) == 3 or cell // 3 == blank // 3):
            cells = list(text)
            cells[blank], cells[cell] = cells[cell], "0"
            yield "".join(cells)


def plain_search(goal):
    found, queue = {goal: 0}, deque([goal])
    while queue:
        text = queue.popleft()
        for other in neighbours(text):
            if other not in found:
                found[other] = found[text] + 1
                queue.append(other)
    return found


begun = time.perf_counter()
oracle = puzzledb.Oracle("123456780")
made = time.perf_counter() - begun
begun = time.perf_counter()
plain = plain_search("123456780")
searched = time.perf_counter() - begun
print(f"all distances: {made * 1e3:.1f} ms, a dict of strings {searched * 1e3:.0f} ms ({searched / made:.0f} x)")

states = np.random.default_rng(1).integers(0, len(oracle), ROWS, np.uint32)
boards = oracle.boards(states)
texts = ["".join(map(str, row)) for row in boards.tolist()]
batch = seconds(lambda: oracle.distances(boards))
looked_up = seconds(lambda: [plain[text] for text in texts])
assert oracle.distances(boards).tolist() == [plain[text] for text in texts]
print(
    f"distances of boards: {ROWS / batch / 1e6:.1f} M/s, a dict {ROWS / looked_up / 1e6:.1f} M/s ({looked_up / batch:.0f} x)"
)
batch = seconds(lambda: oracle.distances(states))
print(f"distances of states: {ROWS / batch / 1e6:.1f} M/s")
one = seconds(lambda: [oracle.distance(text) for text in texts[:1000]]) / 1000
print(f"one distance of a text: {one * 1e6:.2f} us")

few = texts[:20]
ours = seconds(lambda: [oracle.solve(text) for text in few]) / len(few)
lengths = [len(oracle.solve(text)) for text in few]
print(f"one solution: {ours * 1e6:.2f} us")


def by_slidingpuzzle(module, text):
    cells = [int(cell) for cell in text]
    return len(module.search(module.from_rows(cells[:3], cells[3:6], cells[6:])).solution)


def by_fifteen_puzzle_solvers(module, text):
    cells = [int(cell) for cell in text]
    domain = importlib.import_module("fifteen_puzzle_solvers.domain")
    algorithms = importlib.import_module("fifteen_puzzle_solvers.services.algorithms")
    strategy = algorithms.AStar(domain.Puzzle([cells[:3], cells[3:6], cells[6:]]))
    return len(strategy.solve_puzzle()) - 1


for name, solve in (("slidingpuzzle", by_slidingpuzzle), ("fifteen_puzzle_solvers", by_fifteen_puzzle_solvers)):
    try:
        module = importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        continue
    begun = time.perf_counter()
    found = [solve(module, text) for text in few]
    each = (time.perf_counter() - begun) / len(few)
    optimal = sum(length == least for length, least in zip(found, lengths, strict=True))
    print(f"{name}: {each * 1e3:.1f} ms a solution ({each / ours:,.0f} x), {optimal} of {len(few)} optimal")
