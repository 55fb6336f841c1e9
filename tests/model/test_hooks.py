"""Hooks: half of one fails when the object is made, one that is not declared is refused, and adapters hand them on."""

from __future__ import annotations

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import beliefsearch
from beliefsearch import BeliefProblem, Blindfolded, Problem, ProblemError, StochasticProblem, check_problem, solve
from beliefsearch.errors import PluginError
from beliefsearch.hooks import ArrayHook, ChanceArrayHook
from beliefsearch.model.adapters import starting_from
from beliefsearch.model.class_lint import misspelt_methods
from beliefsearch.model.hooks import HOLDS_FROM, HOOKS, hook_for, methods_of
from beliefsearch.plugins.conformance.rule import _FOUND, Broken, hook_rules, rule
from beliefsearch.plugins.options import options_of
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lights_out import LightsOutProblem


class Plain(Problem[int, str]):
    """Walk to square 2."""

    def initial_state(self) -> int:
        return 0

    def possible_starts(self) -> Iterable[int]:
        return (0, 1)

    def actions(self, state: int) -> Iterable[str]:
        return ("on",)

    def result(self, state: int, action: str) -> int:
        return min(state + 1, 2)

    def is_goal(self, state: int) -> bool:
        return state == 2


class Belief(BeliefProblem[int, str, None]):
    """The same, from either of two squares."""

    def initial_states(self) -> Iterable[int]:
        return (0, 1)

    def actions(self, state: int) -> Iterable[str]:
        return ("on",)

    def results(self, state: int, action: str) -> Iterable[int]:
        return (min(state + 1, 2),)

    def is_goal(self, state: int) -> bool:
        return state == 2


class Chance(StochasticProblem[int, str]):
    """The same by chance."""

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> Iterable[str]:
        return ("on",)

    def outcomes(self, state: int, action: str) -> Iterable[tuple[Any, int]]:
        return ((1, state + 1),)

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def utility(self, state: int) -> int:
        return 1


COMPLETE: dict[type, Any] = {Problem: Plain, BeliefProblem: Belief, StochasticProblem: Chance}
EVERY_METHOD = [(hook, kind, method) for hook, kind in HOOKS.items() for method in methods_of(hook)]


def nothing(self: Any, *_: Any) -> None:
    return None


@pytest.mark.parametrize(("hook", "kind", "missing"), EVERY_METHOD, ids=[method for *_, method in EVERY_METHOD])
def test_a_class_that_lacks_a_method_of_a_hook_cannot_be_made(hook: ABCMeta, kind: type, missing: str) -> None:
    methods = dict.fromkeys(hook.__abstractmethods__ - {missing} - set(vars(COMPLETE[kind])), nothing)
    with pytest.raises(TypeError, match=rf"abstract class Half .*\b{missing}\b"):
        type("Half", (COMPLETE[kind], hook), methods)()
    type("Whole", (COMPLETE[kind], hook), {**methods, missing: nothing})()


@pytest.mark.parametrize(("hook", "kind", "method"), EVERY_METHOD, ids=[method for *_, method in EVERY_METHOD])
def test_a_method_without_its_hook_is_refused_and_the_hook_is_named(hook: ABCMeta, kind: type, method: str) -> None:
    problem: Any = type("Old", (COMPLETE[kind],), {method: nothing})()
    told = rf"Old has a method {method}\(\), .* derive the class from {hook.__name__} as well"
    with pytest.raises(ProblemError, match=told):
        solve(problem)
    (complaint,) = [violation.complaint for violation in check_problem(problem).violations]
    assert f"from beliefsearch.hooks import {hook.__name__}" in complaint
    with pytest.raises(PluginError, match=told):
        options_of(type(problem))


def test_every_hook_is_public_and_has_a_rule() -> None:
    assert {hook.__name__ for hook in HOOKS} <= set(dir(beliefsearch.hooks))
    assert {hook for found in hook_rules() for hook in found.hooks} == set(HOOKS)


