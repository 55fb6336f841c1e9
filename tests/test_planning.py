"""Large searches: computed bytes are those that searches write, and the tables of the page are up to date."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
TOOL = runpy.run_path(str(DOCS / "make_planning.py"))
SIZES = [8, *(pytest.param(size, marks=pytest.mark.thorough) for size in (9, 10))]


@pytest.mark.parametrize("size", SIZES)
def test_with_a_bound_bytes_are_counted_exactly(size: int) -> None:
    took, search = TOOL["measured"](size, True)
    needs = TOOL["needs"](search)
    headers = 200 * 8 * len(search.layers)  # of the files of each layer
    for counted, measured in ((needs.found, took.found), (needs.written, took.written), (needs.most, took.most)):
        assert abs(counted - measured) < 0.02 * measured + headers


@pytest.mark.parametrize("size", SIZES)
def test_by_hash_it_is_no_more_than_is_counted(size: int) -> None:
    """Compare small searches: less is shuffled, as most successors of a piece are alike; the rest is exact."""
    took, search = TOOL["measured"](size, False)
    needs = TOOL["needs"](search)
    headers = 200 * 64 * len(search.layers)
    assert 0.3 * needs.found < took.found < needs.found + headers
    kept, counted = took.written - took.found, needs.written - needs.found
    assert abs(kept - counted) < 0.05 * counted + headers
    assert took.most < needs.most + headers


def test_what_was_measured_is_near_to_what_is_counted() -> None:
    for took in TOOL["MEASURED"]:
        search = TOOL["of_pancakes"](took.pancakes, took.bounded)
        needs = TOOL["needs"](search)
        assert search.nodes == took.nodes
        assert took.found <= needs.found
        if took.bounded or took.pancakes > 9:
            near = 0.05 if took.bounded else {10: 0.3, 11: 0.12}[took.pancakes]
            assert needs.found == pytest.approx(took.found, rel=near)
            assert needs.written == pytest.approx(took.written, rel=near)
            assert needs.most == pytest.approx(took.most, rel=near)
        if took.pancakes > 9:
            seconds = TOOL["processor_seconds"](search)
            assert seconds == pytest.approx(took.expanding + took.absorbing, rel=0.3)


def test_more_of_anything_takes_longer_or_is_as_long() -> None:
    search = TOOL["Search"]([1e6, 1e9, 1e12, 1e9], 4)
    wider = TOOL["Search"]([1e6, 1e9, 1e12, 1e9], 4, words=2)
    hours = TOOL["hours"]
    assert TOOL["needs"](search).found == 8 * 4 * search.nodes
    assert hours(search, 64, 1e9) >= hours(search, 64, 1e10) >= hours(search, 128, 1e10)
    assert hours(wider, 64, 1e9) == pytest.approx(2 * hours(search, 64, 1e9), rel=0.01)


def test_the_tables_are_up_to_date() -> None:
    written = (DOCS / "planning.md").read_text(encoding="utf-8")
    assert TOOL["with_tables"](written) == written, "run: python docs/make_planning.py"
