"""Page data: all that a page shows of a problem and its answer, as columns of numbers and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any

from ...kinds import Kind, is_stochastic, kind_of
from ...model.problem import BaseProblem
from ...running.limits import Budget
from .answer import Told, told
from .beliefs import belief_page
from .chance import chance_page
from .odds import odds_page
from .tables import MOST_NODES
from .why import reasons

VERSION = 1

PAGES: Mapping[Kind, Callable[[Any, Told, Budget, int], dict[str, Any]]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), belief_page),
    Kind.STOCHASTIC: chance_page,
    Kind.POMDP: odds_page,
}
"""By kind of problem: the function that makes what depends on it."""


def page_data(problem: Any, answer: Any, title: str, budget: Budget, max_nodes: int | None = None) -> dict[str, Any]:
    """All page data."""
    kind, said = kind_of(problem), told(answer, problem)
    made = PAGES[kind](problem, said, budget, MOST_NODES if max_nodes is None else min(max_nodes, MOST_NODES))
    whole = [len(graph["edges"]["from"]) for graph in made["graphs"] if graph["complete"] and graph["name"] != "plan"]
    summary, story = _story(problem)
    return {
        "version": VERSION,
        "title": title,
        "summary": summary,
        "story": story,
        # What a player may know is shown as of a contingent problem; `odds` say how likely it is.
        "kind": (Kind.CONTINGENT if kind is Kind.POMDP else kind).value,
        "odds": None,
        "adversary": not is_stochastic(problem) and bool(problem.has_adversary()),
        "answer": said.page_data(),
        "why": list(reasons(problem, answer, budget, whole[0] if whole else None)),
        **made,
    }


def _story(problem: Any) -> tuple[str, str]:
    """The first line of the docstring of a problem's class, and its section Story."""
    while isinstance(inner := getattr(problem, "problem", None), BaseProblem):  # it is seen otherwise
        problem = inner
    lines = cleandoc(type(problem).__doc__ or "").splitlines() or [""]
    summary, story, inside = lines[0], [], False
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after and set(after) == {"-"}:
            inside = line.strip() == "Story"
        elif inside and set(line) != {"-"}:
            story.append(line)
    return summary, "\n".join(story).strip()
