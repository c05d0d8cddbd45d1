"""The oracle."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Callable, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._boards import BoardLike, BoardsLike, ShapeLike, board_cells, rows_or_states, shape_text
from ._errors import BoardError, PuzzleError, SolveTimeout
from ._puzzledb import Handle

Value = TypeVar("Value", bound=np.generic)

PIECE = 65_536
"""The most solutions that are found at a time."""


class Oracle:
    """Optimal distances and solutions of all boards for one goal.

    `goal` is a board or its name: last (`123456780`, the default), first (`012345678`) or spiral. `shape` is `"3x4"` or
    `(3, 4)`, and follows from a goal that is a square board. Up to 12 cells and 2x6 all distances are found at once; for
    larger shapes, up to 25 cells, a board is searched when it is asked for.

    >>> Oracle("123456780")
    Oracle('123456780', shape='3x3')
    >>> Oracle(goal="first", shape="2x3").goal
    '012345'

    Errors: BoardError and PuzzleError for a goal or a shape that is not valid.
    """

    __slots__ = ("_cells", "_handle", "_made", "goal", "shape", "states")

    goal: str
    """The board at distance 0, as a text."""
    shape: tuple[int, int]
    """Rows and columns."""
    states: int | None
    """The number of boards from which the goal can be reached; None if there is no table of them."""

    def __init__(self, goal: BoardLike | None = None, shape: ShapeLike = None) -> None:
        self._set((None, _goal_text(goal, shape), shape_text(shape)))

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]], goal: BoardLike | None = None, shape: ShapeLike = None) -> Oracle:
        """Opens a database that `puzzledb build` wrote.

        Errors: OSError if the file cannot be read, DamagedError if its bytes are not those that were written, PuzzleError
        if it does not serve the goal.
        """
        oracle = cls.__new__(cls)
        made = (os.fspath(path), _goal_text(goal, shape), shape_text(shape))
        with open(path, "rb"):  # an OSError of the right class
            oracle._set(made)
        return oracle

    def _set(self, made: tuple[str | None, str | None, str | None]) -> None:
        self._handle = Handle(*made)
        self._made = made
        self.goal, self.shape, self.states = self._handle.about()
        self._cells = self.shape[0] * self.shape[1]

    def __reduce__(self) -> tuple[Any, ...]:
        path, *made = self._made
        return (Oracle, tuple(made)) if path is None else (Oracle.open, self._made)

    def __repr__(self) -> str:
        return f"Oracle({self.goal!r}, shape={shape_text(self.shape)!r})"

    def __len__(self) -> int:
        """The number of states.

        >>> len(Oracle("123456780"))
        181440

        Errors: PuzzleError if there is no table.
        """
        return self._table()

    def _table(self) -> int:
        if self.states is None:
            raise PuzzleError(f"that needs a database of all {shape_text(self.shape)} boards")
        return self.states

    def _board(self, board: BoardLike) -> bytes:
        cells = board_cells(board, self.shape)
        if len(cells) != self._cells:
            raise BoardError(
                f"the board has {len(cells)} cells, and a {shape_text(self.shape)} board has {self._cells}"
            )
        return cells

    def distance(self, board: BoardLike) -> int:
        """Returns the length of a shortest solution, in moves.

        >>> o = Oracle("123456780")
        >>> o.distance([[1, 2, 3], [4, 5, 6], [7, 0, 8]])
        1
        >>> o.distance("123456870")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        puzzledb.UnsolvableError: 123456870 cannot be solved to 123456780: ...

        Errors: BoardError, UnsolvableError.
        """
        return self._handle.distance(self._board(board))

    def solve(self, board: BoardLike, timeout: float | None = None) -> str:
        """Returns a shortest solution: the blank's moves U, D, L, R.

        >>> Oracle("123456780").solve("123406758")
        'DR'

        Errors: as `distance`; SolveTimeout, a TimeoutError, if no solution was proved to be shortest in `timeout` seconds.
        """
        cells = self._board(board)
        if timeout is None:
            return self._handle.solve(cells)
        record = json.loads(self._handle.solve_within(cells, seconds(timeout)))
        if record["distance"] is None:
            least, most = record["at_least"], record["at_most"]
            raise SolveTimeout(f"{least} to {most} moves are proved in {timeout} s", least, most, record["moves"])
        return str(record["moves"])

    def solutions(self, board: BoardLike) -> Iterator[str]:
        """Returns an iterator of all shortest solutions.

        >>> o = Oracle("123456780")
        >>> len(list(o.solutions("536407182")))
        7

        Errors: as `distance`, with the first solution.
        """
        cells = self._board(board)

        def found() -> Iterator[str]:
            for first in itertools.count(0, PIECE):
                piece = self._handle.solutions(cells, first, PIECE)
                yield from piece
                if len(piece) < PIECE:
                    return

        return found()

    def probe(self, board: BoardLike) -> dict[str, Any]:
        """Returns the distance of a board and what each move is worth: the record of `puzzledb probe --json`.

        >>> record = Oracle("123456780").probe("123456708")
        >>> record["distance"], [step["move"] for step in record["steps"]]
        (1, ['R', 'U', 'L'])

        Errors: as `distance`.
        """
        record: dict[str, Any] = json.loads(self._handle.probe(self._board(board)))
        return record

    def _values(
        self,
        fill: Callable[[Any, NDArray[Value]], None],
        x: BoardsLike | None,
        dtype: type[Value],
    ) -> NDArray[Value]:
        if x is None:
            values = np.empty(self._table(), dtype)
            fill(0, values)
            return values
        rows, shape = rows_or_states(x, self._cells, self.shape)
        values = np.empty(int(np.prod(shape, dtype=np.int64)), dtype)
        fill(rows, values)
        return values.reshape(shape)

    def distances(self, x: BoardsLike | None = None) -> NDArray[np.uint8]:
        """Returns the distances of boards `uint8[..., n]` or of states, as `uint8[...]`; 255 for an unsolvable board.

        Without `x`, those of every state, in their order.

        >>> o = Oracle("123456780")
        >>> o.distances(["123456708", "123456870"]).tolist()
        [1, 255]
        >>> o.distances(np.array([[0, 1], [2, 3]], np.uint32)).shape
        (2, 2)

        Errors: BoardError with the first `row` that is not a board; TypeError for another dtype.
        """
        return self._values(self._handle.distances, x, np.uint8)

    def counts(self, x: BoardsLike | None = None) -> NDArray[np.uint64]:
        """Returns the numbers of shortest solutions, as `uint64[...]`; 0 for an unsolvable board.

        >>> Oracle("123456780").counts(["536407182", "123456870"]).tolist()
        [7, 0]

        Errors: as `distances`.
        """
        return self._values(self._handle.counts, x, np.uint64)

    def moves(self, x: BoardsLike | None = None) -> NDArray[np.uint8]:
        """Returns masks of the moves that lead closer, as `uint8[...]`: 1 for U, 2 for D, 4 for L, 8 for R.

        The mask of the goal and of an unsolvable board is 0.

        >>> Oracle("123456780").moves(["123456708", "123456780"]).tolist()
        [8, 0]

        Errors: as `distances`.
        """
        return self._values(self._handle.moves, x, np.uint8)

    def rank(self, boards: BoardsLike) -> NDArray[np.uint64]:
        """Returns the states of boards `uint8[..., n]`, as `uint64[...]`; 2**64 - 1 for an unsolvable board.

        >>> Oracle("123456780").rank(["012345678"]).tolist()
        [0]

        Errors: as `distances`; PuzzleError if there is no table.
        """
        return self._values(self._handle.rank, boards, np.uint64)

    def boards(self, states: NDArray[Any] | None = None) -> NDArray[np.uint8]:
        """Returns the boards of states, as `uint8[..., n]`; without `states`, all of them.

        >>> Oracle("123456780").boards(np.array([0], np.uint32)).tolist()
        [[0, 1, 2, 3, 4, 5, 6, 7, 8]]

        Errors: BoardError with the first `row` that is not a state; PuzzleError if there is no table.
        """
        if states is None:
            rows: Any = 0
            shape: tuple[int, ...] = (self._table(),)
        else:
            if getattr(states, "dtype", None) not in (np.uint32, np.uint64):
                raise TypeError(f"states are uint32 or uint64, not {getattr(states, 'dtype', type(states).__name__)}")
            rows, shape = np.ascontiguousarray(states, np.uint64).reshape(-1), states.shape
        cells = np.empty(int(np.prod(shape, dtype=np.int64)) * self._cells, np.uint8)
        self._handle.boards(rows, cells)
        return cells.reshape((*shape, self._cells))

    def sample(self, n: int, distance: Union[int, tuple[int, int], None] = None, seed: int = 0) -> NDArray[np.uint8]:
        """Draws n different boards, as `uint8[n, cells]`: each solvable one is equally likely.

        `distance` is that of all boards, or the least and the most. Equal seeds draw equal boards.

        >>> o = Oracle("123456780")
        >>> sorted(set(o.distances(o.sample(223, distance=(30, 31))).tolist()))
        [30, 31]

        Errors: PuzzleError if there are fewer boards.
        """
        if distance is None:
            distance = (0, 255)
        elif not isinstance(distance, tuple):
            distance = (distance, distance)
        return np.frombuffer(bytearray(self._handle.sample(n, distance, seed)), np.uint8).reshape(n, self._cells)


def _goal_text(goal: BoardLike | None, shape: ShapeLike) -> str | None:
    if goal is None or isinstance(goal, str):
        return goal
    cells = " ".join(str(cell) for cell in board_cells(goal, None))
    rows = np.asarray(goal).shape
    if shape is None and len(rows) == 2:
        raise_if_not_square(rows)
    return cells


def seconds(timeout: float) -> timedelta:
    """Returns a time from seconds, if it is one; 30 years at most."""
    if not timeout >= 0:
        raise ValueError("timeout is a number of seconds")
    return timedelta(seconds=min(timeout, 1e9))


def raise_if_not_square(rows: tuple[int, ...]) -> None:
    """Refuses a goal of rows whose shape must be named."""
    if rows[0] != rows[1]:
        raise BoardError(f"name the shape of the goal: shape='{rows[0]}x{rows[1]}'")
