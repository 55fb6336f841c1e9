"""`beliefsearch new`."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

import click

from ...errors import BeliefSearchError
from ...plugins.loading import module_found
from .. import SOLVED
from ..output import check_writable, emit, write_file

__all__ = ["command"]

_SENSORLESS = '''\
"""$title: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem


@frozen
class $class_name(BeliefProblem[int, str, None]):
    """Reach the last square of a corridor in the dark.

    You stand somewhere in a corridor of N squares, blindfolded. A step that a wall stops leaves you where
    you are. Which steps lead to the last square, wherever you start? (Replace this by your own story,
    model, source and known answers.)
    """

    squares: int = field(default=5, validator=ge(1), metadata={"help": "squares in the corridor"})

    def initial_states(self):
        """Every state that may be the true one at the start."""
        return range(self.squares)

    def actions(self, state):
        """What may be done in a state, in a fixed order."""
        return ("left", "right")

    def results(self, state, action):
        """Every state that may follow: here always one."""
        step = 1 if action == "right" else -1
        return [min(max(state + step, 0), self.squares - 1)]

    def is_goal(self, state):
        """Whether the player has won."""
        return state == self.squares - 1
'''

_PLAIN = '''\
"""$title: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Problem


@frozen
class $class_name(Problem[tuple[int, int], str]):
    """Measure an amount of water with two jugs.

    One jug holds 3 litres, the other 5; a tap and a drain are at hand. Get the amount asked for into one
    of them. (Replace this by your own story, model, source and known answers.)
    """

    litres: int = field(default=4, validator=ge(0), metadata={"help": "the amount to measure"})

    def initial_state(self):
        """Where the search begins: both jugs empty."""
        return (0, 0)

    def actions(self, state):
        """What may be done in a state, in a fixed order."""
        return ("fill 3", "fill 5", "empty 3", "empty 5", "pour 3 into 5", "pour 5 into 3")

    def result(self, state, action):
        """The state that follows."""
        small, large = state
        if action.startswith("fill"):
            return (3, large) if action == "fill 3" else (small, 5)
        if action.startswith("empty"):
            return (0, large) if action == "empty 3" else (small, 0)
        poured = min(small, 5 - large) if action == "pour 3 into 5" else -min(large, 3 - small)
        return (small - poured, large + poured)

    def is_goal(self, state):
        """Whether the player has won."""
        return self.litres in state
'''


@click.command("new")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(["sensorless", "plain"]),
    default="sensorless",
    show_default=True,
    help="What to start from.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def command(name: str, kind: str, force: bool) -> int:
    """Write NAME.py, a small working plug-in, into the current folder."""
    words = re.findall(r"[A-Za-z0-9]+", name.removesuffix(".py"))
    stem = "_".join(words).lower()
    if keyword.iskeyword(stem) or keyword.issoftkeyword(stem):
        raise BeliefSearchError(
            f"{name!r} is a word of Python's own and cannot be the name of a module; choose another"
        )
    if not stem.isidentifier() or not re.fullmatch(r"[A-Za-z0-9_ -]+(\.py)?", name):
        raise BeliefSearchError(
            f"{name!r} cannot be the name of a module; use letters, digits and -, such as my-puzzle"
        )
    path = Path(f"{stem}.py")
    hidden = module_found(stem)
    if hidden is not None:
        raise BeliefSearchError(
            f"{name!r} cannot be the name: {path} would hide the module {stem!r} of {hidden} from programs run here; "
            "choose another, such as my-puzzle"
        )
    check_writable(path)
    if path.exists() and not force:
        raise BeliefSearchError(f"{str(path)!r} exists already; choose another name, or say --force")
    class_name = "".join(word[:1].upper() + word[1:] for word in words) + "Problem"
    template = Template(_SENSORLESS if kind == "sensorless" else _PLAIN)
    write_file(path, template.substitute(title=" ".join(words).capitalize(), class_name=class_name))
    emit(f"wrote {path}; now try\n  beliefsearch run ./{path}\n  beliefsearch check ./{path}")
    return SOLVED
