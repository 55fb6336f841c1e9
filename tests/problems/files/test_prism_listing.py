"""Models of PRISM listed as arrays: everything as `Machine.successors` defines it, state by state."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, ProblemError, Status, solve
from beliefsearch.hooks import ChanceRows
from beliefsearch.model.reachability import components
from beliefsearch.running.limits import Budget
from beliefsearch.solvers.mdp import component_arrays
from beliefsearch.solvers.mdp.mdp_model import ChanceModel, explore
from beliefsearch_problems._prism import game, listing, tables
from beliefsearch_problems.files.prism import PrismFileProblem

from ...examples import examples

QUESTIONS = (
    "P{max}=? [ F x=2 ]",
    "P{min}=? [ y<2 U x+y=4 ]",
    "P{max}=? [ G[1,3] x!=y ]",
    "P{min}=? [ F<=2 x=2 ]",
    'P{max}=? [ F "deadlock" ]',
    'R{{"pay"}}{min}=? [ F x=2 | y=2 ]',
    'R{{"pay"}}{max}=? [ F z ]',
)
GUARDS = ("true", "x<2", "y>0 & !z", "x=y | z", "y=min(x,2)", "!z => x+y<4", "x>0 ? z : y<2")
UPDATES = {
    "m": ("true", "(x'=x+1)", "(x'=2-x)", "(x'=y)", "(x'=0) & (z'=!z)", "(z'=x>y)"),
    "n": ("true", "(y'=y+1)", "(y'=x)", "(y'=mod(x+y,3))"),
}
CHANCES = (("1",), ("1/2", "1/2"), ("0.1", "0.9"), ("1/(1+x)", "x/(1+x)"), ("y/2", "1-y/2"))


@st.composite
def commands(draw: Any, module: str) -> str:
    label = draw(st.sampled_from(("", "go", "go", "stay")))
    chances = draw(st.sampled_from(CHANCES))
    guard = draw(st.sampled_from(GUARDS))
    results = [f"{chance} : {draw(st.sampled_from(UPDATES[module]))}" for chance in chances]
    return f"[{label}] {guard} & x+1<4 & y+1<4 -> {' + '.join(results)};"


@st.composite
def models(draw: Any) -> tuple[str, str]:
    """A model and a question about it."""
    kind = draw(st.sampled_from(("mdp", "dtmc")))
    first = draw(st.lists(commands("m"), min_size=1, max_size=4))
    second = draw(st.lists(commands("n"), min_size=1, max_size=4))
    start = draw(st.sampled_from(("", "init x+y=1 & !z endinit")))
    lines = [kind, "global z : bool;", "module m x : [-1..3];", *first, "endmodule"]
    lines += ["module n y : [0..3];", *second, "endmodule", start]
    lines += ['rewards "pay" [go] x>0 : y; [] true : 1/3; z : 2; endrewards']
    text = "\n".join(lines).replace("x : [-1..3];", "x : [-1..3] init 0;" if not start else "x : [-1..3];")
    both = {"max": "", "min": ""} if kind == "dtmc" else {"max": "max", "min": "min"}
    asked = draw(st.sampled_from(QUESTIONS)).format(**both)
    way = "max" if kind == "dtmc" or "max=" in asked else "min"
    return text, f'filter({way}, {asked}, "init")' if start else asked


def take_rows(problem: Any, model: ChanceModel[Any, Any]) -> None:
    rows = problem.arrays(lambda states: None)
    assert isinstance(rows, ChanceRows)
    model.take(rows, problem.discount())


def told(problem: Any, *, by_rows: bool) -> Any:
    """Everything that is listed, in order; or the mistake that is found."""
    model: ChanceModel[Any, Any] = ChanceModel()
    try:
        if not by_rows:
            explore(problem, model, Budget())
        else:
            take_rows(problem, model)
    except ProblemError as error:
        return str(error)
    outcomes = [[{r: p for p, r in move} for move in moves] for moves in model.outcomes]
    kept = (model.states, [*map(tuple, model.actions)], [*map(tuple, model.rewards)], model.utilities, outcomes)
    return *kept, model.exact, model.generated, model.starts, model.discount


@pytest.fixture
def by_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have models of few states listed by arrays, too."""
    monkeypatch.setattr(game, "_FEW", 0)


