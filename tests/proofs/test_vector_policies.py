"""Policies of other solvers: what is proved of them against all that may happen, and files that are refused."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from beliefsearch import Limits, verify_file
from beliefsearch.plans.vector_files import may_hold_vectors
from beliefsearch.proofs import vector_policies
from beliefsearch_problems.files.pomdp import PomdpFileProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run

TIGER = """\
discount: 0.95
values: reward
states: left right
actions: listen open-left open-right
observations: growl-left growl-right
T: listen identity
T: open-left uniform
T: open-right uniform
O: listen : left 0.85 0.15
O: listen : right 0.15 0.85
O: open-left uniform
O: open-right uniform
R: listen : * : * : * -1
R: open-left : left : * : * -100
R: open-left : right : * : * 10
R: open-right : left : * : * 10
R: open-right : right : * : * -100
"""
# Listen until the growls on one side are two more, then open the other door.
THREE = "0\n19.3 19.3\n\n1\n-81.6 28.4\n\n2\n28.4 -81.6\n"
# Node 0: as many on both sides; 1 and 2: one more on the left, the right; 3 and 4: two more.
GRAPH = "0 0  1 2\n1 0  3 0\n2 0  0 4\n3 2  0 0\n4 1  0 0\n"


def as_xml(alpha: str) -> str:
    """The vectors of a file `.alpha` as SARSOP writes them."""
    lines = [line for line in alpha.splitlines() if line]
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    vectors = "".join(f'<Vector action="{action}" obsValue="0">{values} </Vector>\n' for action, values in pairs)
    sizes = f'vectorLength="{len(pairs[0][1].split())}" numObsValue="1" numVectors="{len(pairs)}"'
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<Policy version="0.1" type="value" model="x.pomdp">\n'
    return f"{head}<AlphaVector {sizes}>\n{vectors}</AlphaVector> </Policy>\n"


@pytest.fixture
def tiger(folder: Path) -> Path:
    (folder / "tiger.pomdp").write_text(TIGER)
    (folder / "t.alpha").write_text(THREE)
    (folder / "t.policy").write_text(as_xml(THREE))
    (folder / "t.pg").write_text(GRAPH)
    return folder


def tiger_value(d: Fraction) -> Fraction:
    """What the policy of `GRAPH` is worth, by its equations with the discount d; nodes 2 and 4 are as 1 and 3.

    v0 = -1 + d v1; v1 = -1 + d (p v2 + (1 - p) v0) with p = 0.85^2 + 0.15^2 the chance of the same growl again; and v2
    = q 10 - (1 - q) 100 + d v0 with q = 0.85^2 / p the chance that two growls are right.
    """
    p = Fraction(745, 1000)
    opened = 10 - 110 * (1 - Fraction(7225, 10000) / p)
    # v1 = -1 + d p (opened + d v0) + d (1 - p) v0, and v0 = -1 + d v1.
    fixed = -1 + d * (-1 + d * p * opened)
    return fixed / (1 - d * d * (d * p + 1 - p))


@pytest.mark.parametrize("name", ["t.alpha", "t.policy", "t.pg"])
def test_all_forms_prove_what_the_equations_say(tiger: Path, cli: Run, name: str) -> None:
    told = stdout(cli("verify", "--policy", name, "--problem", "tiger.pomdp", "--certificate", "c.json"))
    assert "attains at least 19.3713683 on average; proved with 5 nodes" in told
    assert ("; the vectors say 19.3\n" in told) == (name != "t.pg")
    assert "attains at least 19.3713683 on average" in stdout(cli("verify", "c.json"))
    found = verify_file(name, problem="tiger.pomdp")
    assert found.attained is not None
    assert 0 <= tiger_value(Fraction(95, 100)) - found.attained < Fraction(1, 10**8)


def test_vectors_may_be_written_by_their_entries(tiger: Path) -> None:
    entries = "<Entry>0 -81.6</Entry><Entry>1 28.4</Entry>"
    sparse = as_xml(THREE).replace(
        '<Vector action="1" obsValue="0">-81.6 28.4 </Vector>', f'<SparseVector action="1">{entries}</SparseVector>'
    )
    (tiger / "s.policy").write_text(sparse)
    assert "SparseVector" in sparse
    assert (
        verify_file("s.policy", problem="tiger.pomdp").attained
        == verify_file("t.alpha", problem="tiger.pomdp").attained
    )


def test_options_of_the_problem_count(tiger: Path) -> None:
    found = verify_file("t.alpha", problem="tiger.pomdp", options={"discount": "0.5"})
    assert found.attained is not None
    assert 0 <= tiger_value(Fraction(1, 2)) - found.attained < Fraction(1, 10**8)


def random_pomdp(chances: random.Random) -> str:
    """A file with three states, of which the last may be the end."""

    def row(length: int) -> str:
        parts = [chances.choice((0, 1, 1, 2, 5)) for _ in range(length - 1)]
        return " ".join(f"{part / 20:g}" for part in (*parts, 20 - sum(parts)))

    lines = ["discount: 0.3", "values: reward", "states: 3", "actions: 2", "observations: 2"]
    lines += ["start: 0.2 0.3 0.5"]
    ends = chances.random() < 0.5
    for action in range(2):
        for state in range(3):
            is_end = ends and state == 2
            lines += [f"T: {action} : {state} {'0 0 1' if is_end else row(3)}", f"O: {action} : {state} {row(2)}"]
            lines += [f"R: {action} : {state} : * : * {0 if is_end else chances.randint(-9, 9)}"]
    return "\n".join(lines) + "\n"


class Followed:
    """What acting by the greatest vector is worth, by all that may happen in so many actions, exactly."""

    def __init__(self, problem: PomdpFileProblem, vectors: list[tuple[int, list[Fraction]]]) -> None:
        self.problem, self.vectors = problem, vectors
        self.states = problem.numbering().states

    def value(self, belief: dict[str, Fraction], steps: int, rest: Fraction) -> Fraction:
        """The value of a belief, whose shares need not sum to 1; after these steps a state is worth `rest`."""
        if not steps or not belief:
            return rest * sum(belief.values(), Fraction(0))
        place = {state: number for number, state in enumerate(self.states)}
        best = max(self.vectors, key=lambda vector: sum(p * vector[1][place[s]] for s, p in belief.items()))
        action = self.problem.numbering().actions[best[0]]
        total = Fraction(0)
        after: dict[str, dict[str, Fraction]] = {}
        for state, chance in belief.items():
            total += chance * self.problem.reward(state, action)
            for likely, result in self.problem.outcomes(state, action):
                for seen, percept in self.problem.percept_distribution(result, action):
                    part = after.setdefault(percept, {})
                    part[result] = part.get(result, Fraction(0)) + chance * likely * seen
        discount: Fraction = self.problem.discount()
        return total + discount * sum((self.value(part, steps - 1, rest) for part in after.values()), Fraction(0))


@pytest.mark.parametrize("seed", range(8))
def test_the_value_of_the_vectors_is_proved_from_below(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Vectors at random; followed as far as they lead, and cut off early, where only a tail is known."""
    chances = random.Random(seed)
    (folder / "random.pomdp").write_text(random_pomdp(chances))
    count = chances.randint(2, 4)
    # Multiples of a prime, so that no two are equally great at a belief of these problems.
    rows = [(chances.randrange(2), [chances.randint(-500, 500) / 31 for _ in range(3)]) for _ in range(count)]
    (folder / "random.alpha").write_text("".join(f"{a}\n{' '.join(map(repr, row))}\n\n" for a, row in rows))
    problem = PomdpFileProblem(file=Path("random.pomdp"))
    followed = Followed(problem, [(a, [Fraction(value) for value in row]) for a, row in rows])
    start = {state: chance for chance, state in problem.initial_distribution()}
    least, most = (followed.value(start, 9, Fraction(sign * 9 * 10, 7)) for sign in (-1, 1))
    monkeypatch.setattr(vector_policies, "PAIRS", (3000,))
    found = verify_file("random.alpha", problem=problem)
    assert found.attained is not None
    assert least - Fraction(1, 10**3) <= found.attained <= most
    monkeypatch.setattr(vector_policies, "PAIRS", (8,))
    cut = verify_file("random.alpha", problem=problem, certificate="cut.json")
    assert cut.attained is not None
    assert cut.attained <= most
    assert cut.attained <= found.attained + Fraction(1, 10**3)
    assert verify_file("cut.json").attained == cut.attained


