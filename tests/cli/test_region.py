"""Winning almost surely on the command line: plans where chance decides, and `export --region`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from ..answers import assert_one_line, read_json, stdout, write_json
from ..conftest import Run

SENSED = ("vacuum", "--squares", "2", "--sensing", "local", "--variant", "slippery")

MODEL = """
pomdp // one door leads out; the other one into a pit; a lamp flickers, and when it is on one sees the doors
observables lit endobservables
const int DOORS;
const double often = 1/DOORS;
module hall
    way : [0..DOORS];
    out : [0..2];
    lit : bool;
    [enter] way=0 -> 1-often : (way'=1) + often : (way'=2);
    [wait] way>0 & out=0 -> often : (lit'=true) + 1-often : (lit'=false);
    [one] way>0 & out=0 -> (out'=way=1?1:2);
    [two] way>0 & out=0 -> (out'=way=2?1:2);
endmodule
observable "way" = lit ? way : 0;
label "goal" = out=1;
label "notbad" = out<2;
"""


@pytest.fixture
def model(folder: Path) -> str:
    (folder / "hall.nm").write_text(MODEL)
    return "hall.nm"


def test_a_plan_that_wins_almost_surely_is_found_saved_and_checked(cli: Run, folder: Path, model: str) -> None:
    words = (model, "--const", "DOORS=2", "--objective", "almost-sure")
    assert "solved by a cyclic plan" in stdout(cli("run", *words, "--output", "plan.json"))
    saved = read_json("plan.json")
    assert saved["problem"] == "nm"
    assert saved["objective"] == "almost-sure"
    assert saved["parameters"]["const"] == "DOORS=2"
    assert "it keeps trying" in stdout(cli("verify", "plan.json"))
    saved["plan"]["nodes"][1]["action"] = "one"
    write_json("plan.json", saved)
    assert cli("verify", "plan.json")[0] == 1
    for command in ("show", "explain"):
        assert cli(command, *words)[0] == 0


def test_where_nobody_wins_almost_surely_that_is_proved(cli: Run, folder: Path, model: str) -> None:
    dark = MODEL.replace("[wait]", "[never]").replace('observable "way" = lit', 'observable "way" = false')
    (folder / "dark.nm").write_text(dark)
    words = ("dark.nm", "--const", "DOORS=2", "--objective", "almost-sure")
    assert "no plan" in stdout(cli("run", *words, "--certificate", "proof.json"), 1)
    assert "the proof holds: there is no plan" in stdout(cli("verify", "proof.json"))


def test_options_that_may_be_repeated_are_joined(cli: Run, folder: Path) -> None:
    (folder / "two.nm").write_text(
        'mdp const int N; const bool B; module m x : [0..N]; [go] B & x<N -> (x\'=x+1); endmodule label "goal" = x=N;'
    )
    for words in (
        ("--const", "N=3", "--const", "B=true"),
        ("--const", "N=3,B=true"),
        ("--const=N=3", "--const=B=true"),
    ):
        out = stdout(cli("run", "two.nm", *words, "--objective", "almost-sure"))
        assert out.startswith("two.nm --const N=3,B=true: solved in at most 3 actions")
    assert_one_line(cli("run", "two.nm", "--const", "N=3"), "two.nm leaves B open")


def region_file(cli: Run, folder: Path, *words: str) -> dict[str, Any]:
    code, _, err = cli("export", *words, "--region", "--output", "region.json")
    assert code == 0
    assert err.splitlines()[-1].startswith("region.json: ")
    found: dict[str, Any] = read_json("region.json")
    return found


@pytest.mark.parametrize("words", [("hall.nm", "--const", "DOORS=2"), SENSED])
def test_a_region_is_written_and_checked(cli: Run, folder: Path, model: str, words: tuple[str, ...]) -> None:
    saved = region_file(cli, folder, *words)
    assert saved["version"] == 1
    assert saved["status"] == "solved"
    assert saved["objective"] == "almost-sure"
    plan = saved["plan"]
    assert plan["kind"] == "winning-region"
    lines = stdout(cli("verify", "region.json")).splitlines()
    assert f"almost surely from {len(plan['beliefs'])} beliefs; the start is one of them" in lines[0]
    assert lines[1].endswith("is claimed, not proved")
    (folder / "region.json.gz").write_bytes(gzip.compress(json.dumps(saved).encode()))
    assert cli("verify", "region.json.gz")[0] == 0
    assert region_file(cli, folder, *words, "--engine", "compiled") == saved


WRONG = [
    ("status", "unsolvable", "the start is in the region, but it says unsolvable"),
    ("cost", 3, "its field 'cost' means nothing"),
    ("lower_bound", 3, "its field 'lower_bound' means nothing"),
    ("upper_bound", 3, "its field 'upper_bound' means nothing"),
    ("value", 3, "its field 'value' means nothing"),
    ("optimal", True, "its field 'optimal' means nothing"),
    ("proof", {"kind": "exhaustion"}, "its field 'proof' means nothing"),
]


@pytest.mark.parametrize(("field", "value", "said"), WRONG, ids=[field for field, _, _ in WRONG])
def test_a_region_that_contradicts_itself_is_told(cli: Run, folder: Path, field: str, value: Any, said: str) -> None:
    saved = region_file(cli, folder, *SENSED)
    write_json("region.json", {**saved, field: value})
    assert said in stdout(cli("verify", "region.json"), 1)


def test_a_region_without_its_start_or_its_objective(cli: Run, folder: Path, model: str) -> None:
    saved = region_file(cli, folder, model, "--const", "DOORS=2")
    write_json("region.json", {**saved, "objective": "worst"})
    assert "about winning with the objective almost-sure, which it lacks" in stdout(cli("verify", "region.json"), 1)
    (folder / "dark.nm").write_text(MODEL.replace('observable "way" = lit', 'observable "way" = false'))
    saved = region_file(cli, folder, "dark.nm", "--const", "DOORS=2")
    assert saved["status"] == "unsolvable"
    assert saved["plan"]["start"] is None
    assert "the start is none of them" in stdout(cli("verify", "region.json"))


def test_a_region_as_a_graph(cli: Run, folder: Path, model: str) -> None:
    beliefs = len(region_file(cli, folder, *SENSED)["plan"]["beliefs"])
    for form in ("graphml", "gexf", "dot"):
        assert cli("export", *SENSED, "--region", "--output", f"region.{form}")[0] == 0
    graph = nx.read_graphml(folder / "region.graphml")
    assert graph.number_of_nodes() == beliefs


def test_what_does_not_go_with_a_region(cli: Run, folder: Path) -> None:
    for option in ("--no-plan", "--tree", "--all", "--max-nodes 3"):
        found = cli("export", *SENSED, "--region", "--output", "r.json", *option.split())
        assert_one_line(found, option.split()[0])
    for words in (("sliding-tiles",), ("devil", "--n", "2", "--told", "heads")):
        assert_one_line(cli("export", *words, "--region", "--output", "r.json"))
    for form in ("txt", "svg"):
        assert_one_line(cli("export", *SENSED, "--region", "--output", f"r.{form}"))
    assert not list(folder.glob("r.*"))


def test_a_limit_leaves_no_file(cli: Run, folder: Path) -> None:
    words = ("vacuum", "--squares", "9", "--sensing", "local", "--variant", "slippery")
    assert cli("export", *words, "--region", "--output", "region.json", "--time-limit", "0.1")[0] == 3
    assert not (folder / "region.json").exists()


def test_other_objectives_are_not_for_chance(cli: Run, model: str) -> None:
    assert_one_line(
        cli("run", model, "--const", "DOORS=2", "--safe-label", "notbad", "--objective", "expected"), "only almost-sure"
    )
