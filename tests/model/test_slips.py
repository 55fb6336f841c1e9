"""Slips of authors: a decorator forgotten, arguments swapped, states that are compared by identity."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

import pytest
from attrs import field, frozen

from beliefsearch import BeliefProblem, ProblemError, Status, simulate, solve
from beliefsearch.errors import IdentityWarning, PluginError
from beliefsearch.hooks import PlotHook
from beliefsearch.model.checked import checked_plot_labels
from beliefsearch.model.class_lint import misspelt_methods, swapped_percepts
from beliefsearch.plugins.conformance.check import check_problem
from beliefsearch.plugins.options import make_problem, options_of

from .test_hooks import Belief, Chance, Plain


class Undecorated(Plain):
    """The class that lacks its decorator."""

    size: int = field(default=3)

    def actions(self, state: Any) -> Iterable[str]:
        return ["on"] * (self.size + 1)


class Coin(BeliefProblem[str, str, str]):
    """A coin under a cup, which a look shows."""

    def initial_states(self) -> Iterable[str]:
        return ["heads", "tails"]

    def actions(self, state: str) -> Iterable[str]:
        return ["look"]

    def results(self, state: str, action: str) -> Iterable[str]:
        return [state]

    def percepts(self, state: str, action: str) -> Iterable[str]:
        return [state]


class KnownCoin(Coin):
    """Won when the player knows the side: `is_goal` is not needed."""

    def goal_sets(self) -> Iterable[frozenset[str]]:
        return [frozenset({"heads"}), frozenset({"tails"})]


def test_a_goal_is_said_by_either_method() -> None:
    assert solve(KnownCoin()).cost == 1
    assert check_problem(KnownCoin()).passed
    assert KnownCoin().is_goal("heads")
    assert not KnownCoin().is_goal("edge")
    for ask in (lambda: solve(Coin()), lambda: simulate(Coin(), ["look"]), lambda: Coin().is_goal("heads")):
        with pytest.raises(ProblemError, match=r"Coin lacks is_goal\(state\)"):
            ask()


@pytest.mark.parametrize("wins", [lambda self, state: state is not None, lambda self, state: state == 0])
def test_a_game_that_is_over_at_the_start_is_wondered_at(wins: Any) -> None:
    report = check_problem(type("Over", (Plain,), {"is_goal": wins})())
    assert report.passed
    assert report.advice == ("the game is over at the start, before the first action: see is_goal()",)
    assert check_problem(KnownCoin()).advice == ()


def test_a_goal_test_that_returns_nothing_is_not_blamed_on_the_start() -> None:
    report = check_problem(type("Silent", (Plain,), {"is_goal": lambda self, state: None})())
    assert [violation.rule for violation in report.violations] == ["goals"]


def test_a_forgotten_decorator_is_named() -> None:
    for ask in (lambda: options_of(Undecorated), lambda: make_problem(Undecorated, {}), lambda: solve(Undecorated())):
        with pytest.raises((PluginError, ProblemError), match="did you forget @frozen above the class"):
            ask()
    (complaint, *_) = [violation.complaint for violation in check_problem(Undecorated()).violations]
    assert "did you forget @frozen above the class" in complaint
    decorated = frozen(Undecorated)
    assert [option.name for option in options_of(decorated)] == ["size"]
    assert solve(decorated()).cost == 2


class Lamp(BeliefProblem[int, str, Any]):
    """Look which of 0 and 1 it is, then name it."""

    def initial_states(self) -> Iterable[int]:
        return (0, 1)

    def actions(self, state: int) -> Iterable[str]:
        return ("look", "0", "1")

    def results(self, state: int, action: str) -> Iterable[int]:
        return (state if action == "look" else 2 if action == str(state) else 3,)

    def is_goal(self, state: int) -> bool:
        return state == 2


class Right(Lamp):
    def percepts(self, state: int, action: str) -> Iterable[Any]:
        return (state if action == "look" else None,)


class Swapped(Lamp):
    def percepts(self, action: Any, state: Any) -> Iterable[Any]:  # type: ignore[override]  # the slip itself
        return (state if action == "look" else None,)


class OtherNames(Lamp):
    def percepts(self, here: int, done: str) -> Iterable[Any]:
        return (here if done == "look" else None,)


class SwappedTypes(Lamp):
    def percepts(self, done: str, here: int) -> Iterable[Any]:  # type: ignore[override]  # the slip itself
        return (here if done == "look" else None,)


@pytest.mark.parametrize("cls", [Swapped, SwappedTypes])
def test_swapped_percepts_are_refused_instead_of_no_plan(cls: type[Lamp]) -> None:
    with pytest.raises(ProblemError, match=r"the order is percepts\(state, action\)"):
        solve(cls())
    assert any("the order is" in violation.complaint for violation in check_problem(cls()).violations)


@pytest.mark.parametrize("cls", [Right, OtherNames, Lamp])
def test_percepts_in_the_right_order_are_let_alone(cls: type[Lamp]) -> None:
    assert swapped_percepts(cls) is None
    assert solve(cls()).status is (Status.UNSOLVABLE if cls is Lamp else Status.SOLVED)


def place_class() -> type:
    """A class of states without equality, new each time, as a warning is given once for each."""

    class Place:
        def __init__(self, number: int) -> None:
            self.number = number

    return Place


def moved(self: Any, state: Any, action: str) -> Any:
    """The state itself, which is moved."""
    state.number += 1
    return state


@pytest.mark.parametrize(
    ("kind", "methods"),
    [
        (Plain, {"result": moved}),
        (Belief, {"results": lambda self, *about: [moved(self, *about)]}),
        (Belief, {"results": lambda self, *about: [moved(self, *about)], "percepts": lambda self, *about: (0,)}),
        (Chance, {"outcomes": lambda self, *about: [(1, moved(self, *about))]}),
    ],
)
def test_states_that_change_are_no_proof(kind: type, methods: dict[str, Any]) -> None:
    start = place_class()(0)
    begin = {"initial_states": lambda self: [start]} if kind is Belief else {"initial_state": lambda self: start}
    ends = {"is_terminal" if kind is Chance else "is_goal": lambda self, state: state.number >= 2}
    problem: Any = type("Moved", (kind,), {**begin, **ends, **methods})()
    with pytest.warns(IdentityWarning, match="compared by identity"), pytest.raises(ProblemError, match="changes the"):
        solve(problem)


class Kept(Plain):
    """States without equality, but each made once: a search may rely on them."""

    def __init__(self) -> None:
        cls = place_class()
        self.places = [cls(number) for number in range(4)]

    def initial_state(self) -> Any:
        return self.places[0]

    def result(self, state: Any, action: str) -> Any:
        return self.places[min(state.number + 1, 3)]

    def is_goal(self, state: Any) -> bool:
        return state is self.places[2]


def test_a_warning_is_given_once_for_each_class_and_no_more_is_made_of_it_without_need() -> None:
    problem = Kept()
    with pytest.warns(IdentityWarning, match="defines neither __eq__ nor __hash__"):
        assert solve(problem).cost == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solve(problem).cost == 2
        assert solve(Plain()).cost == 2
    assert [violation.rule for violation in check_problem(problem).violations] == ["identity"]


def test_labels_of_the_wrong_length_are_the_authors_mistake() -> None:
    methods = {"plot_position": lambda self, state: None, "plot_labels": lambda self: ("across", "up")}
    with pytest.raises(ProblemError, match="it must give three texts"):
        checked_plot_labels(type("TwoLabels", (Chance, PlotHook), methods)())


def test_a_misspelt_hook_that_changes_the_answer_is_named() -> None:
    class Misspelt(Lamp, BeliefProblem[int, str, str]):
        def percept(self, state: int, action: str) -> tuple[str, ...]:
            return (str(state),)

    with pytest.raises(ProblemError, match=r"percept\(\); it must be called percepts"):
        solve(Misspelt())


def test_a_forgotten_return_is_named() -> None:
    with pytest.raises(ProblemError, match="was a return forgotten"):
        solve(type("Forgetful", (Lamp,), {"is_goal": lambda self, state: None})())


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("heuristics", "heuristic"),
        ("format_stat", "format_state"),
        ("formatState", "format_state"),
        ("actioncost", "action_cost"),
        ("canonicals", "canonical"),
        ("predecesors", "predecessors() (of ReversibleProblem"),
    ],
)
def test_a_method_that_nothing_calls_is_taken_for_a_misspelt_one(name: str, meant: str) -> None:
    def method(self: Any, *arguments: Any) -> int:
        return 0

    for kind in (method, staticmethod(method)):
        slip = type("Slip", (Plain,), {name: kind})
        (advice,) = misspelt_methods(slip)
        assert advice.startswith(f"Slip.{name}() is called nowhere in the class; did you mean {meant}")
        assert check_problem(slip()).advice == (advice,)
    assert check_problem(slip()).passed
    caller = eval(f"lambda self, state: [self.{name}() for _ in '1']")
    called = type("Called", (Plain,), {name: method, "is_goal": caller})
    assert list(misspelt_methods(called)) == []


def test_methods_of_other_names_are_let_alone() -> None:
    for puzzle in entry_points(group="beliefsearch.problems"):
        assert list(misspelt_methods(puzzle.load())) == []
    private: dict[str, Any] = {
        "_heuristics": lambda self: 0,
        "rotate": lambda self: 0,
        "heuristic": lambda self, state: 0,
    }
    assert list(misspelt_methods(type("Fine", (Plain,), private))) == []


@pytest.mark.parametrize("name", ["percepts", "percepts_distribution", "observations"])
def test_percepts_of_a_stochastic_problem_need_their_own_name(name: str) -> None:
    looks: Any = type("Looks", (Chance,), {name: lambda self, state, action: [(1, "seen")]})
    with pytest.raises(ProblemError, match=rf"Looks has a method {name}\(\); .*percept_distribution"):
        solve(looks())