def test_vectors_that_lack_nothing_are_worth_what_they_say(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One action, for ever: its vector is the solution of its equations, and nothing need be followed to know."""
    (folder / "one.pomdp").write_text(
        "discount: 0.5\nvalues: reward\nstates: 2\nactions: 1\nobservations: 2\nT: 0\n0.5 0.5\n0 1\nO: 0 uniform\n"
        "R: 0 : 0 : * : * 3\nR: 0 : 1 : * : * 1\n"
    )
    # v1 = 1 + v1 / 2 and v0 = 3 + (v0 + v1) / 4; on average, of both, (14/3 + 2) / 2.
    (folder / "one.alpha").write_text("0\n4.666666666666667 2\n")
    monkeypatch.setattr(vector_policies, "PAIRS", (1,))
    found = verify_file("one.alpha", problem="one.pomdp")
    assert found.attained is not None
    assert 0 <= Fraction(10, 3) - found.attained < Fraction(1, 10**9)


@pytest.mark.parametrize("name", ["tiger", "rock-sample --size 3 --rocks 2"])
def test_vectors_of_a_search_are_worth_what_they_say_though_few_beliefs_are_followed(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each is followed by others, so that none lacks much: what it is worth is known without following it."""
    stdout(cli("export", *name.split(), "--output", "x.pomdp"))
    cli("export", "x.pomdp", "--output", "x.alpha", "--quiet", "--precision", "0.01")
    monkeypatch.setattr(vector_policies, "PAIRS", (1,))
    told = stdout(cli("verify", "--policy", "x.alpha", "--problem", "x.pomdp"))
    proved, said = map(float, re.findall(r"(?:at least|vectors say) (-?[\d.]+)", told))
    assert 0.9 * said <= proved <= said + 1e-6


REFUSED = [
    ("t.alpha", "0\n0 0 0\n", "this one has 2 states, and its vectors have 3 values"),
    ("t.alpha", "3\n0 0\n", "this one has 3 actions, from 0 to 2, and it does 3"),
    ("t.pg", "0 0 0 0 0\n", "this one has 2 percepts, and its nodes lead on after 3"),
    ("t.pg", "0 0 0 1\n", "node 0 leads to node 1, and there are 1 nodes"),
    ("t.pg", "1 0 0 0\n", "line 1: node 0, its action"),
    ("t.pg", "0\n", "line 1: node 0, its action"),
    ("t.pg", "\n", "it has no nodes"),
    ("t.alpha", "# nothing\n", "it has no vectors"),
    ("t.alpha", "0\n0 x\n", "line 2: a line of values should stand here: could not convert string to float: 'x'"),
    ("t.alpha", "0\n0 nan\n", "'nan' is no finite number"),
    ("t.alpha", "0 0\n0 1\n", "line 1: a line with the number of an action should stand here"),
    ("t.alpha", "0\n0 1\n1\n", "line 3: it ends where the values"),
    ("t.alpha", "0\n0 1\n1\n0 1 2\n", "line 4: this vector has 3 values, and the first vector 2"),
    (
        "t.policy",
        '<P><AlphaVector vectorLength="99999999" numObsValue="1"><SparseVector action="0"/></AlphaVector></P>',
        "the vector has 1,000,000 values, and vectorLength says 99,999,999",
    ),
    ("t.policy", "<Policy/>", "line 1, column 1: <Policy> lacks <AlphaVector>"),
    ("t.policy", "<Policy>", "it is no XML: no element found"),
    ("t.policy", '<!DOCTYPE P [<!ENTITY a "b">]><P>&a;</P>', "it has a document type"),
    ("t.policy", as_xml(THREE).replace('obsValue="0"', 'obsValue="7"'), "obsValue is 7, and numObsValue only 1"),
    ("t.policy", as_xml(THREE).replace("-81.6 28.4", "-81.6"), "the vector has 1 values, and vectorLength says 2"),
    (
        "t.policy",
        as_xml(THREE).replace('action="1"', 'action="one"'),
        "line 5, column 1: 'one' is no number",
    ),
]


@pytest.mark.parametrize(("name", "text", "why"), REFUSED)
def test_what_is_no_policy_for_it_is_refused_in_a_line(tiger: Path, cli: Run, name: str, text: str, why: str) -> None:
    Path(name).write_text(text)
    assert_one_line(cli("verify", "--policy", name, "--problem", "tiger.pomdp"), name, why)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("verify --policy t.alpha", "say"),
        (
            "verify --policy t.alpha --problem tiger",
            "the problem should be such a file, as `beliefsearch export` writes",
        ),
        ("verify --policy tiger.pomdp --problem tiger.pomdp", "ends in .policy, .policyx, .alpha, .pg"),
        ("verify --policy t.alpha --plan t.pg --problem tiger.pomdp", "once"),
        ("verify --policy t.alpha --problem tiger.pomdp --certificate tiger.pomdp", "one of the input files"),
        ("verify --policy none.alpha --problem tiger.pomdp", "none.alpha"),
        ("verify --policy t.alpha --problem devil", "devil is no stochastic problem"),
    ],
)
def test_what_does_not_go_together_is_refused_in_a_line(tiger: Path, cli: Run, line: str, why: str) -> None:
    assert_one_line(cli(*line.split()), why)