@pytest.mark.parametrize("narrow", [0, 24])
@pytest.mark.parametrize(("kept", "joined", "word"), [(2**18, 2**14, 2**62), (0, 1, 8), (4, 9, 2**62), (3, 1, 5)])
@given(model=models())
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_are_what_is_given_state_by_state(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: tuple[str, str],
    narrow: int,
    kept: int,
    joined: int,
    word: int,
) -> None:
    monkeypatch.setattr(listing, "_NARROW", narrow)
    monkeypatch.setattr(listing, "_MOST_JOINED", joined)
    monkeypatch.setattr(tables, "_MOST_KEPT", kept)
    monkeypatch.setattr(tables, "_WORD", word)
    (tmp_path / "some.nm").write_text(model[0])

    def made() -> PrismFileProblem:
        return PrismFileProblem(tmp_path / "some.nm", property=model[1])

    try:
        made()
    except ProblemError:
        return  # such as a filter that does not fit
    one_by_one, value = told(made(), by_rows=False), None
    if not isinstance(one_by_one, str):
        value = solve(made()).value
    monkeypatch.setattr(game, "_FEW", 0)  # all by arrays
    by_rows = told(made(), by_rows=True)
    monkeypatch.setattr(game, "_FEW", 2000)
    if isinstance(by_rows, str) or isinstance(one_by_one, str):
        assert isinstance(by_rows, str)
        assert isinstance(one_by_one, str)
        return
    assert by_rows == one_by_one
    monkeypatch.setattr(game, "_FEW", 0)
    monkeypatch.setattr(component_arrays, "_MANY_STATES", 0)  # components by SciPy
    assert solve(made()).value == solve(made(), use_arrays=False).value == value
    check_order_of_components(made())
    monkeypatch.setattr(component_arrays, "_MANY_STATES", 50_000)
    monkeypatch.setattr(game, "_FEW", 2000)


def check_order_of_components(problem: PrismFileProblem) -> None:
    """Check that SciPy's components are the right ones, each after those that can be reached from it."""
    model: ChanceModel[Any, Any] = ChanceModel()
    take_rows(problem, model)
    right = [*components(len(model.states), model.successors, lambda: None)]
    found = [*component_arrays.components_in_order(model, lambda: None)]
    assert {(frozenset(part), cyclic) for part, cyclic in found} == {(frozenset(p), cyclic) for p, cyclic in right}
    place_of = {state: place for place, (part, _) in enumerate(found) for state in part}
    assert all(place_of[after] <= place_of[state] for state in place_of for after in model.successors(state))


def test_a_limit_tells_how_many_states_were_listed(tmp_path: Path) -> None:
    modules = "".join(f"module m{n} x{n}:[0..999]; [] x{n}<999 -> (x{n}'=x{n}+1); endmodule\n" for n in range(9))
    (tmp_path / "large.nm").write_text(f"mdp\n{modules}")
    problem = PrismFileProblem(tmp_path / "large.nm", property="Pmax=? [ F x0=999 & x1=999 ]")
    result = solve(problem, limits=Limits(seconds=1.5))
    assert result.status is Status.UNDECIDED
    told = re.fullmatch(r"the time limit of 1.5 s was reached after ([\d,]+) states were listed", result.reason or "")
    assert told is not None
    assert int(told[1].replace(",", "")) == result.stats.reached
    assert problem.question() is not None  # without listing anew


