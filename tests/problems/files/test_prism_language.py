"""The language of PRISM: expressions, modules joined by labels, renamed modules; and every mistake with its place."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import ProblemError
from beliefsearch_problems._prism.machine import Machine
from beliefsearch_problems._prism.parser import read_model
from beliefsearch_problems._source import Source


def machine(text: str, **constants: Any) -> Machine:
    source = Source(Path("some.nm"), text)
    return Machine(source, read_model(source), constants)


def value(expression: str, declarations: str = "") -> Any:
    """The value of an expression where x is 3, y is -2 and yes is true."""
    text = f"""
        mdp
        {declarations}
        module m
            x : [-9..9] init 3;
            y : [-9..9] init -2;
            yes : bool init true;
        endmodule
        formula asked = {expression};
    """
    made = machine(text)
    source = Source(Path("some.nm"), text)
    (state,) = made.starts()
    return made.names.compiled(read_model(source).formulas["asked"]).run(state)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 - 2 - 3", -4),
        ("8 / 4 / 2", 1),
        ("2 + 3 * x", 11),
        ("-x * -y", -6),
        ("- - x", 3),
        ("x - -y", 1),
        ("1/3 + 1/6", Fraction(1, 2)),
        ("0.1 + 0.2 = 0.3", True),
        ("1 - 0.9", Fraction(1, 10)),
        ("2.5e-1", Fraction(1, 4)),
        (".5 * 4", 2),
        ("!x = 4", True),  # it binds less than =
        ("!yes | yes", True),
        ("yes & x > 2 & y < 0", True),
        ("x > 2 | 1/(x-3) > 0", True),  # the second is not asked for
        ("x = 3 & (yes => y = 0)", False),
        ("false => false => false", False),  # from the left
        ("false => (false => false)", True),
        ("yes <=> x = 4", False),
        ("yes = (x = 3)", True),
        ("yes != true", False),
        ("x = 4 ? 1 : x = 3 ? 2 : 3", 2),
        ("(x = 3 ? y : 7) + 1", -1),
        ("min(x, y, 1)", -2),
        ("max(x, y, 1, 4.5)", Fraction(9, 2)),
        ("func(max, x, y)", 3),
        ("floor(7/2) + ceil(7/2)", 7),
        ("floor(-0.5)", -1),
        ("round(2.5)", 3),
        ("round(-2.5)", -2),
        ("pow(2, 10)", 1024),
        ("pow(2, -2)", Fraction(1, 4)),
        ("pow(0.5, 3)", Fraction(1, 8)),
        ("pow(4, 0.5)", 2),
        ("mod(7, 3)", 1),
        ("mod(y, 3)", 1),  # never negative
        ("log(8, 2)", 3),
        ("log(0.25, 0.5)", 2),
        ("x >= 3 & x <= 3 & x != 4", True),
    ],
)
def test_expressions(expression: str, expected: Any) -> None:
    assert value(expression) == expected


def test_what_is_no_fraction_is_a_float() -> None:
    assert value("log(3, 2)") == pytest.approx(math.log2(3))
    assert value("pow(2, 0.5)") == pytest.approx(math.sqrt(2))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> tuple[str, str]:
    """An expression that is a number, and the same in Python."""
    if depth == 0:
        return draw(st.sampled_from([("x", "3"), ("y", "(-2)"), ("2", "2"), ("0.5", "Fraction(1, 2)"), ("7", "7")]))
    parts = expressions(depth - 1)
    (a, b), (c, d) = draw(parts), draw(parts)
    operator = draw(st.sampled_from(["+", "-", "*", "min", "max", "?:", "neg", "bracket"]))
    if operator in ("min", "max"):
        return f"{operator}({a}, {c})", f"{operator}({b}, {d})"
    if operator == "?:":
        return f"({a} < {c} ? {a} : {c} + 1)", f"({b} if ({b}) < ({d}) else ({d}) + 1)"
    if operator == "neg":
        return f"(-({a}))", f"(-({b}))"
    if operator == "bracket":
        return f"({a})", f"({b})"
    return f"{a} {operator} {c}", f"{b} {operator} {d}"


@given(expressions())
def test_expressions_are_those_of_python_where_both_have_them(pair: tuple[str, str]) -> None:
    ours, python = pair
    assert value(ours) == eval(python, {"Fraction": Fraction, "min": min, "max": max})


def test_logarithms_of_numbers_that_no_float_holds() -> None:
    assert value("log(pow(10, 390), 10)") == 390
    assert value("log(1/pow(10, 390), 10)") == -390
    assert value("log(1/pow(10, 390), 3)") == pytest.approx(-390 / math.log10(3))


def test_a_sum_that_no_float_holds_is_a_mistake_with_its_place() -> None:
    with pytest.raises(ProblemError, match=r"some.nm, line 9, column \d+: int too large") as raised:
        value("pow(10, 390) + log(10, 3) * x")
    assert "\n" not in str(raised.value)


def test_numbers_that_are_long_are_cut_in_complaints() -> None:
    text = "mdp module m x : [0..9] init 3; [a] true -> (x'=pow(10, 390)); endmodule"
    made = machine(text)
    with pytest.raises(ProblemError, match=r"x becomes 10{39}\.\.\., outside \[0\.\.9\]"):
        made.successors((3,))
    with pytest.raises(ProblemError, match=r"sum to 10{38}1\.\.\., not to 1|sum to 10{39}\.\.\., not to 1"):
        machine(text.replace("(x'=", "1 : (x'=0) + pow(10, 390) : (x'="))


def test_probabilities_that_cannot_be_added_are_a_mistake_with_its_place() -> None:
    text = "mdp module m x : [0..9] init 3; [a] true -> log(10, 3) : (x'=0) + pow(10, 390) : (x'=1); endmodule"
    with pytest.raises(ProblemError, match=r"some.nm, line 1, column \d+: int too large"):
        machine(text)


def test_formulas_are_worked_out_where_they_are_used() -> None:
    declarations = "const int K = L + 1; const int L = 2; formula twice = 2 * once; formula once = x + K;"
    assert value("twice", declarations) == 12


def test_long_chains_are_no_deep_nesting() -> None:
    assert value(" + ".join(["x"] * 1200)) == 3600
    assert value(" | ".join(["x = 4"] * 1200)) is False
    assert value("".join(f"x = {n} ? {n} : " for n in range(4, 1200)) + "5") == 5


SWITCH = """
    mdp // two switches, one the copy of the other, and a lamp that sees both
    const double p;
    module left
        a : bool;
        [flip] !a -> p : (a'=true) + 1-p : true;
        [both] a -> (a'=false);
    endmodule
    module right = left [a=b, flip=flop] endmodule
    module lamp
        lit : [0..2];
        [both] lit < 2 -> 0.5 : (lit'=lit+1) + 0.5 : (lit'=2);
        [] lit = 2 -> (lit'=0);
        [] lit = 2 -> (lit'=1);
    endmodule
"""


def test_modules_with_a_label_in_common_act_together() -> None:
    made = machine(SWITCH, p=Fraction(1, 4))
    assert list(made.starts()) == [(False, False, 0)]
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert made.successors((False, False, 0)) == {
        "flip": ((quarter, (True, False, 0)), (3 * quarter, (False, False, 0))),
        "flop": ((quarter, (False, True, 0)), (3 * quarter, (False, False, 0))),
    }
    assert made.successors((True, True, 0)) == {"both": ((half, (False, False, 1)), (half, (False, False, 2)))}
    assert made.successors((True, True, 1)) == {"both": ((1, (False, False, 2)),)}


def test_several_choices_of_one_action_are_several_actions() -> None:
    assert machine(SWITCH, p=0).successors((True, True, 2)) == {
        "(lamp)": ((1, (True, True, 0)),),
        "(lamp)#2": ((1, (True, True, 1)),),
    }
    text = """mdp
    module one x : [0..3]; [go] true -> (x'=1); [go] true -> (x'=2); endmodule
    module two y : [0..3]; [go] true -> (y'=1); [go] y = 0 -> (y'=2); endmodule"""
    outcomes = {action: pairs[0][1] for action, pairs in machine(text).successors((0, 0)).items()}
    assert outcomes == {"go": (1, 1), "go#2": (1, 2), "go#3": (2, 1), "go#4": (2, 2)}
    assert list(machine(text).successors((0, 3))) == ["go", "go#2"]


def test_a_dtmc_takes_each_choice_with_the_same_probability() -> None:
    text = "dtmc module m x : [0..2]; [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); [b] x=0 -> (x'=2); endmodule"
    assert machine(text).successors((0,)) == {"step": ((Fraction(1, 4), (1,)), (Fraction(3, 4), (2,)))}


def test_the_contents_of_a_formula_are_renamed_and_not_its_name() -> None:
    text = """mdp
    formula high = x > 1;
    module one x : [0..3] init 2; [up] high -> (x'=3); endmodule
    module two = one [x=y, up=raise] endmodule
    module three = two [y=z, raise=lift] endmodule"""
    made = machine(text)
    assert list(made.successors((0, 2, 0))) == ["raise"]
    assert list(made.successors((0, 0, 2))) == ["lift"]


def test_initial_states_by_a_condition() -> None:
    text = "mdp global b : bool; module m x : [0..4]; [go] true -> (b'=x>1); endmodule init x > 2 & !b endinit"
    made = machine(text)
    assert list(made.starts()) == [(False, 3), (False, 4)]
    assert made.successors((False, 3)) == {"go": ((1, (True, 3)),)}


def test_initial_states_of_many_variables_and_of_huge_ranges() -> None:
    many = "".join(f"v{number} : [0..0]; " for number in range(1200))
    made = machine(f"mdp module m {many} x : [0..2]; y : bool; endmodule init x > 0 & !y endinit")
    assert [state[1200:] for state in made.starts()] == [(1, False), (2, False)]
    made = machine(f"mdp module m x : [-1..{10**30}]; y : bool; endmodule init y endinit")
    assert [*islice(made.starts(), 3)] == [(-1, True), (0, True), (1, True)]


def module(commands: str, variables: str = "x : [0..3];") -> str:
    return f"mdp\nmodule m\n{variables}\n{commands}\nendmodule\n"


MISTAKES = {
    "nothing is called 'z'": module("[go] z=1 -> true;"),
    "line 4, column 6": module("[go] z=1 -> true;"),
    "should stand here": module("[go] x -> true;"),
    "'$' has no meaning here": module("[go] $x -> true;"),
    "'->' should come here": module("[go] x=1 => true;"),
    "there is no variable 'z'": module("[go] true -> (z'=1);"),
    "x is set twice": module("[go] true -> (x'=1) & (x'=2);"),
    "needs a probability": module("[go] true -> (x'=1) + 0.5 : (x'=2);"),
    "sum to 3/4, not to 1": module("[go] true -> 0.25:(x'=1) + 0.5:(x'=2);"),
    "the probability is -1/2, which is negative": module("[go] true -> -0.5:(x'=1) + 1.5:(x'=2);"),
    "a whole number should stand here, not a double; use floor or ceil": module("[go] true -> (x'=x/2);"),
    "a whole number should stand here, not true or false": module("[go] true -> (x'=true);"),
    "& is for what is true or false": module("[go] x & true -> true;"),
    "+ is for numbers here": module("[go] true + 1 = 2 -> true;"),
    "mod is for whole numbers": module("[go] mod(x, 2.5) = 0 -> true;"),
    "the values of ? and :": module("[go] (x=1 ? 2 : true) = 2 -> true;"),
    "what stands before ?": module("[go] (1 ? 2 : 3) = 2 -> true;"),
    "an expression should come here, not ')'": module("[go] min() = 1 -> true;"),
    "a word of the language": "const int module;",
    "'endmodule' should come here, not 'label'": module("").removesuffix("endmodule\n") + 'label "goal" = true;',
    "pow takes 2, not 1 arguments": module("[go] pow(2) = 1 -> true;"),
    "there is no function 'sin'": module("[go] func(sin, 1) = 1 -> true;"),
    "x begins as 7, outside [0..3]": module("", "x : [0..3] init 7;"),
    "the range [3..0] of x is empty": module("", "x : [3..0];"),
    "x has no bounds": module("", "x : int;"),
    "clocks and invariants are not read": module("", "invariant true endinvariant"),
    "'x' stands for something else already": module("") + "\nmodule k x : bool; endmodule",
    "there are two modules called 'm'": module("") + module("").removeprefix("mdp"),
    "there are two labels called 'goal'": module("") + 'label "goal" = true; label "goal" = true;',
    "there are two formulas called 'f'": module("") + "formula f = 1; formula f = 1;",
    "stands for a constant and for a formula": module("") + "const f = 1; formula f = 1;",
    "'g' is defined by itself": module("") + "formula f = g + 1; formula g = f + 1;",
    "'K' is defined by itself": module("") + "const int K = L; const int L = K;",
    "there is no module 'k'": "mdp module b = k [x=y] endmodule",
    "there are two new names for what is called 'x'": module("") + "module b = m [x=y, x=z] endmodule",
    "x is a variable of another module": module("") + "module k [go] true -> (x'=1); endmodule",
    "two modules set b at the same time": "global b : bool;"
    + module("[go] true -> (b'=true);")
    + "module k [go] true -> (b'=true); endmodule",
    "the type of the model was given before": "mdp dtmc",
    "models of the type ctmc are not read": "ctmc",
    "games of several players are not read": "mdp player one endplayer",
    "composed by `system` are not read": module("") + "system m endsystem",
    "the file has no module": "mdp",
    "'go\\x1b[31m' is no name: it cannot be printed": module("") + 'label "go\x1b[31m" = true;',
    "a declaration, such as a module": "mdp 7",
    "the end of the file": "mdp module m",
    "the initial states were given before": module("") + "init true endinit init true endinit",
    "line 1, column 28: division by zero": "mdp const double K = 1 + 1 / 0; module m x : bool; endmodule",
    "mod by 0": "const int K = mod(1, 0);" + module(""),
    "there is no logarithm of 0": "const double K = log(0, 2);" + module(""),
    "a power becomes too large": "const int K = pow(10, 100000000);" + module(""),
    "a root of a negative number": "const double K = pow(-1, 0.5);" + module(""),
    "out of measure": "const double K = 1e999999;",
    "too many digits": "const double K = " + "1" * 500 + ";",
    "a number becomes too large": "const int K = pow(2, 3000); const int L = K * K; const int M = L * L;" + module(""),
    "expressions are nested more than": module("[go] " + "(" * 5000 + "x=1" + ")" * 5000 + " -> true;"),
    "are nested more than 90": module("[go] " + "!" * 5000 + "true -> true;"),
    "are nested more than 200": module("")
    + "".join(f"formula f{n} = f{n - 1} + 1;" for n in range(1, 900))
    + "formula f0 = x;",
    "such as [0..9]": module("", "x : clock;"),
}


@pytest.mark.parametrize(("said", "text"), MISTAKES.items(), ids=MISTAKES)
def test_a_mistake_is_one_line_with_its_place(said: str, text: str) -> None:
    with pytest.raises(ProblemError) as caught:
        machine(text)
    message = str(caught.value)
    assert said in message
    assert message.startswith("some.nm, line ")
    assert ", column " in message
    assert "\n" not in message
    assert len(message) < 300


def test_no_initial_state_is_a_mistake() -> None:
    with pytest.raises(ProblemError, match="line 6, column 14: no state is initial"):
        list(machine(module("") + "init x > 3 endinit".rjust(26)).starts())


PRISM_ONLY = """A C E F G I P Pmax Pmin R Rmax Rmin S U W X clock filter formula func global label nondeterministic
    observable observables of popta prob probabilistic rate stochastic system"""


@pytest.mark.parametrize("name", PRISM_ONLY.split())
def test_words_that_only_prism_reserves_are_names(name: str) -> None:
    text = f"mdp const int {name}; module m x : [0..{name}]; [{name}] func(max, x) < {name} -> (x'={name}); endmodule"
    assert machine(text, **{name: 2}).successors((0,)) == {name: ((1, (2,)),)}
    text = f"mdp module m {name} : [0..2]; [go] {name}<2 -> ({name}'={name}+1); endmodule formula more = {name} > 1;"
    assert machine(text).successors((1,)) == {"go": ((1, (2,)),)}


def test_a_command_that_is_never_done_may_have_any_probabilities() -> None:
    """As in PRISM's nrp, which has a command for each K."""
    text = "mdp const int K;" + module(
        "[go] x=0 & K=1 -> 1/K : (x'=1); [go] x=0 & K=2 -> 1/K : (x'=1) + 1/K : (x'=2); [on] x=3 -> 0.5 : (x'=0);"
    ).removeprefix("mdp")
    half = Fraction(1, 2)
    assert machine(text, K=1).successors((0,)) == {"go": ((1, (1,)),)}
    made = machine(text, K=2)
    assert made.successors((0,)) == {"go": ((half, (1,)), (half, (2,)))}
    with pytest.raises(ProblemError, match=r"line 4, .* sum to 1/2, not to 1 \(action on in the state x=3\)"):
        made.successors((3,))


WRONG_LATER = {
    "x becomes 4, outside [0..3]": "(x'=x+1)",
    "the probabilities of this command sum to 3/2, not to 1": "x/2 : (x'=0)",
    "the probability is -2, which is negative": "1-x : (x'=0) + x : (x'=1)",
    "division by zero": "1/(3-x) : (x'=0)",
}


@pytest.mark.parametrize(("said", "update"), WRONG_LATER.items(), ids=WRONG_LATER)
def test_what_is_wrong_in_a_state_names_it_and_the_action(said: str, update: str) -> None:
    made = machine(module(f"[go] x=3 -> {update};"))
    with pytest.raises(ProblemError, match="line 4, column ") as caught:
        made.successors((3,))
    assert said in str(caught.value)
    assert said == "division by zero" or str(caught.value).endswith("(action go in the state x=3)")
