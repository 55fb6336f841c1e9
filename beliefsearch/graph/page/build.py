"""Building of the page: one HTML file that loads nothing and may run nothing but its own script."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from inspect import cleandoc
from typing import Any

from ...errors import LimitError
from ...kinds import Kind, is_stochastic, kind_of
from ...model.base import BaseProblem
from ...model.canvas.drawing import PALETTE, printable
from ...model.stochastic import AnyProblem
from ...planner.options import SearchRequest
from ...planner.solve import answer as answer_to
from ...plans.policy import PolicyGraph
from ...plans.result import Status
from ...running.alarm import known_within
from ...running.limits import Budget, Limits
from ...running.run import Run
from .answer import Told, certificate, reasons, told
from .beliefs import belief_page
from .chance import chance_page, odds_page
from .tables import MOST_NODES, packed

VERSION = 1
PAGES: Mapping[Kind, Callable[[Any, Told, Budget, int], dict[str, Any]]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), belief_page),
    Kind.STOCHASTIC: chance_page,
    Kind.POMDP: odds_page,
}
"""The function that makes the problem's parts of page data, by kind of problem."""


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
        # A POMDP is shown like a contingent problem; `odds` has the probabilities.
        "kind": (Kind.CONTINGENT if kind is Kind.POMDP else kind).value,
        "odds": None,
        "costs": is_stochastic(problem) and problem.minimizes_cost(),  # then values and rewards are written as costs
        "adversary": not is_stochastic(problem) and bool(problem.has_adversary()),
        "answer": said.page_data(),
        "certificate": certificate(problem, answer, said, budget),
        "why": list(reasons(problem, answer, budget, whole[0] if whole else None)),
        **made,
    }


def _story(problem: Any) -> tuple[str, str]:
    """The first line of the docstring of a problem's class, and its section Story."""
    while isinstance(inner := getattr(problem, "problem", None), BaseProblem):  # an adapter
        problem = inner
    lines = cleandoc(type(problem).__doc__ or "").splitlines() or [""]
    summary, story, inside = lines[0], [], False
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after and set(after) == {"-"}:
            inside = line.strip() == "Story"
        elif inside and set(line) != {"-"}:
            story.append(line)
    return summary, "\n".join(story).strip()


SCRIPTS = tuple(
    f"{name}.js"
    for name in (  # noqa: SIM905  # a list of quoted names would take a page
        "begin arrays puzzle odds plan graph graph_rules hints words unpack "  # the scripts of these two lines
        "journey own_plan game layout sketch search "  # use no document
        "elements pictures theme sprites glyphs viewport graph_paint graph_input graph_tools graph_list map "
        "scene worlds plot threads charts stepper game_panel own_panel show frame main"
    ).split()
)
"""The scripts, in the order in which they are put together."""


def page_html(data: Mapping[str, Any]) -> str:
    """The page that shows `data`."""
    folder = files(__package__)
    css = _palette() + (folder / "page.css").read_text(encoding="utf-8")
    scripts = [(folder / "scripts" / name).read_text(encoding="utf-8") for name in SCRIPTS]
    scripts.insert(0, checker_script() if data.get("certificate") else "const certificates = null;\n")
    js = '"use strict";\n(() => {\n' + "\n".join(scripts) + "})();\n"
    policy = (
        f"default-src 'none'; script-src {_hash(js)}; style-src {_hash(css)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"CSP": policy, "TITLE": printable(data["title"]), "CSS": css, "DATA": island(packed(data)), "JS": js}
    page = (folder / "page.html").read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], page)


def checker_script() -> str:
    """The script that checks certificates, in a scope of its own."""
    checker = (files("beliefsearch.verify") / "checker.js").read_text(encoding="utf-8")
    return f"const certificates = (() => {{\n{checker}\nreturn {{ check, text }};\n}})();\n"


def island(data: Mapping[str, Any]) -> str:
    """`data` as JSON in ASCII without the characters that begin or end an HTML element."""
    written = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&]", lambda match: f"\\u{ord(match[0]):04x}", written)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _palette() -> str:
    """The colours of drawings as variables of the page, in the light and in the dark."""
    light, dark = ("".join(f"--{name}:{colours[place]};" for name, colours in PALETTE.items()) for place in (0, 1))
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}\n'
        f':root[data-theme="dark"]{{{dark}}}\n'
    )


def problem_page(
    problem: AnyProblem[Any, Any], result: Any = None, *, title: str | None = None, limits: Limits | None = None
) -> str:
    """The page of a problem: one HTML file that works without a network.

    It shows the drawings of the puzzle (`svg_state`), the plan step by step with the belief at each step, and the graph
    of beliefs, or of states, and lets its reader play. Parts that would be too large are left out, with a note.

    Parameters
    ----------
    problem
        A problem of any kind. A plain one needs a start.
    result
        The result of `solve`, a closed form, a plan or a policy. By default the problem is solved first, within the
        same limits.
    title
        The name of the problem on the page; by default that of its class.
    limits
        Limits of time and memory.

    Returns
    -------
    str
        The file. It loads nothing, and its content security policy allows no script and no style but its own; names and
        drawings of an author cannot add any. The same call gives the same text.

    Raises
    ------
    LimitError
        If a limit or Ctrl-C came before the page was made.
    ProblemError
        If the problem breaks its contract, such as by a drawing that is none.
    InvalidPlanError
        If the given plan is no plan for this problem.

    Notes
    -----
    A graph has at most 20,000 nodes and 200,000 edges, a plan 2,000 steps; drawings take at most 900,000 letters, where
    shared shapes count once.

    Examples
    --------
    >>> from beliefsearch.page import problem_page
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> page = problem_page(DevilProblem(n=4), title="Four coins")
    >>> page.startswith("<!doctype html>"), "<title>Four coins</title>" in page
    (True, True)
    """
    budget = Budget(limits)
    if result is None:
        result = answer_to(problem, SearchRequest(), Run(budget))
        if getattr(result, "status", None) is Status.UNDECIDED:
            if not isinstance(getattr(result, "policy", None), PolicyGraph):
                raise LimitError(f"there is no page: {result.reason}")
            budget = Budget(limits)  # the page of the best policy so far gets as much time again
    called = title or type(problem).__name__
    return known_within(budget, "there is no page", lambda: made_page(problem, result, budget, title=called))


def made_page(problem: Any, answer: Any, budget: Budget, *, title: str, max_nodes: int | None = None) -> str:
    """`problem_page` for a given answer, within a budget; None if no plan was searched for."""
    return page_html(page_data(problem, answer, title, budget, max_nodes))
