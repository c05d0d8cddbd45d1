"""Questions about one board, errors, and Ctrl-C."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import puzzledb
from puzzledb import BoardError, DamagedError, Oracle, PuzzleError, SolveTimeout, UnsolvableError

FIFTEEN = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"  # 80 moves to the goal 0 1 2 ...


def test_a_board_is_a_text_a_list_or_an_array():
    oracle = Oracle("123456780")
    cells = [7, 0, 4, 8, 5, 1, 6, 3, 2]
    rows = [cells[:3], cells[3:6], cells[6:]]
    for board in (
        "704851632",
        "7 0 4 / 8 5 1 / 6 3 2",
        cells,
        tuple(cells),
        rows,
        np.array(rows),
        np.array(cells, "u1"),
    ):
        assert oracle.distance(board) == 19
        assert len(oracle.solve(board)) == 19
        assert oracle.probe(board)["distance"] == 19
    assert puzzledb.search(rows)["distance"] == 19


def test_goals_and_shapes():
    assert repr(Oracle()) == "Oracle('123456780', shape='3x3')"
    assert Oracle(goal="first", shape="3x4").shape == (3, 4)
    assert Oracle(shape=(2, 5)).states == 1_814_400
    assert Oracle([[1, 2, 3], [8, 0, 4], [7, 6, 5]]).goal == "123804765"
    assert Oracle(np.array([[1, 2, 3], [4, 5, 0]]), shape="2x3").goal == "123450"
    for goal, shape in (("123", None), ("last", "9x9"), ("first", "x"), ([[1, 2, 3], [4, 5, 0]], None), ("1123", None)):
        with pytest.raises(PuzzleError):
            Oracle(goal, shape)


def test_errors_say_what_is_wrong():
    oracle = Oracle("123456780")
    for board in (
        "123456789",
        "",
        "12345678",
        [1, 2, 3],
        [[1, 2, 3], [4, 5, 0]],
        [0] * 9,
        [-1, *range(1, 9)],
        [300] * 9,
    ):
        with pytest.raises(BoardError):
            oracle.distance(board)
    with pytest.raises(TypeError):
        oracle.distance([0.5] * 9)
    for ask in (oracle.distance, oracle.solve, oracle.probe, lambda board: next(oracle.solutions(board))):
        with pytest.raises(UnsolvableError, match="parity") as raised:
            ask("123456870")
        assert isinstance(raised.value, ValueError) and isinstance(raised.value, PuzzleError)
    with pytest.raises(PuzzleError, match="a_star|astar"):
        puzzledb.search("704851632", "a-start")
    with pytest.raises(PuzzleError, match="unknown field"):
        puzzledb.search("704851632", wide=3)
    error = pickle.loads(pickle.dumps(BoardError("a", 3)))
    assert str(error) == "a"


def test_a_time_limit_gives_bounds():
    oracle = Oracle(goal="first", shape="4x4")
    with pytest.raises(SolveTimeout) as raised:
        oracle.solve(FIFTEEN, timeout=0.1)
    error = raised.value
    assert isinstance(error, TimeoutError)
    assert 40 < error.at_least <= 80 <= error.at_most == len(error.moves)
    assert oracle.solve("1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15", timeout=5) == "L"
    assert len(Oracle().solve("704851632", timeout=0)) == 19
    with pytest.raises(ValueError):
        oracle.solve(FIFTEEN, timeout=float("nan"))


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        Oracle.open(tmp_path / "none")
    path = tmp_path / "damaged"
    path.write_bytes(b"x" * 5000)
    with pytest.raises(DamagedError) as raised:
        Oracle.open(path)
    assert isinstance(raised.value, OSError) and str(path) in str(raised.value)
    tables = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "v2")
    oracle = Oracle.open(os.path.join(tables, "3x3.bit.pzdb"))
    assert oracle.distance("704851632") == 19
    assert np.array_equal(oracle.distances(), Oracle("123456780").distances())
    with pytest.raises(PuzzleError, match="does not serve the goal"):
        Oracle.open(os.path.join(tables, "3x3.bit.pzdb"), goal="123804765")
    assert pickle.loads(pickle.dumps(oracle)).goal == copy.deepcopy(oracle).goal == "123456780"


def test_verdicts():
    oracle = Oracle("123456780")
    optimal = puzzledb.judge("123456708", "R", oracle)
    assert optimal and (optimal.words, optimal.distance, optimal.moves) == ("optimal", 1, "R")
    assert puzzledb.judge("123456708", "RR", oracle).words == "illegal at move 2"
    longer = puzzledb.judge("123456708", "Answer: L R R", oracle)
    assert (str(longer), longer.at, longer.claimed) == ("suboptimal +2", 1, 3)
    assert str(puzzledb.judge("123456708", "I cannot help with that.", oracle)) == "unread"
    assert not puzzledb.judge("123456708", "", oracle)


def test_audits():
    oracle = Oracle("123456780")
    perfect = puzzledb.audit(oracle.distances, oracle)
    assert perfect.admissible and perfect.consistent and perfect.mean_absolute_error == 0
    over = puzzledb.audit(lambda boards: oracle.distances(boards) + 1.0, oracle)
    assert not over.admissible and over.overestimates == 181_440
    assert over.overestimate["board"] == "123456780"
    with pytest.raises(PuzzleError, match="shape"):
        puzzledb.audit(lambda boards: 3, oracle)
    with pytest.raises(PuzzleError, match="not numbers"):
        puzzledb.audit(lambda boards: np.full(len(boards), np.nan), oracle)


def test_searches():
    record = puzzledb.search("704851632", "weighted-astar", "manhattan", weight=1.5, limit=100_000)
    assert record["distance"] == 19 and record["length"] >= 19
    traced = puzzledb.search([[7, 0, 4], [8, 5, 1], [6, 3, 2]], "greedy", trace=3)
    assert len(traced["trace"]) == 3


def test_threads_work_at_once():
    oracle = Oracle("123456780")
    boards = oracle.boards()
    expected = oracle.distances()
    found = []
    threads = [threading.Thread(target=lambda: found.append(oracle.distances(boards))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(np.array_equal(distances, expected) for distances in found)


INTERRUPTED = """
import os, signal, threading, time, puzzledb
begun = [0.0]
def interrupt():
    begun[0] = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
{prepare}
threading.Timer(0.5, interrupt).start()
try:
    {call}
    print("it ended")
