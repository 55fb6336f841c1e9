"""The order in which a lazy search tries actions."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.solvers.path.preferred_actions import ActionOrder

ACTIONS = tuple("abcdefgh")


def test_actions_that_never_led_on_keep_the_order_of_the_author() -> None:
    in_order: ActionOrder[str] = ActionOrder()
    assert list(in_order("cab")) == ["c", "a", "b"]
    in_order.succeeded("b")
    assert list(in_order(["c", "a", "b"])) == ["b", "c", "a"]


@given(st.lists(st.sampled_from(ACTIONS)), st.lists(st.lists(st.sampled_from(ACTIONS), unique=True), max_size=5))
def test_actions_come_once_those_that_led_on_most_often_first(led_on: list[str], lists: list[list[str]]) -> None:
    in_order: ActionOrder[str] = ActionOrder()
    for action in led_on:
        in_order.succeeded(action)
    times = Counter(led_on)
    for applicable in [*lists, ACTIONS]:
        found = list(in_order(applicable))
        assert sorted(found) == sorted(applicable)
        assert [times[action] for action in found] == sorted((times[a] for a in applicable), reverse=True)
        never = [action for action in applicable if not times[action]]
        assert [action for action in found if not times[action]] == never


def test_lists_that_are_walked_by_turns_do_not_disturb_each_other() -> None:
    in_order: ActionOrder[str] = ActionOrder()
    for action in "bd":
        in_order.succeeded(action)
    first, second = in_order(("a", "b", "c")), in_order(("d", "c"))
    assert [next(first), next(second), next(first)] == ["b", "d", "a"]
    in_order.succeeded("c")  # ranks are those of the moment of the call
    assert (list(first), list(second)) == (["c"], ["c"])
