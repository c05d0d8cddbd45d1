"""Scores a file of a language model's answers: JSON lines with a board and a text."""

import collections
import json
import sys
from pathlib import Path

import puzzledb

oracle = puzzledb.Oracle("123456780")
path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("answers.jsonl")
words = collections.Counter()
right = total = 0
for line in path.read_text(encoding="utf-8").splitlines():
    record = json.loads(line)
    verdict = puzzledb.judge(record["board"], record["answer"], oracle)
    print(f"{record['board']}  {verdict.distance!s:>4}  {verdict}")
    words[str(verdict).split(" at ")[0].split(" +")[0]] += 1
    total, right = total + 1, right + bool(verdict)
print(f"{right} of {total} right:", ", ".join(f"{count} {word}" for word, count in words.most_common()))
assert total > 0