except KeyboardInterrupt:
    print(time.monotonic() - begun[0])
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "prepare, call",
    [
        ("o = puzzledb.Oracle(goal='first', shape='4x4')", f"o.distance('{FIFTEEN}')"),
        ("o = puzzledb.Oracle(goal='first', shape='4x4')", f"o.solve('{FIFTEEN}', timeout=60)"),
        ("o = puzzledb.Oracle(goal='first', shape='4x4')", f"list(o.solutions('{FIFTEEN}'))"),
        ("o = puzzledb.Oracle(goal='first', shape='4x4')", f"o.distances(['{FIFTEEN}'] * 99)"),
        ("", f"puzzledb.search('{FIFTEEN}', 'idastar', goal='first')"),
        ("o = puzzledb.Oracle('123456780'); b = o.boards()", "while True: o.distances(b)"),
        ("o = puzzledb.Oracle(shape='3x4')", "while True: o.distances()"),
    ],
)
def test_ctrl_c_ends_any_call(prepare, call):
    code = INTERRUPTED.format(prepare=prepare, call=call)
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout) < 30, ran.stdout  # 0.1 s on a machine that does nothing else


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_answers():
    code = """
import os, numpy as np, puzzledb
o = puzzledb.Oracle("123456780")
b = o.boards(); o.distances(b)
child = os.fork()
assert o.distances(b).max() == 31
if child: raise SystemExit(os.waitpid(child, 0)[1])
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_solutions_are_found_in_pieces(monkeypatch):
    oracle = Oracle()
    for board in ("536407182", "123456780", "704851632"):
        whole = list(oracle.solutions(board))
        for piece in (1, 2, len(whole), len(whole) + 1):
            monkeypatch.setattr("puzzledb._oracle.PIECE", piece)
            assert list(oracle.solutions(board)) == whole
