"""Judgements, audits and searches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _puzzledb
from ._boards import BoardLike, ShapeLike, board_cells, shape_text
from ._errors import PuzzleError
from ._oracle import Oracle, seconds


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer. It is true if the answer is right."""

    right: bool
    """Whether the answer is a shortest solution, or says rightly that there is none."""
    words: str
    """The verdict, such as `optimal`, `suboptimal +2`, `illegal at move 3`; `unread` if no answer was found."""
    distance: int | None
    """The board's distance; None if it cannot be solved."""
    claimed: int | None
    """The length that was claimed, or that of the moves."""
    moves: str | None
    """The moves that were read, the blank's, as far as they are legal."""
    at: int | None
    """The number of the move, from 1, that is illegal or the first to lose ground."""

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.words


def judge(board: BoardLike, answer: str, oracle: Oracle) -> Verdict:
    """Judges an answer about a board: any text that a solver, a person or a language model wrote.

    >>> o = Oracle("123456780")
    >>> str(judge("123456708", "R", o)), str(judge("123456708", "The shortest solution is: L, R, R.", o))
    ('optimal', 'suboptimal +2')
    >>> bool(judge("123456870", "This board is unsolvable.", o))
    True

    Errors: BoardError for the board.
    """
    cells = oracle._board(board)
    judged = oracle._handle.judge(cells, answer)
    if judged is None:
        distance = int(oracle.distances(np.frombuffer(cells, np.uint8)))
        return Verdict(False, "unread", None if distance == 255 else distance, None, None, None)
    record = json.loads(judged)
    parts = (record[name] for name in ("right", "verdict", "distance", "claimed", "moves", "move"))
    return Verdict(*parts)


@dataclass(frozen=True)
class Audit:
    """What an audit proves of a heuristic, over all boards. `record` has the other numbers of `puzzledb audit --json`."""

    admissible: bool
    """Whether no board has a value above its distance."""
    consistent: bool
    """Whether no move lowers the value by more than 1, and the goal has 0."""
    overestimates: int
    """Boards with a value above their distance."""
    overestimate: dict[str, Any] | None
    """The simplest of them: its `board`, `value` and `distance`."""
    inconsistent_moves: int
    """Moves that lower the value by more than 1."""
    inconsistent_move: dict[str, Any] | None
    """The simplest of them: `from`, `move`, `to`, `value`, `value_after` and the `distance` before it."""
    mean_absolute_error: float
    """The mean difference of value and distance."""
    record: dict[str, Any]
    """The record in full."""

    def __repr__(self) -> str:
        witness = self.overestimate
        found = "" if witness is None else f", overestimates={self.overestimates}, simplest={witness['board']!r}"
        return f"Audit(admissible={self.admissible}, consistent={self.consistent}{found})"


def audit(heuristic: Callable[[NDArray[np.uint8]], ArrayLike], oracle: Oracle, rows: int = 65_536) -> Audit:
    """Audits a heuristic over all boards: is it admissible, is it consistent, and the simplest witness if not.

    The heuristic gets boards `uint8[rows, n]` and returns a value for each.

    >>> o = Oracle("123456780")
    >>> misplaced = lambda boards: (boards != np.array([1, 2, 3, 4, 5, 6, 7, 8, 0])).sum(axis=1)  # counts the blank too
    >>> audit(misplaced, o)
    Audit(admissible=False, consistent=False, overestimates=78, simplest='123450786')

    Errors: PuzzleError if there is no table, or a value is not a number.
    """
    values = np.empty(oracle._table(), np.float64)
    for first in range(0, len(values), rows):
        states = np.arange(first, min(first + rows, len(values)), dtype=np.uint64)
        found = np.asarray(heuristic(oracle.boards(states)), np.float64)
        if found.shape != states.shape:
            raise PuzzleError(f"the heuristic returned values of shape {found.shape} for {len(states)} boards")
        values[first : first + rows] = found
    if not np.isfinite(values).all():
        raise PuzzleError(f"the heuristic has {int((~np.isfinite(values)).sum())} values that are not numbers")
    record = json.loads(oracle._handle.audit(values))
    return Audit(
        record["admissible"],
        record["consistent"],
        record["overestimates"],
        record["first_overestimate"],
        record["inconsistent_edges"],
        record["first_inconsistent"],
        record["mean_absolute_error"],
        record,
    )


def search(
    board: BoardLike,
    algorithm: str = "astar",
    heuristic: str | None = None,
    *,
    goal: str | None = None,
    shape: ShapeLike = None,
    timeout: float | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Solves a board by a search of the textbooks, and returns the record of `puzzledb search --json`.

    `options` are those of the command: `weight`, `seed`, `limit`, `order`, `width`, `ties`, `trace`.

    >>> record = search("704851632", "astar", heuristic="manhattan")
    >>> record["length"], record["distance"]
    (19, 19)

    Errors: BoardError, UnsolvableError; PuzzleError for an option that is not valid.
    """
    text = board if isinstance(board, str) else " ".join(str(cell) for cell in board_cells(board, shape))
    if not isinstance(board, str) and shape is None and np.asarray(board).ndim == 2:
        rows, columns = np.asarray(board).shape
        shape = (rows, columns)
    question: dict[str, Any] = {"board": text, "algorithm": algorithm, "heuristic": heuristic}
    question.update(goal=goal, shape=shape_text(shape))
    question.update((name, str(value) if name in ("weight", "order") else value) for name, value in options.items())
    given = {name: value for name, value in question.items() if value is not None}
    record: dict[str, Any] = json.loads(
        _puzzledb.search(json.dumps(given), timeout if timeout is None else seconds(timeout))
    )
    return record
