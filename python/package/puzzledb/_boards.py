"""Boards in the forms that people write, as bytes and as arrays in C order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _puzzledb
from ._errors import BoardError

BoardLike = Union[str, Sequence[int], Sequence[Sequence[int]], NDArray[Any]]
BoardsLike = Union[Sequence[str], Sequence[Any], NDArray[Any]]
ShapeLike = Union[str, tuple[int, int], None]


def shape_text(shape: ShapeLike) -> str | None:
    """Returns a shape as a text."""
    return shape if shape is None or isinstance(shape, str) else f"{shape[0]}x{shape[1]}"


def board_cells(board: BoardLike, shape: ShapeLike) -> bytes:
    """Returns the cells of one board."""
    if isinstance(board, str):
        return _puzzledb.parse(board, shape_text(shape))
    cells = small_numbers(board)
    if cells.ndim == 2 and not isinstance(shape, str) and shape is not None and cells.shape != shape:
        rows, columns = cells.shape
        raise BoardError(f"the board is {rows}x{columns} but the goal is {shape_text(shape)}")
    if cells.ndim not in (1, 2):
        raise BoardError(f"a board has one dimension or two, not {cells.ndim}")
    return cells.tobytes()


def small_numbers(cells: Any) -> NDArray[np.uint8]:
    """Returns whole numbers from 0 to 255 as an array."""
    try:
        array = np.asarray(cells)
    except ValueError as error:  # rows of other lengths
        raise BoardError("the boards have other numbers of cells") from error
    if array.size == 0:
        return array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise TypeError(f"cells are whole numbers, not {array.dtype}")
    if array.min() < 0 or array.max() > 255:
        raise BoardError(f"a cell is not a tile: {array.max() if array.max() > 255 else array.min()}")
    return array.astype(np.uint8)


def rows_or_states(x: BoardsLike, cells: int, shape: tuple[int, int]) -> tuple[NDArray[Any], tuple[int, ...]]:
    """Returns boards or numbers of states in a row, in C order, and the shape of their values."""
    if isinstance(x, np.ndarray):
        if x.dtype in (np.uint32, np.uint64):
            return np.ascontiguousarray(x, np.uint64).reshape(-1), x.shape
        if x.dtype != np.uint8:
            raise TypeError(f"boards are uint8 and states are uint32 or uint64, not {x.dtype}")
        boards = x
    elif isinstance(x, str):
        boards = np.frombuffer(board_cells(x, shape), np.uint8)
    elif len(x) > 0 and all(isinstance(board, str) for board in x):
        boards = small_numbers([list(board_cells(board, shape)) for board in x])
    else:
        boards = small_numbers(x).reshape(-1, cells) if len(x) == 0 else small_numbers(x)
    if boards.ndim == 0 or boards.shape[-1] != cells:
        found = boards.shape[-1] if boards.ndim else 1
        raise BoardError(f"the last axis has {found} cells, and a {shape_text(shape)} board has {cells}")
    return np.ascontiguousarray(boards).reshape(-1), boards.shape[:-1]
