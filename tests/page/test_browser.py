"""The page in a real browser: the plan step by step, games, the graph, keyboard, themes and widths."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Problem
from beliefsearch.graph.page.build import problem_page
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem

from ..examples import thorough
from ..toys.made import made
from .conftest import Open
from .made_pages import made_page


@cache
def _page_of(name: str) -> str:
    """The pages of some puzzles, each made once."""
    problems: dict[str, Any] = {
        "devil": lambda: DevilProblem(n=4),
        "lost devil": lambda: DevilProblem(n=3),
        "glasses": FourGlassesProblem,
        "nine tails": lambda: NineTailsProblem(start="HHHTTTHHH"),
        "doors": MontyHallProblem,
    }
    return problem_page(problems[name](), title=name)


def _shown(page: Any, selector: str) -> str:
    text: str = page.locator(selector).inner_text()
    return text


def _open_box(page: Any, box: str, entry: str) -> None:
    """Open a list that is filled when it is opened, and wait for that: a browser reports opening a little later."""
    page.click(f"{box} summary")
    page.locator(entry).first.wait_for()


_ON_AND_ON = """times => Array.from({length: times}, () => {
    document.querySelector("#on").click();
    return document.querySelector("#worlds-head").innerText.split(" ")[0];
})"""


def test_steps_through_the_devils_plan(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    assert _shown(page, "#where") == "0 / 15"
    sizes = [_shown(page, "#worlds-head").split()[0]]
    for _ in range(3):
        page.click("#on")
        sizes.append(_shown(page, "#worlds-head").split()[0])
    sizes += page.evaluate(_ON_AND_ON, 12)  # in one go: each time that a browser is asked it draws everything anew
    assert list(map(int, sizes)) == [6, 5, 5, 4, 5, 4, 4, 3, 4, 3, 3, 2, 3, 2, 2, 1]
    assert _shown(page, "#where") == "15 / 15"
    assert "HHHH now. You saw nothing, and yet you know." in _shown(page, "#told")
    assert page.locator("#on").is_disabled()
    assert page.locator("#chart .thread").count() > 15


def test_the_page_checks_its_own_certificate(open_page: Open) -> None:
    page = _page_of("devil")
    assert _shown(open_page(page), "#answer").endswith("proved optimal · checked in your browser")
    changed = re.sub(r'(\\"kind\\":\\"lower\\".*?\\"values\\":\[)15', r"\g<1>16", page, count=1)
    assert changed != page
    assert "the page's own proof does not hold: entry 0, action" in _shown(open_page(changed), "#answer")


@pytest.mark.thorough
def test_steps_by_keys_and_as_text(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    for key, place in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", "15"), ("Home", "0")):
        page.keyboard.press(key)
        assert _shown(page, "#where") == f"{place} / 15"
    page.keyboard.press("Space")
    assert page.locator("#run").get_attribute("aria-label") == "Pause"
    page.keyboard.press("Space")
    _open_box(page, "#steps-box", "#steps li")
    assert page.locator("#steps li").count() == 16
    page.locator("#steps button").nth(7).click()
    assert _shown(page, "#where") == "7 / 15"
    assert page.locator("#steps [aria-current]").inner_text().startswith("{0, 1, 2, 3}")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"


@pytest.mark.thorough
def test_plays_nine_tails_to_its_end(open_page: Open) -> None:
    page = open_page(_page_of("nine tails"))
    page.click("#play")
    assert page.locator("#rival").count() == 0  # nobody else has a say
    for left in ("2 moves", "1 move"):
        page.click("#hint")
        assert f"with {left} it can be done" in _shown(page, "#hint-text")
        page.locator("#actions .best").first.click()
    assert "It is done, with 2 moves." in _shown(page, "#ending")
    assert "Nobody can surely do it with less." in _shown(page, "#ending")
    assert page.locator("#actions button").count() == 0
    page.click("#undo")
    assert page.locator("#actions button").count() > 0
    page.click("#again")
    assert page.locator("#where").is_hidden()


@pytest.mark.parametrize("rival", [thorough("chance"), "adversary"])
def test_plays_four_glasses_to_their_end(open_page: Open, rival: str) -> None:
    page = open_page(_page_of("glasses"))
    page.click("#play")
    page.select_option("#rival", rival)
    moves = 0
    while not _shown(page, "#ending"):
        page.click("#hint")
        assert "Best is" in _shown(page, "#hint-text")
        page.locator("#actions .best").first.click()
        assert "You perceive" in _shown(page, "#told")
        moves += 1
        assert moves <= 10
    assert "It is done" in _shown(page, "#ending")
    assert "with a cost of" in _shown(page, "#ending")
    assert rival == "chance" or "with a cost of 5." in _shown(page, "#ending")


@pytest.mark.thorough
def test_a_game_may_hide_the_belief_and_show_the_truth(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    page.click("#play")
    assert page.locator("#worlds").is_visible()
    page.click("#veil")
    assert page.locator("#worlds").is_hidden()
    assert "hidden" in _shown(page, "#told")
    page.click("#veil")
    page.click("#peek")
    assert re.match(r"What it really is: [HT]{4}$", page.locator("#picture").get_attribute("aria-label"))
    page.locator("#actions button").first.click()
    assert "1 move made" in _shown(page, "#count")
    page.click("#veil")
    assert page.locator("#worlds").is_hidden()


def test_a_game_of_chance_is_played_with_its_policy(open_page: Open) -> None:
    page = open_page(_page_of("doors"))
    assert "2/3" in _shown(page, "#told")
    page.click("#on")
    assert page.locator("#branches button").count() == 2
    page.click("#play")
    for _ in range(2):
        page.click("#hint")
        assert "The best policy plays" in _shown(page, "#hint-text")
        page.locator("#actions .best").click()
    assert "The game is over. At the start it was worth 2/3." in _shown(page, "#ending")


@pytest.mark.thorough
def test_another_percept_leads_elsewhere(open_page: Open) -> None:
    page = open_page(_page_of("glasses"))
    page.click("#on")
    taken = page.locator("#branches [aria-pressed=true]").inner_text()
    other = page.locator("#branches [aria-pressed=false]").first
    name = other.inner_text()
    other.click()
    assert page.locator("#branches [aria-pressed=true]").inner_text() == name != taken
    assert f"You perceive {name}" in _shown(page, "#told")


def test_where_there_is_no_plan_the_page_says_why(open_page: Open) -> None:
    page = open_page(_page_of("lost devil"))
    assert _shown(page, "#move") == "There is no plan"
    assert page.locator("#why").is_visible()
    assert page.locator("#stepper").is_hidden()
    page.click("#play")
    page.click("#hint")
    assert "no way to win for sure" in _shown(page, "#hint-text")


def test_somebody_writes_a_plan_and_sees_where_it_fails(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    page.click("#own-box summary")
    page.fill("#own-plan", "{0, 1, 2, 3}; 02; 0,1,2,3")
    page.click("#own-try")
    assert _shown(page, "#where") == "3 / 3"
    assert _shown(page, "#own-said").endswith("It may fail from 3 of 6 starts: HHHT, HHTT or HTTT.")
    assert "The greener, the nearer a win." in _shown(page, "#legend")
    page.fill("#own-plan", "{0, 7}")
    page.press("#own-plan", "Enter")
    assert _shown(page, "#own-said") == "Step 1: “{0, 7}” is no action here."
    page.click("#home")
    assert _shown(page, "#where") == "0 / 15"
    assert open_page(_page_of("glasses")).locator("#own-box").is_hidden()
    assert "Red: no way to win for sure." in _shown(open_page(_page_of("lost devil")), "#legend")


@pytest.mark.thorough
def test_theme_follows_the_system_until_it_is_chosen(open_page: Open) -> None:
    page = open_page(_page_of("devil"), theme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    assert dark != light
    page.click("#theme")
    assert page.evaluate(background) == dark
    page.click("#theme")
    assert page.evaluate(background) == light
    page.emulate_media(media="print")
    assert page.locator("#stepper").is_hidden()


@pytest.mark.thorough
def test_search_goes_from_one_to_the_next(open_page: Open) -> None:
    page = open_page(_page_of("nine tails"))
    page.fill("#find", "TTTTTTTTT")
    assert _shown(page, "#found") == "1 of 1 found"
    page.fill("#find", "HHHHH")
    page.press("#find", "Enter")
    assert re.fullmatch(r"2 of \d+ found", _shown(page, "#found"))
    page.fill("#find", "no such thing")
    assert _shown(page, "#found") == "none found"
    page.press("#find", "Escape")
    assert _shown(page, "#found") == ""


@pytest.mark.thorough
def test_filters_hide_nodes(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    page.click("#filter")
    page.check("#planned")
    assert _shown(page, "#filter") == "Filter: 16"
    page.fill("#layer-from", "10")
    assert _shown(page, "#filter") == "Filter: 6"
    page.fill("#size-to", "2")
    assert _shown(page, "#filter") == "Filter: 4"
    page.click("#unfilter")
    assert _shown(page, "#filter") == "Filter"


@pytest.mark.thorough
def test_the_list_goes_where_a_click_goes(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    _open_box(page, "#nodes-box", "#nodes button")
    for _ in range(7):
        page.click("#layer-on")
    assert _shown(page, "#layer-head") == "Layer 7: 3 nodes"
    buttons = page.locator("#nodes button")
    planned = next(i for i in range(3) if "8 moves to go" in buttons.nth(i).inner_text())
    buttons.nth(planned).press("Enter")
    assert _shown(page, "#where").startswith("7 /")
    off = next(i for i in range(3) if "8 moves to go" not in buttons.nth(i).inner_text())
    buttons.nth(off).click()
    assert _shown(page, "#where").startswith("7 /")
    assert page.locator("#home").is_visible()
    page.click("#home")
    assert _shown(page, "#where") == "0 / 15"


@pytest.mark.thorough
def test_the_canvas_tells_what_is_under_the_mouse(open_page: Open) -> None:
    page = open_page(_page_of("devil"))
    box = page.locator("#canvas").bounding_box()
    x, y = _find_node(page, box)
    assert "state" in _shown(page, "#tip")
    page.mouse.click(x, y)
    assert not _shown(page, "#where").startswith("0 /")
    page.mouse.wheel(0, -300)
    page.click("#fit")
    page.locator("#canvas").press("+")
    page.locator("#canvas").press("Shift+ArrowDown")
    page.locator("#canvas").press("0")


def _find_node(page: Any, box: dict[str, float]) -> tuple[float, float]:
    """A place low in the canvas where there is a node."""
    for down in range(80, 20, -1):
        x, y = box["x"] + box["width"] * 0.55, box["y"] + box["height"] * down / 100
        for left in range(8):
            page.mouse.move(x - 12 * left, y)
            if page.locator("#tip").is_visible():
                return x - 12 * left, y
    raise AssertionError("no node was found")


@pytest.mark.parametrize("name", ["devil", *map(thorough, ("glasses", "nine tails", "doors", "lost devil"))])
def test_a_narrow_page_is_not_scrolled_sideways(open_page: Open, name: str) -> None:
    page = open_page(_page_of(name), width=400, theme="dark")
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) == 400
    page.keyboard.press("ArrowRight")
    page.click("#play")
    page.locator("#actions button").first.click()
    assert page.evaluate(width) == 400


HOSTILE = "<script>document.title='taken'</script>"
LONG = "a very long name " * 30


_HOSTILE = made(
    BeliefProblem,
    __doc__="A puzzle <b>whose</b> texts look like a page.",
    initial_states=[HOSTILE, LONG, "</svg>&lt;"],
    actions=["<img src=x onerror=alert(1)>", "unbroken" * 60],
    results=lambda state, action: [LONG] if state == HOSTILE or "img" in action else [HOSTILE, LONG],
    is_goal=lambda state: state == LONG,
)


def test_texts_are_texts_whatever_they_look_like(open_page: Open) -> None:
    page = open_page(problem_page(_HOSTILE, title="<i>hostile</i>"), width=400)
    assert page.title() == "<i>hostile</i>"
    assert "<script>document" in _shown(page, "#worlds")
    assert page.locator("script").count() == 2
    assert page.locator("main i, main b script, main img").count() == 0
    page.click("#play")
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.locator("#actions button").first.click()
    assert "It is done" in _shown(page, "#ending")
    assert page.title() == "<i>hostile</i>"


# Won before it begins.
_DONE = made(Problem, initial_state=0, actions=[], result=lambda state, _: state, is_goal=True)


@pytest.mark.thorough
@pytest.mark.parametrize("width", [400, 1280])
def test_a_problem_of_one_state_has_a_page(open_page: Open, width: int) -> None:
    page = open_page(problem_page(_DONE, title="done"), width=width)
    assert page.locator("#stepper").is_hidden()
    page.click("#play")
    assert "It is done, with 0 moves." in _shown(page, "#ending")


@pytest.mark.parametrize("missing", ["graphs", *map(thorough, ("moves", "plan", "drawings", "beliefs"))])
def test_a_page_does_without_what_is_missing(open_page: Open, missing: str) -> None:
    page = open_page(made_page(nodes=60, without=missing))
    assert page.locator("#map").is_hidden() == (missing in ("graphs", "beliefs"))
    assert page.locator("#play").is_disabled() == (missing in ("moves", "beliefs"))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


@pytest.mark.thorough
def test_many_actions_are_searched_for(open_page: Open) -> None:
    page = open_page(made_page(nodes=60, actions=1296))
    page.click("#play")
    assert page.locator("#actions button").count() == 30
    page.fill("#find-action", "action 1234")
    assert page.locator("#actions button").count() == 1
    page.press("#find-action", "Enter")
    assert _shown(page, "#count") == "1 move made"


@pytest.mark.thorough
def test_a_plan_of_many_steps_is_shown(open_page: Open) -> None:
    page = open_page(made_page(nodes=2000, layers=2000))
    assert _shown(page, "#where") == "0 / 1,999"
    page.keyboard.press("End")
    assert _shown(page, "#where") == "1,999 / 1,999"
    assert page.locator("#chart .cursor").count() == 1


@pytest.mark.parametrize(("nodes", "most"), [(3_000, 2_000), thorough(20_000, 8_000)])
def test_large_graphs_are_ready_soon(open_page: Open, nodes: int, most: int, record_property: Any) -> None:
    """Loosely: 3,000 nodes take some 100 ms of script on an idle machine."""
    page = open_page(made_page(nodes=nodes, layers=40))
    ready = page.evaluate("performance.getEntriesByName('ready')[0].duration")
    record_property("ready_ms", round(ready))
    print(f"{nodes:,} nodes: ready after {ready:.0f} ms of script")
    assert ready < most


@pytest.mark.thorough
def test_what_is_told_is_spoken_and_everything_has_a_name(open_page: Open) -> None:
    page = open_page(_page_of("glasses"))
    page.click("#play")
    nameless = page.evaluate(
        """[...document.querySelectorAll("button, input, select, canvas, main > section, svg[role]")]
        .filter((element) => element.checkVisibility() && !element.ariaLabel && !element.innerText
          && !(element.labels && element.labels.length)).map((element) => element.outerHTML)"""
    )
    assert json.dumps(nameless) == "[]"
    assert page.locator("#told").get_attribute("aria-live") == "polite"


def test_a_partially_observable_game_shows_odds_rewards_and_the_likely_run(open_page: Open) -> None:
    tab = open_page(problem_page(TigerProblem(), title="tiger"))
    tab.click("#on")
    assert "mean reward so far -1" in tab.inner_text("#count")
    assert (
        "You perceive growl left, which had a probability of 50.0%. The likeliest state is tiger left, with 85.0%."
        in (tab.inner_text("#told"))
    )
    tab.click("#on")
    assert "growl left (74.5%)" in tab.inner_text("#branches")
    assert "how likely the likeliest state is" in tab.inner_text("#chart-head")
    tab.click("#play")
    tab.click("#hint")
    assert tab.inner_text("#hint-text") == "The policy plays listen."
    assert tab.query_selector("#rival") is None
    assert "Red" not in tab.inner_text("#legend"), "where chance decides nothing is sure"
