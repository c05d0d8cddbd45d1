"""Arrays, beside a plain search over the whole space."""

from __future__ import annotations

import numpy as np
import pytest

import puzzledb
from plain import GOALS, closer_moves, solvable_boards
from puzzledb import BoardError, Oracle, PuzzleError


@pytest.fixture(scope="module", params=GOALS)
def space(request):
    """An oracle, and the distances and counts of a plain search."""
    goal = request.param
    return Oracle(goal), solvable_boards(goal)


def rows(texts):
    return np.array([[int(cell) for cell in text] for text in texts], np.uint8)


def test_values_are_those_of_a_plain_search_over_the_whole_space(space):
    oracle, plain = space
    boards = rows(plain)
    distances = np.array([distance for distance, _ in plain.values()], np.uint8)
    counts = np.array([count for _, count in plain.values()], np.uint64)
    masks = np.array([closer_moves(text, plain) for text in plain], np.uint8)
    states = oracle.rank(boards)
    assert len(plain) == len(oracle) == oracle.states == 181_440
    assert np.array_equal(np.sort(states), np.arange(181_440))
    assert np.array_equal(oracle.boards(states), boards)
    for x in (boards, states, states.astype(np.uint32)):
        assert np.array_equal(oracle.distances(x), distances)
        assert np.array_equal(oracle.counts(x), counts)
        assert np.array_equal(oracle.moves(x), masks)
    for values, everything in (
        (distances, oracle.distances()),
        (counts, oracle.counts()),
        (masks, oracle.moves()),
        (boards, oracle.boards()),
    ):
        assert np.array_equal(everything[states], values)


def test_single_boards_are_those_of_a_plain_search(space):
    oracle, plain = space
    for text, (distance, count) in list(plain.items())[::997]:
        assert oracle.distance(text) == oracle.distance([int(cell) for cell in text]) == distance
        assert len(oracle.solve(text)) == distance
        solutions = list(oracle.solutions(text))
        assert len(set(solutions)) == count and {len(solution) for solution in solutions} == {distance}
        assert oracle.probe(text)["distance"] == distance
        assert distance == 0 or puzzledb.judge(text, solutions[-1], oracle)
    for text in plain:
        other = text[1] + text[0] + text[2:] if "0" not in text[:2] else text[:7] + text[8] + text[7]
        if other not in plain:
            assert oracle.distances(rows([other])).tolist() == [255]
            assert oracle.counts(rows([other])).tolist() == [0]
            break


def test_any_strides_and_orders_and_shapes_are_read():
    oracle = Oracle("123456780")
    boards = oracle.boards()[: 4 * 30]
    expected = oracle.distances(boards)
    assert np.array_equal(oracle.distances(np.asfortranarray(boards)), expected)
    assert np.array_equal(oracle.distances(boards[::-3]), expected[::-3])
    wide = np.zeros((120, 18), np.uint8)
    wide[:, ::2] = boards
    assert np.array_equal(oracle.distances(wide[:, ::2]), expected)
    assert np.array_equal(oracle.distances(boards.reshape(4, 30, 9)), expected.reshape(4, 30))
    assert np.array_equal(oracle.distances(np.moveaxis(boards.reshape(4, 30, 9), 0, 1)), expected.reshape(4, 30).T)
    boards.setflags(write=False)
    assert np.array_equal(oracle.distances(boards), expected)
    states = oracle.rank(boards).reshape(4, 30).T
    assert np.array_equal(oracle.counts(states), oracle.counts(boards).reshape(4, 30).T)
    assert np.array_equal(oracle.boards(states[::2]), boards.reshape(4, 30, 9).swapaxes(0, 1)[::2])
    assert oracle.distances(boards[0]).shape == ()
    for empty in (np.empty((0, 9), np.uint8), np.empty((3, 0, 9), np.uint8), np.empty((2, 0), np.uint64), []):
        found = oracle.distances(empty)
        assert found.size == 0 and found.dtype == np.uint8
    assert oracle.boards(np.empty((0, 2), np.uint32)).shape == (0, 2, 9)
    assert oracle.distances(["123456780", "123456708"]).tolist() == [0, 1]
    assert oracle.distances([[1, 2, 3, 4, 5, 6, 7, 0, 8]]).tolist() == [1]


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, np.float32, np.float64, bool, object, "S1"])
def test_other_dtypes_are_errors(dtype):
    oracle = Oracle("123456780")
    boards = np.zeros((2, 9)).astype(dtype)
    for ask in (oracle.distances, oracle.counts, oracle.moves, oracle.rank, oracle.boards):
        with pytest.raises(TypeError, match="uint"):
            ask(boards)


def test_the_first_row_that_is_no_board_is_named():
    oracle = Oracle("123456780")
    boards = np.tile(np.array([1, 2, 3, 4, 5, 6, 7, 8, 0], np.uint8), (100_000, 1))
    boards[[77_777, 99_999], 3] = 9
    for ask in (oracle.distances, oracle.counts, oracle.moves, oracle.rank):
        with pytest.raises(BoardError, match="row 77777: 9 in cell 4 is not a tile") as raised:
            ask(boards)
        assert raised.value.row == 77_777
    with pytest.raises(BoardError, match="row 1: there is no state 181440") as raised:
        oracle.boards(np.array([0, 181_440], np.uint64))
    assert raised.value.row == 1
    with pytest.raises(BoardError, match="last axis has 8 cells"):
        oracle.distances(np.zeros((2, 8), np.uint8))
    with pytest.raises(BoardError, match="other numbers"):
        oracle.distances([[1, 2], [3]])
    assert oracle.rank(np.array([[2, 1, 3, 4, 5, 6, 7, 8, 0]], np.uint8)).tolist() == [2**64 - 1]


def test_rows_without_a_table_are_searched():
    oracle = Oracle(shape="4x4")
    boards = oracle.sample(20, distance=(10, 20), seed=1)
    distances = oracle.distances(boards)
    assert distances.min() >= 10 and distances.max() <= 20
    assert [len(oracle.solve(board)) for board in boards] == distances.tolist()
    assert oracle.states is None
    for ask in (oracle.distances, oracle.counts, oracle.boards, lambda: oracle.rank(boards), lambda: len(oracle)):
        with pytest.raises(PuzzleError, match="needs a database of all 4x4 boards"):
            ask()


def test_samples_are_different_and_repeat():
    oracle = Oracle("123456780")
    boards = oracle.sample(1000, distance=20, seed=3)
    assert boards.shape == (1000, 9) and boards.dtype == np.uint8 and boards.flags.writeable
    assert set(oracle.distances(boards).tolist()) == {20} and len(np.unique(boards, axis=0)) == 1000
    assert np.array_equal(boards, oracle.sample(1000, distance=20, seed=3))
    assert not np.array_equal(boards, oracle.sample(1000, distance=20, seed=4))
    assert oracle.sample(0).shape == (0, 9)
    with pytest.raises(PuzzleError, match="only 2 boards fit"):
        oracle.sample(3, distance=31)