@pytest.mark.parametrize(
    ("text", "holds"),
    [("<Policy/>", True), ("0 1 - 2", True), ("1\n-0.5 1e3", True), ("1 (push)", False), ("0||0 --- push", False)],
)
def test_numbered_plans_are_told_from_vectors(text: str, holds: bool) -> None:
    assert may_hold_vectors(text) is holds


def test_a_game_that_is_over_has_no_policy(folder: Path, cli: Run) -> None:
    (folder / "over.pomdp").write_text(
        "discount: 0.5\nvalues: reward\nstates: 1\nactions: 1\nobservations: 1\nT: 0 1\nO: 0 1\n"
    )
    (folder / "over.alpha").write_text("0\n0\n")
    assert_one_line(cli("verify", "--policy", "over.alpha", "--problem", "over.pomdp"), "over before it begins")


def test_a_limit_is_heard_on_the_way(tiger: Path) -> None:
    (tiger / "t.alpha").write_text("1\n0 0\n" * 100_000)
    found = verify_file("t.alpha", problem="tiger.pomdp", limits=Limits(seconds=0.01))
    assert (found.decided, "the time limit" in found.complaint) == (False, True)


ENDING = """\
values: cost
states: far near end
actions: go stay
observations: quiet loud
start: 0.5 0.5 0
T: go
0.2 0.8 0
0 0.5 0.5
0 0 1
T: stay identity
O: * uniform
R: * : far : * : * 2
R: * : near : * : * 1
"""


