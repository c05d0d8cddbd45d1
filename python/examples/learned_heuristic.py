"""A heuristic that is fitted to exact labels, its audit, and a corrected one that is admissible.

The distance is fitted as a sum of weights, one for each tile and each cell. A fit is right in the mean, and so it is above
many distances. Less its largest overestimate it is never above one.
"""

import numpy as np

import puzzledb

oracle = puzzledb.Oracle("123456780")


def features(boards):
    """One for each tile at each cell."""
    return np.eye(9, dtype=np.float32)[boards].reshape(len(boards), 81)


drawn = oracle.sample(20_000, seed=1)
labels = oracle.distances(drawn)
weights, *_ = np.linalg.lstsq(features(drawn), labels.astype(np.float32), rcond=None)


def learned(boards):
    return np.maximum(features(boards) @ weights, 0)


report = puzzledb.audit(learned, oracle)
witness = report.overestimate
print(
    f"learned: {report.mean_absolute_error:.2f} moves off in the mean, above the distance of {report.overestimates} boards"
)
print(f"the simplest of them: {witness['board']}, {witness['distance']} moves away, has {witness['value']:.2f}")
assert not report.admissible

everything = oracle.boards()
excess = (learned(everything) - oracle.distances()).max()


def corrected(boards):
    return np.maximum(learned(boards) - excess, 0)


report = puzzledb.audit(corrected, oracle)
print(f"corrected by {excess:.2f}: admissible {report.admissible}, consistent {report.consistent}")
assert report.admissible
