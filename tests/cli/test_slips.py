"""Slips of authors, as somebody at the command line is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Run
from ..toys import method, toy


@pytest.mark.parametrize("command", ["run", "check", "describe"])
def test_the_command_line_names_a_forgotten_decorator(cli: Run, folder: Path, command: str) -> None:
    source = "from attrs import field\n" + toy("walk") + "\n    size: int = field(default=3)\n"
    (folder / "walk.py").write_text(source)
    code, out, err = cli(command, "./walk.py")
    assert (code, out) == (2, "")
    assert "Walk.size" in err
    assert "did you forget @frozen above the class?" in err
    assert "_CountingAttr" not in err


def test_the_command_line_warns_in_one_line(cli: Run, folder: Path) -> None:
    source = (
        toy("walk")
        + method("initial_state", "return PLACES[0]")
        + method("result", "return PLACES[min(PLACES.index(state) + 1, 2)]")
        + method("is_goal", "return state is PLACES[2]")
        + "\n\nclass Place:\n    pass\n\n\nPLACES = [Place() for _ in range(3)]\n"
    )
    (folder / "walk.py").write_text(source)
    code, out, err = cli("run", "./walk.py")
    assert (code, len(err.splitlines())) == (0, 1)
    assert err.startswith("beliefsearch: warning: states of Walk are compared by identity")
    assert "solved" in out