def test_a_hook_is_added_by_its_class_and_its_rule(request: pytest.FixtureRequest) -> None:
    @hook_for(BeliefProblem, lambda problem, states: True)
    class LuckHook(ABC):
        @abstractmethod
        def luck(self) -> int:
            """A number."""

    for entered in (HOOKS, HOLDS_FROM):
        request.addfinalizer(partial(entered.pop, LuckHook))
    request.addfinalizer(partial(_FOUND.pop, "lucky", None))
    undeclared: Any = type("Undeclared", (Belief,), {"luck": lambda self: 7})
    with pytest.raises(ProblemError, match=r"has a method luck\(\), .* derive the class from LuckHook as well"):
        solve(undeclared())
    misspelt: Any = type("Misspelt", (Belief,), {"lucks": lambda self: 7})
    assert list(misspelt_methods(misspelt)) == [
        "Misspelt.lucks() is called nowhere in the class; did you mean luck() (of LuckHook)?"
    ]

    @rule("lucky", "luck() is 7", LuckHook, why="Seven is lucky.")
    def check_luck(problem: Any, transitions: Any) -> None:
        if problem.luck() != 7:
            raise Broken(f"luck() is {problem.luck()} in {len(transitions)} states")

    for luck, broken in ((7, []), (8, ["luck() is 8 in 3 states"])):
        lucky: Any = type("Lucky", (Belief, LuckHook), {"luck": lambda self, luck=luck: luck})
        for problem in (lucky(), starting_from(lucky(), [0, 1])):
            report = check_problem(problem)
            assert "lucky" in report.applied
            assert [violation.complaint for violation in report.violations] == broken


def test_a_hook_of_another_kind_of_problem_is_refused() -> None:
    wrong: Any = type("Wrong", (Belief, ChanceArrayHook), {"arrays": nothing})
    with pytest.raises(ProblemError, match="Wrong is derived from ChanceArrayHook, which is for a StochasticProblem"):
        solve(wrong())


def test_a_plugin_with_half_a_hook_is_told_what_is_missing(tmp_path: Path) -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    belief = source[source.index("class Belief(") : source.index("class Chance(")].rstrip()
    half = belief.replace("None]):", "None], ArrayHook[int, str]):") + "\n\n    def all_states(self): return ()\n"
    imports = "from beliefsearch import BeliefProblem\nfrom beliefsearch.hooks import ArrayHook\n\n"
    header = f"from __future__ import annotations\n{imports}"
    (tmp_path / "half.py").write_text(header + half)
    with pytest.raises(PluginError, match=r"Belief lacks all_results \(of ArrayHook\)"):
        load_problem_class(str(tmp_path / "half.py"))


def test_a_hook_may_be_for_other_instances_only() -> None:
    class Sometimes(Belief, ArrayHook[int, str]):
        def all_states(self) -> None:
            return None

        def all_results(self, action: str) -> Any:
            raise AssertionError("never asked")

    for engine in ("bits", "compiled"):
        assert solve(Sometimes(), engine=engine).cost == 2
    report = check_problem(Sometimes())
    assert report.passed
    assert "array-hook" not in report.applied


def test_adapters_have_the_hooks_and_methods_of_their_problem() -> None:
    lights: Any = LightsOutProblem(rows=1, cols=3)
    assert {"array-hook", "backwards"} <= check_problem(lights).applied
    assert "symmetry" not in check_problem(Blindfolded(lights)).applied
    assert "array-hook" in check_problem(Blindfolded(lights)).applied
    assert "array-hook" not in check_problem(Blindfolded(Plain())).applied
    symmetric: Any = type("Symmetric", (Plain,), {"canonical": lambda self, state: state})()
    for problem, given in ((Plain(), False), (lights, False), (symmetric, True)):
        assert problem.overrides("canonical") == Blindfolded(problem).overrides("canonical") == given
    devil: Any = DevilProblem(n=3)
    begun = starting_from(devil, ["HHT"])
    assert [hook.__name__ for hook in HOOKS if isinstance(begun, hook)] == ["PotentialHook", "ArrayHook"]
    assert begun.overrides("canonical")
    assert not begun.overrides("goal_sets")
