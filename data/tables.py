"""Makes three published tables again, as files of the same names and columns, and compares them.

    python3 data/tables.py PROGRAM FOLDER [DEPTHS]

The bounds of expansions and the truths of heuristics come out as published, number by number. The textbook's averages are
over 100 boards that are drawn: they are within 8 % for breadth-first search and 40 % for A*. DEPTHS, as in 6..14, leaves out
the deeper rows of the textbook's table, which take the most time [default: 6..28]. Ends with 1 if a number differs.
"""

import csv
import json
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
depths = sys.argv[3] if len(sys.argv) > 3 else "6..28"
published = pathlib.Path(__file__).parent
differences = 0


def records(*arguments, boards=""):
    """The records that a command prints."""
    ran = subprocess.run([program, *arguments, "--json"], input=boards, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def rows(name):
    """The rows of a published table."""
    lines = [line for line in open(published / name, encoding="utf-8") if not line.startswith("#")]
    return list(csv.DictReader(lines))


def compare(name, made, tolerances):
    """Writes a table, and compares its columns with the published ones."""
    global differences
    with open(folder / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, made[0].keys())
        writer.writeheader()
        writer.writerows(made)
    for row, (found, stated) in enumerate(zip(made, rows(name), strict=False), 1):
        for column, value in found.items():
            tolerance = tolerances.get(column, 0)
            try:
                differs = abs(float(value) - float(stated[column])) > tolerance * float(stated[column])
            except ValueError:
                differs = value != stated[column]
            if differs:
                differences += 1
                print(f"{name}, row {row}: {column} is {value}, not {stated[column]}")
    print(f"{name}: {len(made)} rows")


def bounds():
    stated = rows("expansion-bounds.csv")
    for algorithm in dict.fromkeys(row["algorithm"] for row in stated):
        boards = [row for row in stated if row["algorithm"] == algorithm]
        listed = "".join(row["board"] + "\n" for row in boards)
        for row, made in zip(boards, records("effort", "--algorithm", algorithm, "-", boards=listed), strict=True):
            yield {
                "board": made["board"],
                "algorithm": algorithm,
                "heuristic": made["heuristic"],
                "least": max(made["certain"], made["distance"]),
                "most": made["most"],
                "reported": row["reported"],
            }


def truths():
    for row in rows("heuristic-truths.csv"):
        (made,) = records("audit", "--heuristic", row["heuristic"])
        yield {
            "heuristic": made["heuristic"],
            "mean": f"{made['mean']:.6f}",
            "max": int(made["max"]),
            "overestimates": made["overestimates"],
            "inconsistent_edges": made["inconsistent_edges"],
            "exact_boards": made["perfect"],
        }


def textbook():
    drawn = ("search", "--by", "depth", "--depths", depths, "--per-depth", "100", "--seed", "1")
    found = records(*drawn, "-a", "bfs")
    found += records(*drawn, "-a", "astar", "--heuristics", "misplaced,manhattan", "--ties", "shallow")
    methods = {"bfs": "bfs", "astar misplaced": "h1", "astar manhattan": "h2"}
    by_depth = {}
    for row in found:
        by_depth.setdefault(row["depth"], {})[methods[row["method"]]] = row
    for depth in sorted(by_depth):
        if depth % 2 == 0:
            of = by_depth[depth]
            nodes = {"bfs": "bfs", "astar_h1": "h1", "astar_h2": "h2"}
            nodes = {column: round(of[method]["generated"]) for column, method in nodes.items()}
            factors = {f"ebf_{method}": round(of[method]["branching"], 2) for method in ("bfs", "h1", "h2")}
            yield {"d": depth} | nodes | factors


folder.mkdir(exist_ok=True)
compare("expansion-bounds.csv", list(bounds()), {})
compare("heuristic-truths.csv", list(truths()), {})
compare("aima-4ed-fig3.26.csv", list(textbook()), {
    "bfs": 0.08, "astar_h1": 0.4, "astar_h2": 0.4, "ebf_bfs": 0.04, "ebf_h1": 0.04, "ebf_h2": 0.04,
})
sys.exit(differences > 0)