def test_without_a_discount_the_game_must_end(folder: Path, cli: Run) -> None:
    """Going costs 2 until it is near, 5/4 times, and 1 twice then: 4.5 from far, and 2 from near."""
    (folder / "x.pomdp").write_text(ENDING)
    (folder / "go.alpha").write_text("0\n4 2 0\n")
    (folder / "go.pg").write_text("0 0 0 0\n")
    (folder / "stay.alpha").write_text("1\n4 2 0\n")
    for name in ("go.alpha", "go.pg"):
        found = verify_file(name, problem="x.pomdp")
        assert found.attained is not None
        assert -found.attained == pytest.approx(3.25, abs=1e-6)
        assert "costs at most 3.25" in stdout(cli("verify", "--policy", name, "--problem", "x.pomdp"))
    refused = cli("verify", "--policy", "stay.alpha", "--problem", "x.pomdp")
    assert_one_line(refused, "under this policy the game may go on for ever, and there is no discount")


TOLD = """\
discount: 1
values: reward
states: far near end
actions: go hurry
observations: quiet loud silent
start: 0 0.34 0.66
T: go
0.315 0.125 0.56
0.25 0.1875 0.5625
0 0 1
T: hurry
0.17 0 0.83
0.215 0.08 0.705
0 0 1
O: go
0.4 0.6 0
0 0.8 0.2
0 0 1
O: hurry
1 0 0
0 1 0
0.65 0 0.35
R: go : far : * : * -1
R: go : near : * : * -0.7
R: hurry : far : * : * -2
"""


