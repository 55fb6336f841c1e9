"""Real files with a few changes each: a command ends with a code and a line, harms no file, and believes nothing false.

By default each file is changed a few times, always the same. `-m thorough --fuzz-seconds N` goes on for N seconds a
file, and never does the same twice.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from ..cli.processes import Starter
from .mutations import Change, changes, mutated
from .real_files import READERS, SAVED, STATE_OPTIONS, STATE_TEXTS, TEXTS, USERS, Saved
from .trying import run_well

# Files of problems.


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_files_of_problems(name: str, bench: Path, commands: Starter, trying: Any) -> None:
    original, ending = TEXTS[name].encode(), Path(name).suffix

    def one(what: list[Change], words: tuple[str, ...]) -> None:
        file = bench / f"changed{ending}"
        file.write_bytes(mutated(original, what))
        run_well(commands, bench, *(file.name if word.startswith("FILE") else word for word in words))

    trying(one, {"what": changes(is_json=False), "words": st.sampled_from(READERS[name])})


# Files with answers.


@pytest.mark.parametrize("name", sorted(SAVED))
def test_files_with_answers(name: str, bench: Path, real_files: Path, commands: Starter, trying: Any) -> None:
    saved, original = SAVED[name], (real_files / f"{name}.json").read_bytes()

    def one(what: list[Change], words: tuple[str, ...]) -> None:
        file = bench / "changed.json"
        file.write_bytes(mutated(original, what))
        filled: list[str] = []
        for word in words:
            filled += saved.problem if word == "PROBLEM" else ["changed.json" if word == "FILE" else word]
        done = run_well(commands, bench, *filled)
        if words[0] == "verify" and done.returncode == 0:
            assert_true(saved, json.loads(original), file, done.stdout)

    # Every other time `verify`, which has the most to decide.
    trying(one, {"what": changes(is_json=True), "words": st.one_of(st.just(USERS[0]), st.sampled_from(USERS))})


_ABOUT = ("problem", "parameters", "blindfold", "belief", "data_files")


def assert_true(saved: Saved, original: dict[str, Any], file: Path, said: str) -> None:
    """What `verify` has accepted about the same problem says nothing false.

    Costs that are floats may miss the truth by their rounding.
    """
    from beliefsearch.plans.plan_reader import PlanFile, bytes_of

    changed = json.loads(bytes_of(file))
    same = all(changed.get(key) == original.get(key) for key in _ABOUT)
    if not same or changed.get("objective", "worst") != original.get("objective", "worst"):
        return
    read = PlanFile.from_path(file)
    least, most = _wider(saved.least, -1), _wider(saved.most, 1)
    if isinstance(read.plan, dict) and read.plan.get("kind") == "winning-region":
        assert region(changed) <= region(original)
        return
    if saved.is_value:
        assert read.value is None or least_of(read.value) <= most
        assert read.lower_bound is None or read.lower_bound <= most
        assert read.upper_bound is None or read.proof is None or least <= read.upper_bound
        return
    if read.status == "unsolvable":
        assert least == math.inf
    if read.plan is not None and least == math.inf:
        assert isinstance(read.plan, dict)
        assert read.plan["cyclic"]
    elif read.plan is not None and read.cost is not None:
        assert read.cost >= least
    for bound in re.findall(r"no plan costs less than ([\d/.]+)", said):
        assert "claimed, not proved" in said or Fraction(bound) <= most
    if "there is no plan" in said:
        assert least == math.inf


def _wider(number: Fraction | float, way: int) -> Fraction | float:
    return number if number == math.inf else number + way * Fraction(1, 10**4)


def least_of(value: Any) -> Fraction | float:
    return Fraction(value) if isinstance(value, str) else float(value)


def region(document: dict[str, Any]) -> set[Any]:
    """The beliefs that a region lists, each with each action that is said to be safe there."""
    plan = document["plan"]
    states = [json.dumps(state) for state in plan["states"]]
    actions = [json.dumps(action) for action in plan["actions"]]
    return {
        (frozenset(states[number] for number in belief), actions[action])
        for belief, safe in zip(plan["beliefs"], plan["safe"], strict=True)
        for action in safe
    }


# Texts of states.


def texts(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Words such as the problem writes, and others; nothing that cannot stand on a command line."""
    odd = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=20)
    broken = st.binary(max_size=10).map(lambda data: data.replace(b"\0", b"").decode(errors="surrogateescape"))
    long = st.builds(lambda word, times: (word + " ") * times, st.sampled_from(words), st.integers(1, 2000))
    pieces = st.one_of(
        st.sampled_from((*words, " ", ",", "|", "/", "..", "-1", "9" * 5000, "\u0663")), odd, broken, long
    )
    return st.lists(pieces, max_size=6).map("".join)


@pytest.mark.parametrize("problem", STATE_TEXTS, ids=lambda problem: problem[0])
def test_texts_of_states(problem: tuple[str, ...], bench: Path, commands: Starter, trying: Any) -> None:
    def one(text: str, words: tuple[str, ...]) -> None:
        filled: list[str] = []
        for word in words:
            filled += problem if word == "PROBLEM" else [text[:100_000] if word == "TEXT" else word]
        run_well(commands, bench, *filled)

    trying(one, {"text": texts(STATE_TEXTS[problem]), "words": st.sampled_from(STATE_OPTIONS)})


def test_unchanged_files_are_accepted(bench: Path, real_files: Path, commands: Starter) -> None:
    """Otherwise nothing above would say anything."""
    for name, saved in SAVED.items():
        original = (real_files / f"{name}.json").read_bytes()
        (bench / "same.json").write_bytes(original)
        done = run_well(commands, bench, "verify", "same.json")
        assert done.returncode == 0, done.stderr
        assert_true(saved, json.loads(original), bench / "same.json", done.stdout)
    for name, text in TEXTS.items():
        (bench / f"same{Path(name).suffix}").write_text(text)
        words = READERS[name][0]
        filled = (f"same{Path(name).suffix}" if word.startswith("FILE") else word for word in words)
        assert run_well(commands, bench, *filled).returncode in (0, 1)
