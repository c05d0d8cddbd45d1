"""Optimal distances and solutions of sliding-tile puzzles, for one board or for arrays of them.

>>> import puzzledb
>>> o = puzzledb.Oracle("123456780")
>>> o.distance("704851632")
19
>>> o.solve("704851632")
'RDDLLUURRDDLLUURRDD'
>>> int(o.distances().max())  # of all 181,440 states
31

A board is a text (`"704851632"`, `"7 0 4 / 8 5 1 / 6 3 2"`), a list of cells or of rows, or an array, with 0 for the
blank. Many boards are an array `uint8[..., n]` of any strides, n cells to a board, a list of boards, or their states:
`uint32[...]` or `uint64[...]` of numbers below `len(o)`. Moves are the blank's: U, D, L, R.

The interpreter's lock is released during the work, and Ctrl-C ends it.
"""

from __future__ import annotations

from ._errors import BoardError, DamagedError, PuzzleError, SolveTimeout, UnsolvableError
from ._oracle import Oracle
from ._questions import Audit, Verdict, audit, judge, search

__all__ = [
    "Audit",
    "BoardError",
    "DamagedError",
    "Oracle",
    "PuzzleError",
    "SolveTimeout",
    "UnsolvableError",
    "Verdict",
    "audit",
    "judge",
    "search",
]
