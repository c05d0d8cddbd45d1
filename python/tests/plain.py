"""A plain search, with strings in dicts."""

from __future__ import annotations

GOALS = ["123456780", "012345678", "123804765"]
STEPS = {"U": -3, "D": 3, "L": -1, "R": 1}
BITS = {"U": 1, "D": 2, "L": 4, "R": 8}


def neighbours(text):
    """The boards one move of the blank away."""
    blank = text.index("0")
    for move, step in STEPS.items():
        cell = blank + step
        if 0 <= cell < 9 and (abs(step) == 3 or cell // 3 == blank // 3):
            cells = list(text)
            cells[blank], cells[cell] = cells[cell], "0"
            yield move, "".join(cells)


def solvable_boards(goal):
    """The distance and the number of shortest solutions of every board, nearer ones first."""
    found = {goal: (0, 1)}
    level, distance = [goal], 0
    while level:
        distance += 1
        counts = {}
        for text in level:
            for _, other in neighbours(text):
                if other not in found:
                    counts[other] = counts.get(other, 0) + found[text][1]
        for text, count in counts.items():
            found[text] = (distance, count)
        level = list(counts)
    return found


def closer_moves(text, found):
    """The mask of the moves that lead closer."""
    return sum(BITS[move] for move, other in neighbours(text) if found[other][0] < found[text][0])
