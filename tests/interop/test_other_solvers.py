"""Files that pomdp-py and stormpy write and read, where these are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch.tools import load_problem_class

from ..answers import stdout
from ..conftest import Run

HALL = """\
pomdp
observables lit endobservables
module hall
    exit : [0..2]; place : [0..2]; lit : bool;
    [enter] exit=0 -> 1/2 : (exit'=1) + 1/2 : (exit'=2);
    [wait] exit>0 & place=0 -> 0.5 : (lit'=true) + 0.5 : (lit'=false);
    [left] exit>0 & place=0 -> (place'=exit=1 ? 1 : 2);
    [right] exit>0 & place=0 -> (place'=exit=2 ? 1 : 2);
    [done] place>0 -> true;
endmodule
observable "shown" = lit ? exit : 0;
observable "over" = place>0;
rewards "steps" place=0 : 1; endrewards
label "goal" = place=1;
"""


def test_pomdp_py_writes_what_we_read_and_reads_what_we_write(folder: Path, cli: Run) -> None:
    pomdp_py: Any = pytest.importorskip("pomdp_py")
    conversion: Any = pytest.importorskip("pomdp_py.utils.interfaces.conversion")
    tiger: Any = pytest.importorskip("pomdp_py.problems.tiger.tiger_problem")
    sides = [tiger.TigerState(name) for name in ("tiger-left", "tiger-right")]
    belief = pomdp_py.Histogram(dict.fromkeys(sides, 0.5))
    agent = tiger.TigerProblem.create("tiger-left", 0.5, 0.15).agent
    agent.set_belief(belief)
    states, actions, _ = conversion.to_pomdp_file(agent, "tiger.pomdp", discount_factor=0.95)
    stdout(cli("export", "tiger.pomdp", "--output", "tiger.policy"))
    policy = conversion.AlphaVectorPolicy.construct("tiger.policy", states, actions, solver="sarsop")
    lower, upper = solve(load_problem_class("tiger.pomdp")(file=Path("tiger.pomdp"))).bounds
    assert float(lower) - 1e-6 <= policy.value(belief) <= float(upper)


def test_storm_writes_the_problem_that_we_read(folder: Path) -> None:
    stormpy: Any = pytest.importorskip("stormpy")
    storm_io: Any = pytest.importorskip("stormpy.io")
    (folder / "hall.nm").write_text(HALL)
    program = stormpy.parse_prism_program("hall.nm")
    model = stormpy.build_model(program, options=stormpy.BuilderOptions(build_full=True))
    storm_io.export_to_drn(model, "hall.drn")
    for options in ({}, {"costs": "steps"}):
        theirs, ours = (
            solve(load_problem_class(name)(file=Path(name), **options)).bounds for name in ("hall.drn", "hall.nm")
        )
        assert [float(bound) for bound in theirs] == pytest.approx([float(bound) for bound in ours], rel=2e-3)
