"""The docstrings and the README's blocks run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

from puzzledb import _oracle, _questions

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("module", [_oracle, _questions, __import__("puzzledb")])
def test_docstrings(module):
    ran = doctest.testmod(module, extraglobs={"np": np})
    assert ran.attempted > 0 and ran.failed == 0


def test_readme():
    globs: dict[str, object] = {}
    for block in BLOCKS:
        test = doctest.DocTestParser().get_doctest(block, globs, "README.md", str(README), 0)
        ran = doctest.DocTestRunner().run(test, clear_globs=False)
        globs.update(test.globs)
        assert ran.failed == 0 < ran.attempted
    assert len(BLOCKS) > 2