def test_a_percept_may_tell_that_the_game_is_over(folder: Path) -> None:
    """Each action ends the game at least with 0.56, and costs at most 2, so that six actions say enough."""
    (folder / "told.pomdp").write_text(TOLD)
    rows = ["-1.385 -1.055 0", "-2.17 -0.215 0", "-1.4025 -1.08125 0"]
    vectors = [(action, [Fraction(word) for word in row.split()]) for action, row in zip((0, 1, 0), rows, strict=True)]
    (folder / "told.alpha").write_text("".join(f"{a}\n{row}\n" for (a, _), row in zip(vectors, rows, strict=True)))
    problem = PomdpFileProblem(file=Path("told.pomdp"))
    start = {state: chance for chance, state in problem.initial_distribution()}
    found = verify_file("told.alpha", problem=problem)
    assert found.attained is not None
    assert float(found.attained) == pytest.approx(
        float(Followed(problem, vectors).value(start, 6, Fraction(0))), abs=0.03
    )


HALL = """\
discount: 1
values: reward
states: left right end
actions: listen open
observations: low high
start: 0.5 0.5 0
T: listen
0.9 0.1 0
0.13 0.87 0
0 0 1
T: open
0 0 1
0 0 1
0 0 1
O: * : * {first} {second}
R: listen : * : * : * -1
R: listen : end : * : * 0
R: open : left : * : * 10
R: open : right : * : * -100
"""


def test_a_graph_need_not_say_what_follows_a_percept_that_never_comes(cli: Run, folder: Path) -> None:
    (folder / "hall.pomdp").write_text(HALL.format(first=1, second=0))
    (folder / "hall.pg").write_text("0 1  0 -\n")
    said = stdout(cli("verify", "--policy", "hall.pg", "--problem", "hall.pomdp"))
    assert "attains at least -45 on average" in said


@pytest.mark.parametrize(
    ("graph", "value"),
    [
        ("0 1 0 0\n1 0 1 1\n2 0 - -\n", "3.25"),  # who stays never ends, and node 2 does not say what follows
        ("0 0 1 1\n1 0 1 1\n2 0 0 -\n", "3.25"),
        ("0 0 - 0\n", "node 0 does not say what follows a percept that may come"),
        ("0 0 1 1\n1 0 1 -\n", "node 1 does not say what follows"),
        ("0 1 0 0\n", "the game may go on for ever"),
    ],
)
def test_nodes_of_a_graph_that_are_not_needed_need_be_no_policy(cli: Run, folder: Path, graph: str, value: str) -> None:
    """As above, going costs 4.5 from far and 2 from near."""
    (folder / "x.pomdp").write_text(ENDING)
    (folder / "x.pg").write_text(graph)
    found = cli("verify", "--policy", "x.pg", "--problem", "x.pomdp")
    if value == "3.25":
        assert "costs at most 3.25 on average" in stdout(found)
    else:
        assert_one_line(found, value)


def test_an_action_of_a_graph_has_to_apply(cli: Run, folder: Path) -> None:
    """Without a discount an action does not apply where the end might be lost for ever: here, to fall."""
    falls = ENDING.replace("states: far near end", "states: far near end pit").replace("go stay", "go fall")
    falls = falls.replace("start: 0.5 0.5 0", "start: 0.5 0.5 0 0")
    rows = "T: go\n0.2 0.8 0 0\n0 0.5 0.5 0\n0 0 1 0\n0 0 0 1\nT: fall\n0 0 0 1\n0 0 1 0\n0 0 1 0\n0 0 0 1\n"
    rest = falls[falls.index("O: *") :] + "R: * : pit : * : * 1"
    (folder / "x.pomdp").write_text(falls[: falls.index("T: go")] + rows + rest)
    wrong = {"0 1 0 0\n1 0 - -\n": "node 1 does not say what", "0 1 0 0\n": "node 0 has an action that does not apply"}
    for graph, why in wrong.items():
        (folder / "x.pg").write_text(graph)
        assert_one_line(cli("verify", "--policy", "x.pg", "--problem", "x.pomdp"), why)


def test_without_a_discount_a_limit_leaves_no_bound_and_says_why(cli: Run, folder: Path) -> None:
    heard = "O: * : left 0.9 0.1\nO: * : right 0.2 0.8\nO: * : end 0.5 0.5"
    (folder / "hall.pomdp").write_text(HALL.replace("O: * : * {first} {second}", heard))
    (folder / "hall.alpha").write_text("0\n-5 -20 0\n\n1\n10 -100 0\n")
    found = cli("verify", "--policy", "hall.alpha", "--problem", "hall.pomdp", "--time-limit", "1")
    assert_one_line(found, "nothing bounds the rest")
