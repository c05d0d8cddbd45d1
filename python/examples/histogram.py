"""The textbook's histogram of the distances of the 8-puzzle, as a picture if matplotlib is installed."""

import sys

import numpy as np

import puzzledb

levels = np.bincount(puzzledb.Oracle("123456780").distances())
assert levels.sum() == 181_440 and len(levels) == 32
try:
    import matplotlib
except ImportError:
    for distance, boards in enumerate(levels):
        print(f"{distance:>2} {boards:>6} {'#' * int(50 * boards / levels.max())}")
    sys.exit()

matplotlib.use("Agg")
import matplotlib.pyplot as plt

plt.bar(range(len(levels)), levels)
plt.xlabel("moves")
plt.ylabel("boards")
plt.title("8-puzzle: boards at each distance")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "histogram.svg")
