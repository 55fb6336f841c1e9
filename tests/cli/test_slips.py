"""Slips of authors, as somebody at the command line is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Run


@pytest.mark.parametrize("command", ["run", "check", "describe"])
def test_the_command_line_names_a_forgotten_decorator(cli: Run, folder: Path, command: str) -> None:
    source = (
        "from attrs import field\nfrom beliefsearch import Problem\n\n\nclass Walk(Problem[int, str]):\n"
        "    size: int = field(default=3)\n\n"
        "    def initial_state(self):\n        return 0\n\n"
        "    def actions(self, state):\n        return list(range(self.size))\n\n"
        "    def result(self, state, action):\n        return 1\n\n"
        "    def is_goal(self, state):\n        return True\n"
    )
    (folder / "walk.py").write_text(source)
    code, out, err = cli(command, "./walk.py")
    assert (code, out) == (2, "")
    assert "Walk.size" in err
    assert "did you forget @frozen above the class?" in err
    assert "_CountingAttr" not in err


def test_the_command_line_warns_in_one_line(cli: Run, folder: Path) -> None:
    source = (
        "from beliefsearch import Problem\n\n\nclass Place:\n    pass\n\n\nplaces = [Place() for _ in range(3)]\n\n\n"
        "class Walk(Problem[object, str]):\n"
        "    def initial_state(self):\n        return places[0]\n\n"
        "    def actions(self, state):\n        return ['on']\n\n"
        "    def result(self, state, action):\n        return places[min(places.index(state) + 1, 2)]\n\n"
        "    def is_goal(self, state):\n        return state is places[2]\n"
    )
    (folder / "walk.py").write_text(source)
    code, out, err = cli("run", "./walk.py")
    assert (code, len(err.splitlines())) == (0, 1)
    assert err.startswith("beliefsearch: warning: states of Walk are compared by identity")
    assert "solved" in out
