"""Exceptions. Their words are the library's."""

from __future__ import annotations


class PuzzleError(ValueError):
    """A question without an answer, such as one about a shape that is too large."""


class UnsolvableError(PuzzleError):
    """A board from which the goal cannot be reached."""


class BoardError(PuzzleError):
    """A board that is not one. `row` is the number of its row in an array, from 0, or None."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class DamagedError(OSError):
    """A database whose bytes are not those that were written."""


class SolveTimeout(TimeoutError):
    """A solution that was not proved to be shortest in time.

    No solution has fewer than `at_least` moves. `moves` is a solution of `at_most` moves, which may be longer than need
    be.
    """

    def __init__(self, message: str, at_least: int = 0, at_most: int | None = None, moves: str = "") -> None:
        super().__init__(message)
        self.at_least = at_least
        self.at_most = at_most
        self.moves = moves


for _class in (PuzzleError, UnsolvableError, BoardError, DamagedError, SolveTimeout):
    _class.__module__ = "puzzledb"  # the name under which they are known

_CLASSES: dict[str, type[Exception]] = {
    "unsolvable": UnsolvableError,
    "bad-board": BoardError,
    "damaged": DamagedError,
    "timed-out": SolveTimeout,
    "busy": MemoryError,
}


def of_refusal(code: str, sentence: str, row: int | None) -> Exception:
    """Returns the exception of a refusal of the library, with its code in JSON, and the row that it names."""
    error = _CLASSES.get(code.strip('"'), PuzzleError)(sentence)
    if isinstance(error, BoardError):
        error.row = row
    return error
