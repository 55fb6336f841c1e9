"""`beliefsearch new`."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

import click

from ...errors import BeliefSearchError
from ...plugins.installed import installed_targets
from ...plugins.loading import module_found
from .. import SOLVED
from ..options import Choice
from ..output import check_writable, emit, is_terminal, message, write_file

# Each is a file in `templates`, and has a law below.
_KINDS = {
    "sensorless": "you perceive nothing: a plan that wins wherever you start",
    "contingent": "you perceive something: what you do depends on it",
    "observable": "you see every state, but not what an action will lead to",
    "plain": "you see every state, and know what follows: a shortest way",
    "stochastic": "what follows has probabilities: the best you can expect",
    "pomdp": "the same, and you perceive something, but not the state",
}
_DEFAULT = "sensorless"

_TESTS = '''\
"""Tests of {puzzle}; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from {stem} import {names}

SMALL = {class_name}({small})


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers({class_name})


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


{law}'''
# By kind: the options of a small instance.
_SMALL = {
    "sensorless": "squares=4",
    "contingent": "limit=5",
    "observable": "stones=6",
    "plain": "",
    "stochastic": "rolls=2",
    "pomdp": "prize=3",
}
# And a test of a law of its own.
_LAWS = {
    "sensorless": """\
@given(testing.actions(SMALL))
def test_a_step_goes_one_square_at_most(step: tuple[int, str]) -> None:
    state, action = step
    (result,) = SMALL.results(state, action)
    assert abs(result - state) <= 1
""",
    "contingent": """\
@given(testing.walks(SMALL))
def test_the_true_number_is_never_ruled_out(walk: testing.Walk[int, int, str]) -> None:
    for turn in walk.turns:
        assert turn.state in (turn.belief or ())
""",
    "observable": """\
@given(testing.walks(SMALL))
def test_nobody_falls(walk: testing.Walk[int, str, int]) -> None:
    assert all(turn.state >= 0 for turn in walk.turns)
""",
    "plain": """\
@given(testing.states(SMALL))
def test_no_jug_overflows(state: tuple[int, int]) -> None:
    small, large = state
    assert 0 <= small <= 3
    assert 0 <= large <= 5
""",
    "stochastic": """\
@given(testing.walks(SMALL))
def test_a_die_shows_one_to_six(walk: testing.Walk[Throw, str, Throw]) -> None:
    assert all(1 <= turn.state[1] <= 6 for turn in walk.turns if turn.action == "roll")
""",
    "pomdp": """\
@given(testing.walks(SMALL))
def test_tails_show_that_it_is_fair(walk: testing.Walk[str, str, str]) -> None:
    seen = [turn.state for turn in walk.turns if turn.percept == "tails"]
    assert set(seen) <= {"fair"}
""",
}


@click.command("new")
@click.argument("name")
@click.option(
    "--kind",
    type=Choice(list(_KINDS)),
    help=f"The kind of problem to start from. Asked for on a terminal; elsewhere {_DEFAULT}.",
)
@click.option("--force", is_flag=True, help="Overwrite the files if they exist.")
def command(name: str, kind: str | None, force: bool) -> int:
    """Write NAME.py, a small working plug-in with a picture, and a file of tests, into the current folder."""
    words = re.findall(r"[A-Za-z0-9]+", name.removesuffix(".py"))
    stem = "_".join(words).lower()
    _check_name(name, stem)
    if name.removesuffix(".py").replace("-", "_") != stem:
        message(f"note: {name!r} is called {stem}, since a module has such a name")
    puzzle, tests = Path(f"{stem}.py"), Path(f"test_{stem}.py")
    for path in (puzzle, tests):
        check_writable(path)
        if path.exists() and not force:
            raise BeliefSearchError(f"{str(path)!r} exists already; choose another name, or say --force")
    kind = kind or (_asked_for() if is_terminal(sys.stdin) else _DEFAULT)
    title = " ".join(words).capitalize()
    class_name = "".join(word[:1].upper() + word[1:] for word in words) + "Problem"
    text = (files("beliefsearch.cli") / "templates" / f"{kind}.py").read_text(encoding="utf-8")
    write_file(puzzle, text.replace('"""New:', f'"""{title}:').replace("NewProblem", class_name))
    names = f"{class_name}, Throw" if "Throw" in _LAWS[kind] else class_name
    parts = {"puzzle": puzzle, "stem": stem, "names": names, "small": _SMALL[kind], "law": _LAWS[kind]}
    text = _TESTS.format(class_name=class_name, **parts)
    if kind == "pomdp":  # brute force has no answer to compare with
        text = re.sub("def test_brute_force.*?(?=def test_drawings)", "", text, flags=re.DOTALL)
    write_file(tests, text)
    if installed_targets(stem.replace("_", "-")):
        message(f"note: an installed puzzle is called {stem.replace('_', '-')}, too; yours is ./{puzzle}")
    emit(f"wrote {puzzle} and {tests}; now try")
    emit(f"  beliefsearch run ./{puzzle}\n  beliefsearch play ./{puzzle}\n  beliefsearch check ./{puzzle}")
    emit(f"  python -m pytest {tests}   (pip install pytest hypothesis)")
    return SOLVED


def _check_name(name: str, stem: str) -> None:
    """Refuse what can be no module, or would hide one."""
    if keyword.iskeyword(stem) or keyword.issoftkeyword(stem):
        raise BeliefSearchError(
            f"{name!r} is a word of Python's own and cannot be the name of a module; choose another"
        )
    if not stem.isidentifier() or not re.fullmatch(r"[A-Za-z0-9_ -]+(\.py)?", name):
        raise BeliefSearchError(
            f"{name!r} cannot be the name of a module; use letters, digits and -, such as my-puzzle"
        )
    hidden = module_found(stem)
    if hidden is not None:
        raise BeliefSearchError(
            f"{name!r} cannot be the name: {stem}.py would hide the module {stem!r} of {hidden} from programs run "
            "here; choose another, such as my-puzzle"
        )


def _asked_for() -> str:
    """The kind that the user of a terminal chooses."""
    width = max(map(len, _KINDS))
    message("Which kind of problem?")
    for kind, meaning in _KINDS.items():
        message(f"  {kind:{width}}  {meaning}")
    return click.prompt("Kind", type=Choice(list(_KINDS)), default=_DEFAULT, show_choices=False, err=True)