def test_mistakes_are_told_as_state_by_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for update, told in {
        "1/(w-30)<5 -> (w'=w+1)": r"line 3, column \d+: division by zero \(a guard of the action \(m\) in the state x=",
        "true -> (w'=w+1)": r"line 3, column \d+: w becomes 41, outside \[0..40\] \(action \(m\)#?2? in the state x=",
        "true -> w/40 : true": r"line 3, column \d+: the probabilities of this command sum to 0, not to 1 \(action",
    }.items():
        text = f"mdp module m x:[0..40]; w:[0..40];\n[] x<40 -> (x'=x+1);\n[] {update}; endmodule"
        (tmp_path / "wrong.nm").write_text(text)
        problem = PrismFileProblem(tmp_path / "wrong.nm", property="Pmax=? [ F x=40 & w=41 ]")
        with pytest.raises(ProblemError, match=told):
            solve(problem)
        with monkeypatch.context() as arrays:
            arrays.setattr(game, "_FEW", 0)
            problem = PrismFileProblem(tmp_path / "wrong.nm", property="Pmax=? [ F x=40 & w=41 ]")
            with pytest.raises(ProblemError, match=told):
                solve(problem)


def test_ranges_of_many_states_are_as_wide_as_words_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "mdp module m x:[-LIMIT..LIMIT] init 0; y:[0..LIMIT]; [] x<3 -> (x'=x+1) & (y'=LIMIT-y); endmodule"
    wide = tmp_path / "wide.nm"
    for limit in (10**18 + 1, 2**64):
        wide.write_text(text.replace("LIMIT", str(limit)))
        assert solve(PrismFileProblem(wide, property=f"Pmin=? [ F x=3 & y={limit} ]")).value == -1
    monkeypatch.setattr(game, "_FEW", 0)
    with pytest.raises(ProblemError, match=r"wide\.nm: the range of x goes beyond 1,000,000,000,000,000,000; choose a"):
        solve(PrismFileProblem(wide, property="Pmax=? [ F x=3 ]"))
    wide.write_text(text.replace("LIMIT", str(10**18)))
    assert solve(PrismFileProblem(wide, property=f"Pmin=? [ F x=3 & y={10**18} ]")).value == -1


@pytest.mark.usefixtures("by_arrays")
def test_a_command_that_another_module_blocks_is_not_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_NARROW", 0)
    text = "mdp module m x:[0..60]; done:bool; [up] true -> (x'=x+BY); [] true -> (done'=true); endmodule\n"
    text += "module n y:[0..60]; [up] x<MOST -> (y'=60); [] true -> (y'=min(y+1,60)); endmodule"
    (tmp_path / "blocked.nm").write_text(text.replace("BY", "9").replace("MOST", "52"))
    assert solve(PrismFileProblem(tmp_path / "blocked.nm", property="Pmax=? [ F x=54 & done ]")).value == 1
    (tmp_path / "blocked.nm").write_text(text.replace("BY", "9").replace("MOST", "55"))
    with pytest.raises(ProblemError, match=r"x becomes 63, outside \[0..60\] \(action up in the state x=54 "):
        solve(PrismFileProblem(tmp_path / "blocked.nm", property="Pmax=? [ F x=60 ]"))


@pytest.mark.usefixtures("by_arrays")
def test_labels_may_be_called_as_what_chance_does(tmp_path: Path) -> None:
    results = " + ".join(f"1/40 : (x'={n})" for n in range(1, 41))
    text = f"dtmc module m x:[0..40]; y:[0..1]; [] x=0 -> {results};\n"
    text += "[stay] x>0 & y=0 -> (y'=1); [go] x>0 & y=0 -> (y'=1); endmodule\n"
    (tmp_path / "named.nm").write_text(f'{text}rewards "pay" [stay] true : 2; [go] true : 4; endrewards')
    assert solve(PrismFileProblem(tmp_path / "named.nm", property='R{"pay"}=? [ F y=1 ]')).value == 3


@pytest.mark.usefixtures("by_arrays")
def test_a_model_may_have_no_variables(tmp_path: Path) -> None:
    (tmp_path / "empty.nm").write_text("dtmc module m [] true -> true; endmodule")
    for asked, value in {"P=? [ F true ]": 1, "P=? [ F false ]": 0, "P=? [ G<=3 true ]": 1}.items():
        assert solve(PrismFileProblem(tmp_path / "empty.nm", property=asked)).value == value
