"""Tables that `puzzledb export` wrote are read by NumPy, and by pandas and DuckDB where they are installed."""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

from puzzledb import Oracle

PROGRAM = os.environ.get("PUZZLEDB_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="PUZZLEDB_PROGRAM does not name the program")
COLUMNS = "board,state,distance,solutions,moves,manhattan"


def export(tmp_path, form, *args):
    path = tmp_path / f"table.{form}"
    subprocess.run([PROGRAM, "export", "--format", form, "--output", path, *args], check=True, cwd=tmp_path)
    return path


def test_arrays(tmp_path):
    oracle = Oracle("123456780")
    table = np.load(export(tmp_path, "npz", "--columns", COLUMNS))
    assert np.array_equal(table["board"], oracle.boards())
    assert np.array_equal(table["state"], np.arange(181_440, dtype=np.uint64))
    assert np.array_equal(table["distance"], oracle.distances())
    assert np.array_equal(table["solutions"], oracle.counts())
    assert np.array_equal(table["moves"], oracle.moves())
    assert table["manhattan"].dtype == np.float64 and (table["manhattan"] <= table["distance"]).all()
    provenance = json.loads(bytes(table["provenance"]))
    assert provenance["rows"] == 181_440 and provenance["goal"] == "123456780"


def test_chosen_rows(tmp_path):
    table = np.load(export(tmp_path, "npz", "--distance", "25..31"))
    assert table["board"].shape == (len(table["distance"]), 9) and table["distance"].min() == 25
    assert np.array_equal(Oracle().distances(table["board"]), table["distance"])
    drawn = np.load(export(tmp_path, "npz", "--shape", "2x4", "--sample", "7", "--columns", "state"))
    assert drawn["state"].shape == (7,)


def test_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(export(tmp_path, "csv"), comment="#", dtype={"board": str})
    assert len(table) == 181_440 and table["distance"].max() == 31 and table["board"][0] == "012345678"


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = export(tmp_path, "csv")
    query = f"select distance, count(*) from read_csv('{path}', comment='#') group by 1 order by 1"
    assert duckdb.sql(query).fetchall()[-1] == (31, 2)
