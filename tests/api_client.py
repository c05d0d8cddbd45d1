"""Asks a server through the client that openapi-python-client makes of its OpenAPI document.

Usage: api_client.py ADDRESS, with the generated package puzzledb_client on the path.
"""

import sys

from puzzledb_client import Client
from puzzledb_client.api.claims import verify, verify_by_post
from puzzledb_client.api.one_board import (
    probe, probe_by_post, random, random_by_post, solutions, solutions_by_post, solve, solve_by_post,
)
from puzzledb_client.api.searches import (
    effort, effort_by_post, heuristics, heuristics_by_post, search, search_by_post,
)
from puzzledb_client.api.server import healthz, metrics, readyz
from puzzledb_client.api.spaces import database, served, stats, stats_by_post
from puzzledb_client.models import (
    BadBoard, ClaimObject, EffortAlgorithm, ProbeBoards, Problem, SearchAlgorithm, SolveBoards, VerifyClaims,
)

client = Client(base_url=sys.argv[1])
BOARD = "704851632"

assert healthz.sync_detailed(client=client).status_code == 200
assert readyz.sync_detailed(client=client).status_code == 200
listed = served.sync(client=client)
assert "3x3" in [shape.shape for shape in listed.shapes]
assert "/v1/{shape}/search" in [route.path for route in listed.routes]
assert stats.sync("3x3", client=client).states == 181_440

probed = probe.sync("3x3", client=client, board=BOARD)
assert probed.distance == 19 and len(probed.steps) == 3, probed
solved = solve.sync("3x3", client=client, board=BOARD)
assert len(solved.moves) == 19, solved
assert len(solutions.sync("3x3", client=client, board="536407182").solutions) == 7
drawn = random.sync("3x3", client=client, distance=31, seed=7)
assert drawn.distance == 31, drawn
wrong = probe.sync("3x3", client=client, board="12345678")
assert isinstance(wrong, Problem) and (wrong.status, wrong.code) == (400, "bad-board"), wrong

boards = [BOARD, "123456870"]
first, second = solve_by_post.sync("3x3", client=client, body=SolveBoards(boards=boards)).solutions
assert first.moves == solved.moves and isinstance(second, BadBoard), (first, second)
first, second = probe_by_post.sync("3x3", client=client, body=ProbeBoards(boards=boards)).probes
assert first.distance == 19 and isinstance(second, BadBoard), (first, second)

claims = VerifyClaims(claims=[ClaimObject(board=BOARD, length=19), ClaimObject(board=BOARD, moves="RDD")])
judged = verify_by_post.sync("3x3", client=client, body=claims)
assert [record.verdict for record in judged.records] == ["optimal", "does not reach the goal"], judged
assert verify.sync("3x3", client=client, claims=f"{BOARD} 19").records[0].verdict == "optimal"

searched = search.sync("3x3", client=client, board=BOARD, algorithm=SearchAlgorithm.IDASTAR, trace=5)
assert searched.length == 19 and len(searched.trace) == 5, searched
bounds = effort.sync("3x3", client=client, board=BOARD, algorithm=EffortAlgorithm.ASTAR)
assert bounds.least <= bounds.most, bounds
assert heuristics.sync("3x3", client=client, board=BOARD).distance == 19

# The same by POST, with bodies that the client is given as it makes them.
def by_post(route, **options):
    return client.get_httpx_client().post(f"/v1/3x3/{route}", json=options).json()

for route, module, options in [
    ("random", random_by_post, {"distance": 31, "seed": 7}),
    ("solutions", solutions_by_post, {"board": BOARD}),
    ("effort", effort_by_post, {"board": BOARD}),
    ("heuristics", heuristics_by_post, {"board": BOARD}),
    ("stats", stats_by_post, {}),
]:
    assert callable(module.sync), route
    get = client.get_httpx_client().get(f"/v1/3x3/{route}", params=options).json()
    assert by_post(route, **options) == get, route
assert callable(search_by_post.sync) and by_post("search", board=BOARD)["length"] == 19
assert by_post("probe", board=BOARD)["distance"] == by_post("solve", board=BOARD)["distance"] == 19

# Lines of JSON, plain text, a file and the counts.
def lines(route, text, media_type):
    answer = client.get_httpx_client().post(f"/v1/3x3/{route}", content=text, headers={"content-type": media_type})
    assert answer.status_code == 200, answer.text
    return answer.text.splitlines()

NDJSON = "application/x-ndjson"
for route in ("probe", "solve"):
    good, bad = lines(route, f"{BOARD}\n123456870\n", NDJSON)
    assert '"distance":19' in good and '"code":"unsolvable"' in bad, (good, bad)
assert len(lines("verify", f'{{"board": "{BOARD}", "length": 19}}\n', NDJSON)) == 2
assert '"right":1' in lines("verify", f"{BOARD} 19\n", "text/plain")[0]
assert len(database.sync_detailed("3x3", client=client).content) > 20_000
assert b"puzzledb_requests_total" in metrics.sync_detailed(client=client).content
print("the generated client asked everything")
