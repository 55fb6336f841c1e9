"""Planning files: published oddities, small tasks by hand, random ones by an interpreter of their own, and errors."""

from __future__ import annotations

import json
import math
import os
import re
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import ProblemError, Status, check_plan, solve
from beliefsearch.errors import DataWarning
from beliefsearch.model.reachability import reachable_states
from beliefsearch.planner.factored import bound_by_one_factor
from beliefsearch.running.limits import EffortExceeded
from beliefsearch.running.run import Run as SearchRun
from beliefsearch_problems._pddl.starts import count_solutions
from beliefsearch_problems.files.pddl import PddlFileProblem

from ...conftest import Run
from ...examples import examples

ROOT = Path(__file__).parents[3]
FIELD = Path(os.environ.get("BELIEFSEARCH_BENCHMARKS", ROOT.parent / "shared" / "benchmarks")) / "pddl"

# Two bombs, one of them armed, and a toilet that is clogged by each.
BOMBS = """
(define (domain toilet)
 (:requirements :typing)
 (:types bomb toilet)
 (:predicates (armed ?b -bomb) (clogged ?t - toilet))
 (:action dunk :parameters (?b -bomb ?t - toilet) :precondition (not (clogged ?t))
  :effect (and (when (armed ?b) (not (armed ?b))) (clogged ?t)))
 (:action flush :parameters (?t - toilet) :effect (not (clogged ?t))))
"""
ARMED = """
(define (problem two) (:domain toilet)
 (:objects b1 b2 - bomb t - toilet)
 (:init (and (oneof (armed b1) (armed b2))))
 (:goal (forall (?b - bomb) (not (armed ?b)))))
"""


def task(folder: Path, domain: str, problem: str, **options: Any) -> PddlFileProblem:
    (folder / "d.pddl").write_text(domain)
    (folder / "p.pddl").write_text(problem)
    return PddlFileProblem(folder / "p.pddl", **options)


def test_bombs_in_the_toilet(tmp_path: Path) -> None:
    problem = task(tmp_path, BOMBS, ARMED)
    assert problem.is_sensorless()
    assert sorted(map(problem.format_state, problem.initial_states())) == ["armed(b1)", "armed(b2)"]
    result = solve(problem)
    assert result.cost == 3
    assert [action.split()[0] for action in result.require_plan()] == ["dunk", "flush", "dunk"]
    assert problem.parse_state("armed(b1), clogged(t)") in problem.results(
        problem.parse_state("armed(b1), armed(b2)"), "dunk b2 t"
    )


DOORS = """
(define (domain doors)
 (:predicates (at ?i) (open ?i) (next ?i ?j))
 (:action look :parameters (?i ?j) :precondition (and (at ?i) (next ?i ?j)) :observe (open ?j))
 (:action walk :parameters (?i ?j) :precondition (and (at ?i) (next ?i ?j) (open ?j))
  :effect (and (at ?j) (not (at ?i)))))
(define (problem hall) (:domain doors)
 (:objects a b c d)
 (:init (at a) (next a b) (next a c) (next b d) (next c d) (open d) (oneof (open b) (open c)))
 (:goal (at d)))
"""


def test_both_in_one_file_and_sensing(tmp_path: Path, cli: Run) -> None:
    (tmp_path / "hall.pddl").write_text(DOORS)
    problem = PddlFileProblem(tmp_path / "hall.pddl")
    assert not problem.is_sensorless()
    result = solve(problem)
    assert result.cost == 3
    assert check_plan(problem, result).holds
    (state,) = (state for state in problem.initial_states() if "open(b)" in problem.format_state(state))
    assert problem.percepts(state, "look a c") == ("not open(c)",)
    assert problem.percepts(state, "walk a b") == (None,)
    code, out, _ = cli("run", str(tmp_path / "hall.pddl"), "--output", str(tmp_path / "plan.json"))
    assert (code, "solved in at most 3 actions, proved optimal" in out) == (0, True)
    assert cli("verify", str(tmp_path / "plan.json"))[0] == 0


def test_what_is_seen_and_what_chance_decides(tmp_path: Path) -> None:
    domain = """(define (domain coin) (:predicates (heads) (won))
     (:action toss :effect (oneof (heads) (not (heads))))
     (:action take :precondition (heads) :effect (won)))"""
    problem = "(define (problem p) (:domain coin) (:init) (:goal (won)))"
    with pytest.warns(DataWarning, match=r"p\.pddl: nothing is perceived of nondeterministic effects; .*say --seen"):
        blind = task(tmp_path, domain, problem)
    assert solve(blind).status is Status.UNSOLVABLE
    plan = solve(task(tmp_path, domain, problem, seen=True)).require_conditional_plan()
    assert plan.is_cyclic


def test_actions_of_one_name_differ_in_their_number_of_objects(tmp_path: Path, cli: Run) -> None:
    domain = """(define (domain tour) (:predicates (at ?x) (way ?x ?y) (bus ?x ?y))
     (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y)) :effect (and (at ?y) (not (at ?x))))
     (:action go :parameters (?x ?y ?z) :precondition (and (at ?x) (bus ?x ?y) (bus ?y ?z))
      :effect (and (at ?z) (not (at ?x)))))"""
    objects = "(define (problem tour) (:domain tour) (:objects a b c d)"
    start = "(:init (at a) (bus a b) (bus b c) (way c d) (way a b)) (:goal (at d)))"
    problem = task(tmp_path, domain, f"{objects} {start}")
    assert solve(problem).require_plan() == ("go a b c", "go c d")
    (tmp_path / "tour.plan").write_text("(go a b c)\n(go c d)\n")
    assert cli("verify", "--plan", str(tmp_path / "tour.plan"), "--problem", str(problem.file))[0] == 0
    with pytest.raises(ValueError, match=r"go takes 2 objects, \(go \?x \?y\) or 3 objects, .*, not 1"):
        problem.parse_action("go a")


def test_what_always_holds_is_not_shown_with_the_state(tmp_path: Path, cli: Run) -> None:
    domain = """(define (domain lamps) (:predicates (on ?x) (dead ?x))
     (:action flip :parameters (?x) :precondition (not (dead ?x)) :effect (oneof (on ?x) (not (on ?x))))
     (:action mend :parameters (?x) :precondition (on ?x) :effect (not (dead ?x))))"""
    head = "(define (problem lamps) (:domain lamps) (:objects a b c)"
    problem = task(tmp_path, domain, f"{head} (:init (dead b) (dead c) (on c)) (:goal (on a)))", seen=True)
    (start,) = problem.initial_states()
    assert problem.format_state(start) == "dead(c), on(c)"  # b stays dead
    assert problem.parse_state("dead(c), on(c)") == start
    assert problem.percepts(start, "flip a") == ("not on(a)",)  # all that was open
    assert problem.percepts(start, "mend c") == (None,)
    for facts in ("dead(c)/on(c)", "dead(b)/dead(c)/on(c)", "dead(b)/not(on(a))"):  # as others write the state
        (tmp_path / "policy.txt").write_text(f"If holds: {facts}\nExecute: flip a\n")
        assert cli("verify", "--plan", str(tmp_path / "policy.txt"), "--problem", str(problem.file), "--seen")[0] == 0


def test_costs(tmp_path: Path) -> None:
    domain = """(define (domain roads) (:predicates (at ?x) (road ?x ?y)) (:functions (long ?x ?y) (total-cost))
     (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
      :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (long ?x ?y)))))"""
    facts = "(road a b) (road b c) (road a c) (= (long a b) 1) (= (long b c) 1.5) (= (long a c) 3) (at a)"
    head = f"(define (problem p) (:domain roads) (:objects a b c) (:init {facts}) (:goal (at c))"
    assert solve(task(tmp_path, domain, f"{head} (:metric minimize (total-cost)))")).cost == Fraction(5, 2)
    assert solve(task(tmp_path, domain, f"{head})")).cost == 1


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("(clogged ?t)))\n", "(clogged ?t))\n", r"d\.pddl, line 2, column 1: this bracket is never closed"),
        (":effect (not (clogged ?t))))", ":effect (not (clogged ?t)))))", "a closing bracket too many"),
        ("(define (domain", "junk (define (domain", "expected an opening bracket, not 'junk'"),
        (":precondition", ":condition", "expected :parameters, :precondition, :effect or :observe, not ':condition'"),
        ("(armed ?b) (not", "(armed ?x) (not", "no variable '\\?x'"),
        ("(not (clogged ?t))\n", "(not (clogged ?t ?t))\n", "clogged takes 1 argument, not 2"),
        ("?t - toilet) :effect", "?t - toilett) :effect", "no type 'toilett'; did you mean 'toilet'?"),
        ("(not (clogged ?t))))", "(not (or (clogged ?t)))))", "an effect makes an atom true or false"),
        (":effect (not (clogged ?t))))", ":effect (unknown (clogged ?t))))", "unknown has no meaning here"),
        ("(when (armed ?b) (not (armed ?b)))", "(when (armed ?b))", "when takes 2 parts, not 1"),
        (":typing)", ":typing) (:axioms)", "there is no section ':axioms'"),
        (
            "(oneof (armed b1) (armed b2))",
            "(oneof (armed b1) (armed b3))",
            r"p\.pddl, line 4, column 39: there is no object 'b3'",
        ),
        ("(oneof (armed b1) (armed b2))", "(oneof (armed b1) (armed b2)) (armed b1) (armed b2)", "contradictory"),
        ("(:goal (forall (?b - bomb) (not (armed ?b))))", "", "has no goal"),
        ("(:goal (forall", f"(:goal {'(and ' * 200}(forall", "more than 100 brackets in each other"),
        ("b1 b2 - bomb", "b1\x1b[31m b2 - bomb", r"p\.pddl, line 3, column 12: .* has letters that cannot be printed"),
        (":typing)", ":typing) (:derived (p) (q))", "no section ':derived'; derived predicates, durations"),
        (":effect (not (clogged ?t))))", ":effect (probabilistic 0.5 (clogged ?t))))", "probabilistic is not read"),
        ("(not (armed ?b))))", "(not (arms ?b ?b))))", "no predicate 'arms'; did you mean 'armed'"),
        (
            "(not (armed ?b))))",
            "(not (zzz ?b))))",
            r"p\.pddl, line 5, column 35: there is no predicate 'zzz'; there are armed, clogged",
        ),
        (
            ":effect (and",
            ":efect (and",
            r"d\.pddl, line 7, column 3: .*, not ':efect'; did you mean ':effect'",
        ),
        (":effect (and", ":precondition (armed ?b) :effect (and", "column 3: this action has a :precondition already"),
        ("(?b -bomb ?t - toilet)", "(?b ?b -bomb ?t - toilet)", r"column 32: there is a parameter '\?b' already"),
        ("(?b -bomb ?t - toilet)", "(?b bomb ?t - toilet)", "column 32: expected a parameter, which begins with a qu"),
        (
            "(forall (?b - bomb)",
            "(forall (b - bomb)",
            "expected a variable, which begins with a question",
        ),
        ("(:action flush", "(:acton flush", "there is no section ':acton'; did you mean ':action'"),
        ("(:init", "(:int", r"p\.pddl, line 4, column 3: there is no section ':int'; did you mean ':init'"),
        ("(and (when", "(adn (when", r"d\.pddl, line 7, column 12: no formula begins with 'adn'; did you mean 'and'"),
        ("(when (armed ?b)", "(when (armed b)", r"there is no object 'b'; did you mean '\?b'"),
        ("(clogged ?t - toilet)", "(clogged ?t - tiolet)", "line 5, .* no type 'tiolet'; did you mean 'toilet'"),
        (
            "(clogged ?t - toilet)",
            "(clogged ?t - toilet) (armed ?t - toilet)",
            "a predicate 'armed' already, with",
        ),
        ("t - toilet)\n", "t b1 - toilet)\n", r"p\.pddl, line 3, column 27: 'b1' is declared twice, with different"),
        ("(:goal", "(:goal (armed b1)) (:goal", r"p\.pddl, line 5, column 21: there is a goal already; join the two"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert (BOMBS + ARMED).count(old) >= 1
    with pytest.raises(ProblemError, match=complaint):
        list(task(tmp_path, BOMBS.replace(old, new, 1), ARMED.replace(old, new, 1)).initial_states())


def small(folder: Path, domain: str, problem: str, **options: Any) -> PddlFileProblem:
    start = "" if ":init" in problem else " (:init)"
    text = f"(define (domain d) {domain})\n(define (problem q) (:domain d) {problem}{start})"
    (folder / "small.pddl").write_text(text)
    return PddlFileProblem(folder / "small.pddl", **options)


SWITCH = "(:predicates (p) (q) (r)) (:action on :effect (p)) (:action off :effect (not (p)))"
PAIR = (
    "(:predicates (at ?x) (g)) (:action win :parameters (?x ?y) :precondition (and (at ?x) (not (at ?y))) :effect (g))"
)
COSTS = (
    "(:predicates (p) (g)) (:action a :effect (and (g) (forall (?x) (increase (total-cost) 3)) (increase (fuel) 7)))"
)


TYPED = "(:objects o -t) (:goal (on o o))"


@pytest.mark.parametrize(
    ("domain", "problem", "cost"),
    [
        (SWITCH, "(:goal (and (p) (not (p))))", math.inf),
        (PAIR, "(:objects a) (:init (at a)) (:goal (g))", math.inf),
        (PAIR, "(:objects a b) (:init (at a)) (:goal (g))", 1),
        ("(:predicates (on ?x -t ?y- t)) (:action a :parameters (?x- t) :effect (on ?x ?x))", TYPED, 1),
        (SWITCH, "(:init (or (q) (r)) (or (not (q)) (r)) (or (not (r)) (p))) (:goal (p))", 0),
        (f"{SWITCH} (:action a :effect (when (r) (q)))", "(:init (oneof (p) (q))) (:goal (p))", 1),
        (COSTS, "(:objects x y) (:goal (g)) (:metric minimize (total-cost))", 6),
    ],
)
def test_small_tasks_by_hand(tmp_path: Path, domain: str, problem: str, cost: float) -> None:
    found = solve(small(tmp_path, domain, problem))
    assert (math.inf if found.status is Status.UNSOLVABLE else found.cost) == cost


def test_who_sees_the_state_may_look_by_an_action_that_does_nothing(tmp_path: Path) -> None:
    domain = """(:predicates (p) (g)) (:action look)
     (:action a :precondition (p) :effect (g)) (:action b :precondition (not (p)) :effect (g))"""
    assert solve(small(tmp_path, domain, "(:init (unknown (p))) (:goal (g))", seen=True)).cost == 2


@pytest.mark.parametrize(
    ("domain", "problem", "complaint"),
    [
        ("(:predicates (p)) (:action a :effect (when (p) (increase (total-cost) 5)))", "(:goal (p))", "a cost under a"),
        (SWITCH, "(:goal (p)) (:metric maximize (total-cost))", "the metric can only be"),
        (COSTS.replace("3", "1e999999999"), "(:objects x y) (:goal (g))", "'1e999999999' is below 0, or too long"),
        (COSTS.replace("3", "nan"), "(:objects x y) (:goal (g))", "expected a number, not 'nan'"),
        (SWITCH, "(:init (forall (?x) (p))) (:goal (p))", "of the start atoms are told"),
        (SWITCH, "(:init (not (not (p)))) (:goal (p))", "of the start atoms are told"),
        (SWITCH, "(:init ()) (:goal (p))", "of the start atoms are told"),
        ("(:predicates (open)) (:action a :effect (open))", "(:goal (opn))", "no predicate 'opn'; did you mean 'open'"),
        ("(:types room) (:predicates (p))", "(:objects x - rom) (:goal (p))", "no type 'rom'; did you mean 'room'"),
        (SWITCH, "(:init (oneof (p)) (oneof (q) (q))) (:goal (r))", "contradictory"),
        (SWITCH, "(:init (p) (oneof)) (:goal (r))", r"line 2, column 44: .*contradictory: one part of oneof is true"),
        (SWITCH, "(:init (and (p) (or))) (:goal (r))", r"line 2, column 49: .*contradictory: one part of or is true"),
        (SWITCH, "(:init (p) (not (p))) (:goal (r))", r"contradictory: \(p\) is true, and it is false; leave one out"),
        (
            f"{SWITCH} (:action a :effect (when (q) (r)))",
            "(:init (or (p) (q)) (oneof (q) (r)) (or (not (q)) (r)) (or (not (r)) (q))) (:goal (r))",
            r"small\.pddl, line 2, column 61: .*contradictory: .*; without this oneof it would not be",
        ),
        (
            SWITCH,
            f"(:objects {' '.join(f'o{n}' for n in range(10))}) (:goal (forall (?a ?b ?c ?d ?e ?f ?g ?h ?i) (p)))",
            r"line 2, column 90: the task is too large: more than 5,000,000 values of quantified variables",
        ),
        (
            (
                f"(:predicates {' '.join(f'(x{n}) (y{n})' for n in range(20))}) "
                f"(:action a :precondition (or {' '.join(f'(and (x{n}) (y{n}))' for n in range(20))}) :effect (x0))"
            ),
            f"(:init {' '.join(f'(unknown (x{n})) (unknown (y{n}))' for n in range(20))}) (:goal (x0))",
            "line 1, column .*: a formula here takes more than 100,000 conditions",
        ),
        (f"{SWITCH} (:action on :effect (q))", "(:goal (p))", "there is an action 'on' already"),
        (SWITCH, "(:init) (:goal (p))) (define (problem r) (:goal (q))", "there is a problem already"),
        ("(:predicates (p)) (:action a :effect (not (= x x)))", "(:objects x) (:goal (p))", "an effect makes an atom"),
    ],
)
def test_what_would_be_read_wrongly_is_refused(tmp_path: Path, domain: str, problem: str, complaint: str) -> None:
    with pytest.raises(ProblemError, match=complaint):
        small(tmp_path, domain, problem)


def test_domains_beside(tmp_path: Path) -> None:
    (tmp_path / "p.pddl").write_text(ARMED)
    with pytest.raises(ProblemError, match="no file beside it with its domain 'toilet'; say --domain FILE"):
        PddlFileProblem(tmp_path / "p.pddl")
    (tmp_path / "any.pddl").write_text(BOMBS)
    (tmp_path / "none.pddl").write_text("; nothing\n")
    with pytest.raises(ProblemError, match="holds no problem, only blanks and comments"):
        PddlFileProblem(tmp_path / "none.pddl")
    (tmp_path / "none.pddl").unlink()
    (tmp_path / "other.pddl").write_text("; (define (domain toilet))\n(define (domain other))")
    assert PddlFileProblem(tmp_path / "p.pddl").domain.name == "any.pddl"
    (tmp_path / "p.pddl").write_text(ARMED.replace("(:domain toilet)", "(:domain lab)"))
    with pytest.raises(ProblemError, match="there are 2 domains beside it, none of them 'lab'; say"):
        PddlFileProblem(tmp_path / "p.pddl")
    with pytest.raises(ProblemError, match="is a domain; give the problem"):
        PddlFileProblem(tmp_path / "any.pddl")
    (tmp_path / "any.pddl").rename(tmp_path / "x.pddl")
    (tmp_path / "p.pddl").write_text(ARMED.replace("(:domain toilet)", ""))
    with pytest.raises(ProblemError, match="there are 2 files beside it with its domain; say"):
        PddlFileProblem(tmp_path / "p.pddl")
    assert solve(PddlFileProblem(str(tmp_path / "p.pddl"), str(tmp_path / "x.pddl"))).cost == 3


def test_what_published_files_say_wrongly_is_told(tmp_path: Path) -> None:
    with pytest.warns(DataWarning, match=r"p.pddl, line 2.*'lap', but the domain is 'toilet'"):
        assert solve(task(tmp_path, BOMBS, ARMED.replace("(:domain toilet)", "(:domain lap)"))).cost == 3
    with pytest.warns(DataWarning, match="p.pddl, line 3.*there is no type 'flask' among :types"):
        assert solve(task(tmp_path, BOMBS, ARMED.replace("t - toilet", "t - toilet f - flask"))).cost == 3
    with pytest.warns(DataWarning, match="p.pddl, line 4.*: t is no bomb, for which armed is declared") as told:
        task(tmp_path, BOMBS, ARMED.replace("(armed b2)", "(armed t)"))
    assert (told[0].filename, told[0].lineno) == (str(tmp_path / "p.pddl"), 4)
    with pytest.warns(DataWarning, match="p.pddl, line 3, column 15: 'b1' is declared already; leave one of the two"):
        assert solve(task(tmp_path, BOMBS, ARMED.replace("b1 b2", "b1 b1 b2"))).cost == 3
    with pytest.warns(DataWarning, match=r"d.pddl, line 8, .*no predicate 'wet' among :predicates; add it there"):
        task(tmp_path, BOMBS.replace(":effect (not (clogged ?t))", ":effect (and (wet) (not (clogged ?t)))"), ARMED)
    with pytest.warns(DataWarning, match="p.pddl, line 2, column 18: this problem has no :init, so nothing is true"):
        assert solve(task(tmp_path, BOMBS, ARMED.replace("(:init (and (oneof (armed b1) (armed b2))))", ""))).cost == 0
    with pytest.warns(DataWarning, match=r"p.pddl, line 5, column 3: no effect increases \(total-cost\), so"):
        task(tmp_path, BOMBS, ARMED.replace("(:goal", "(:metric minimize (total-cost))\n(:goal"))
    with pytest.raises(ProblemError, match="there is no type 'toilett'; did you mean 'toilet'"):
        task(tmp_path, BOMBS, ARMED.replace("t - toilet", "t - toilett"))


def test_two_problems_are_told_of_the_file_that_has_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "p.pddl").write_text(ARMED)
    (tmp_path / "both.pddl").write_text(BOMBS + ARMED)
    with pytest.raises(ProblemError, match=r"both.pddl, line 10.*there is a problem here, and one in p.pddl too"):
        PddlFileProblem(tmp_path / "p.pddl", tmp_path / "both.pddl")


def test_a_state_is_typed_as_it_is_written(tmp_path: Path, cli: Run) -> None:
    domain = "(:predicates (p) (q)) (:action a :precondition (p) :effect (q)) (:action b :effect (not (p)))"
    problem = small(tmp_path, domain, "(:init (unknown (p)) (unknown (q))) (:goal (and (p) (q)))")
    for state in problem.initial_states():
        assert problem.parse_state(problem.format_state(state)) == state
    with pytest.raises(ValueError, match="'r' is no atom of the task"):
        problem.parse_state("p, r")
    assert "solved in 1 action" in cli("run", str(problem.file), "--belief", '"p, q" p')[1]
    assert "a state that contains spaces goes in quotes" in cli("run", str(problem.file), "--belief", "p, q")[2]


def test_both_files_must_be_there_and_may_be_one(tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.pddl").write_text(ARMED)
    with pytest.raises(ProblemError, match=r"p.pddl, line 2, column 18: there is a problem here, and no domain"):
        PddlFileProblem(Path("p.pddl"), Path("p.pddl"))
    Path("d.pddl").write_text(BOMBS)
    with pytest.raises(ProblemError, match=r"d.pddl, line 2, column 17: there is a domain here, and no problem"):
        PddlFileProblem(Path("d.pddl"), Path("d.pddl"))
    Path("both.pddl").write_text(BOMBS + ARMED)
    assert cli("run", "both.pddl", "--certificate", "proof.json")[0] == 0
    assert cli("verify", "proof.json", "--problem", "both.pddl")[0] == 0


VANS = """(define (domain vans) (:predicates (at ?x ?l) (in ?p) (van ?v) (place ?l) (dark ?l))
  (:action go :parameters (?v ?a ?b) :precondition (and (van ?v) (place ?b) (at ?v ?a))
    :effect (and (at ?v ?b) (not (at ?v ?a))))
  (:action load :parameters (?p ?v ?l) :precondition (and (not (van ?p)) (van ?v) (dark ?l) (at ?v ?l))
    :effect (when (at ?p ?l) (and (in ?p) (not (at ?p ?l)))))
  (:action unload :parameters (?p ?v ?l) :precondition (and (not (van ?p)) (van ?v) (place ?l) (at ?v ?l) (in ?p))
    :effect (and (at ?p ?l) (not (in ?p)))))"""


def test_what_is_certain_is_a_factor_by_what_changes_together(tmp_path: Path) -> None:
    """A van is one factor, and a package another, with the place where it cannot be at first."""
    problem = task(
        tmp_path,
        VANS,
        "(define (problem p) (:domain vans) (:objects p q v a b c) (:init (van v) (place a) (place b) (place c) "
        "(dark a) (dark b) (at v a) (oneof (at p a) (at p b)) (oneof (at q a) (at q b))) "
        "(:goal (and (at p c) (at q c))))",
    )
    factors = problem.factors() or ()
    assert sorted(len(reachable_states(factor.problem)) for factor in factors) == [3, 4, 4]
    with pytest.raises(EffortExceeded) as bound:
        bound_by_one_factor(problem, SearchRun())
    assert bound.value.lower_bound == 3  # load in both places, and unload
    found = [solve(problem, engine=engine) for engine in ("naive", "factored")]
    assert [(result.cost, result.optimal) for result in found] == [(8, True)] * 2


def test_too_many_starts_are_told(tmp_path: Path) -> None:
    many = [f"b{number}" for number in range(30)]
    unknown = " ".join(f"(unknown (armed {name}))" for name in many)
    text = f"(define (problem p) (:domain toilet) (:objects {' '.join(many)} - bomb t - toilet) (:init {unknown}) "
    problem = task(tmp_path, BOMBS, f"{text} (:goal (forall (?b - bomb) (not (armed ?b)))))")
    assert problem.count_starts() == 2**30
    starts = iter(problem.initial_states())
    assert next(starts).bit_count() == 30
    with pytest.raises(ProblemError, match="has 1,073,741,824 possible starts, too many to be listed"):
        next(starts)


def test_starts_that_are_not_listed_are_counted(tmp_path: Path) -> None:
    """One `or` over 60 atoms has all solutions but one, and two that share an atom are counted as one part."""
    names = [f"b{number}" for number in range(60)]
    text = f"(define (problem p) (:domain toilet) (:objects {' '.join(names)} - bomb t - toilet) (:init "
    goal = "(:goal (forall (?b - bomb) (not (armed ?b)))))"
    all_armed = [f"(armed {name})" for name in names]
    problem = task(tmp_path, BOMBS, f"{text} (or {' '.join(all_armed)})) {goal}")
    assert problem.count_starts() == 2**60 - 1
    assert problem.factors() is None
    two = f"(or {' '.join(all_armed[:31])}) (or {' '.join(all_armed[30:])})"
    assert task(tmp_path, BOMBS, f"{text} {two}) {goal}").count_starts() == 2**59 + (2**30 - 1) * (2**29 - 1)


_LITERALS = st.lists(st.integers(0, 11), min_size=1, max_size=2).map(tuple)
_CONSTRAINTS = st.lists(
    st.tuples(st.sampled_from(("or", "oneof")), st.lists(_LITERALS, min_size=1, max_size=4)), max_size=5
)


@given(constraints=_CONSTRAINTS)
@settings(max_examples=examples(100))
def test_what_keeps_constraints_is_counted(constraints: list[tuple[str, list[tuple[int, ...]]]]) -> None:
    def keeps(values: tuple[int, ...]) -> bool:
        for kind, members in constraints:
            true = sum(all(values[lit >> 1] != lit & 1 for lit in member) for member in members)
            if not true or (kind == "oneof" and true > 1):
                return False
        return True

    truth = sum(map(keeps, product((0, 1), repeat=6)))
    assert count_solutions([*range(6)], constraints, 64) == truth
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("beliefsearch_problems._pddl.starts._MOST_NODES", 0)  # so that they are gone through
        assert count_solutions([*range(6)], constraints, 64) == truth


def test_a_chain_of_constraints_is_counted_at_once() -> None:
    # Of two neighbours one is true: as many ways as there are words without two zeros in a row.
    count = 400
    before, words = 1, 2
    for _ in range(count - 1):
        before, words = words, before + words
    chain = [("or", [(2 * atom,), (2 * atom + 2,)]) for atom in range(count - 1)]
    assert count_solutions([*range(count)], chain, 10_000) == words


# Random tasks, run by an interpreter that grounds nothing and leaves nothing out.

OBJECTS = ("a", "b")
ATOMS = tuple(product(("p", "q", "r"), OBJECTS))


def formulas(variables: tuple[str, ...], depth: int = 2) -> st.SearchStrategy[Any]:
    atom = st.tuples(st.sampled_from("pqr"), st.sampled_from((*variables, *OBJECTS)))
    equal = st.tuples(st.just("="), st.sampled_from((*variables, *OBJECTS)), st.sampled_from((*variables, *OBJECTS)))
    if not depth:
        return st.one_of(atom, equal)
    part = formulas(variables, depth - 1)
    of_all = st.tuples(st.sampled_from(("forall", "exists")), st.just("?z"), formulas((*variables, "?z"), depth - 1))
    return st.one_of(
        atom,
        st.tuples(st.just("not"), part),
        st.tuples(st.sampled_from(("and", "or")), part, part),
        st.tuples(st.just("imply"), part, part),
        of_all,
    )


def effects(variables: tuple[str, ...], depth: int = 2) -> st.SearchStrategy[Any]:
    atom = st.tuples(st.sampled_from("pqr"), st.sampled_from((*variables, *OBJECTS)))
    literal = st.one_of(atom, st.tuples(st.just("not"), atom))
    if not depth:
        return literal
    part = effects(variables, depth - 1)
    return st.one_of(
        literal,
        st.tuples(st.just("and"), part, part),
        st.tuples(st.just("when"), formulas(variables, 1), part),
        st.tuples(st.just("oneof"), part, part),
        st.tuples(st.just("forall"), st.just("?y"), effects((*variables, "?y"), depth - 1)),
    )


@st.composite
def tasks(draw: Any) -> dict[str, Any]:
    actions = []
    for _ in range(draw(st.integers(1, 3))):
        variables = ("?x",) * draw(st.integers(0, 1))
        actions.append((variables, draw(formulas(variables)), draw(effects(variables))))
    literal = st.one_of(st.sampled_from(ATOMS), st.tuples(st.just("not"), st.sampled_from(ATOMS)))
    facts = st.one_of(
        st.sampled_from(ATOMS),
        st.tuples(st.just("unknown"), st.sampled_from(ATOMS)),
        st.tuples(st.just("oneof"), st.sampled_from(ATOMS), st.sampled_from(ATOMS)),
        st.tuples(st.just("or"), literal, literal),
    )
    return {"actions": actions, "init": draw(st.lists(facts, max_size=3)), "goal": draw(formulas(()))}


def text_of(form: Any) -> str:
    if isinstance(form, str):
        return form
    if form[0] in ("forall", "exists"):
        return f"({form[0]} ({form[1]}) {text_of(form[2])})"
    return f"({' '.join(map(text_of, form))})"


def holds(form: Any, state: frozenset[Any], values: dict[str, str]) -> bool:
    head: str = form[0]
    if head == "not":
        return not holds(form[1], state, values)
    if head == "and":
        return all(holds(part, state, values) for part in form[1:])
    if head == "or":
        return any(holds(part, state, values) for part in form[1:])
    if head == "imply":
        return not holds(form[1], state, values) or holds(form[2], state, values)
    if head in ("forall", "exists"):
        each = (holds(form[2], state, {**values, form[1]: name}) for name in OBJECTS)
        return all(each) if head == "forall" else any(each)
    if head == "=":
        left, right = (values.get(name, str(name)) for name in form[1:])
        return left == right
    return (head, values.get(form[1], form[1])) in state


def outcomes(
    form: Any, state: frozenset[Any], values: dict[str, str]
) -> Iterator[tuple[frozenset[Any], frozenset[Any]]]:
    """What may be added and deleted, in every way that chance may choose."""
    head = form[0]
    if head in ("and", "forall"):
        parts = [(part, values) for part in form[1:]]
        if head == "forall":
            parts = [(form[2], {**values, form[1]: name}) for name in OBJECTS]
        for each in product(*(list(outcomes(part, state, of)) for part, of in parts)):
            yield frozenset().union(*(add for add, _ in each)), frozenset().union(*(gone for _, gone in each))
    elif head == "oneof":
        for part in form[1:]:
            yield from outcomes(part, state, values)
    elif head == "when":
        if holds(form[1], state, values):
            yield from outcomes(form[2], state, values)
        else:
            yield frozenset(), frozenset()
    else:
        atom = form[1] if head == "not" else form
        changed = frozenset({(atom[0], values.get(atom[1], atom[1]))})
        yield (frozenset(), changed) if head == "not" else (changed, frozenset())


def starts(init: list[Any]) -> set[frozenset[Any]]:
    true = {fact for fact in init if fact[0] in "pqr"}
    unknown = {fact[1] for fact in init if fact[0] == "unknown"}
    for fact in init:
        if fact[0] in ("oneof", "or"):
            unknown |= {part[1] if part[0] == "not" else part for part in fact[1:]}
    unknown -= true
    found = set()
    for bits in product((False, True), repeat=len(unknown)):
        state = frozenset(true | {atom for atom, bit in zip(sorted(unknown), bits, strict=True) if bit})
        kept = [sum(holds(part, state, {}) for part in fact[1:]) for fact in init if fact[0] == "oneof"]
        if all(count == 1 for count in kept) and all(holds(fact, state, {}) for fact in init if fact[0] == "or"):
            found.add(state)
    return found


def least_cost(case: dict[str, Any], begin: frozenset[Any]) -> float:
    """The length of a shortest plan for somebody who perceives nothing, breadth-first."""
    ground = [
        (effect, condition, dict(zip(variables, values, strict=True)))
        for variables, condition, effect in case["actions"]
        for values in product(OBJECTS, repeat=len(variables))
    ]
    met = {begin: 0}
    queue = deque([begin])
    while queue:
        belief = queue.popleft()
        if all(holds(case["goal"], state, {}) for state in belief):
            return met[belief]
        for effect, condition, values in ground:
            if all(holds(condition, state, values) for state in belief):
                after = frozenset(
                    (state - gone) | add for state in belief for add, gone in outcomes(effect, state, values)
                )
                if after not in met:
                    met[after] = met[belief] + 1
                    queue.append(after)
    return math.inf


@given(tasks())
def test_random_tasks_cost_what_an_interpreter_finds(
    tmp_path_factory: pytest.TempPathFactory, case: dict[str, Any]
) -> None:
    parts = (
        f"(:action a{number} :parameters ({' '.join(variables)})"
        f" :precondition {text_of(condition)} :effect {text_of(effect)})"
        for number, (variables, condition, effect) in enumerate(case["actions"])
    )
    domain = f"(define (domain d) (:predicates (p ?x) (q ?x) (r ?x)) {' '.join(parts)})"
    init = " ".join(map(text_of, case["init"]))
    problem = f"(define (problem p) (:domain d) (:objects a b) (:init {init}) (:goal {text_of(case['goal'])}))"
    read = task(tmp_path_factory.getbasetemp(), domain, problem)
    begin = frozenset(starts(case["init"]))
    if not begin:
        with pytest.raises(ProblemError, match="contradictory"):
            list(read.initial_states())
        return
    result = solve(read)
    cost = least_cost(case, begin)
    assert (result.cost if result.cost is not None else math.inf) == cost
    assert result.optimal or cost == math.inf


# Published files.


def instances() -> list[Path]:
    paths = [path for path in FIELD.rglob("*.pddl") if path.is_file()]
    return [path for path in sorted(paths) if "(domain" not in re.sub(r"\s", "", path.read_text(errors="replace"))[:40]]


@pytest.mark.skipif(not FIELD.is_dir(), reason="the published files are not here")
@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")
def test_published_files_are_read() -> None:
    found = Random(1).sample(instances(), 20)
    for path in found:
        beside = [other for other in path.parent.glob("*.pddl") if other != path]
        assert not beside or PddlFileProblem(path)


@pytest.mark.skipif(not FIELD.is_dir(), reason="the published files are not here")
@pytest.mark.parametrize("name", ["cff/ring2_r2", "cff/ring2_r3", "cff/bomb_b5-t1", "cff/safe_safe-10"])
def test_published_optima(name: str) -> None:
    known = json.loads((FIELD / "conformant" / "expected.json").read_text())[name]
    problem = PddlFileProblem(FIELD / "conformant" / name / "p.pddl")
    assert str(sum(1 for _ in problem.initial_states())) == known["initial_states"]
    assert solve(problem).cost == known["optimum"]


def test_long_corridors_are_read(tmp_path: Path) -> None:
    """Each place is known to be possible, or to matter, only after its neighbour is."""
    places = [f"s{number}" for number in range(400)]
    ways = " ".join(f"(way {here} {there})" for there, here in pairwise(places))
    domain = """(define (domain corridor) (:predicates (at ?x) (way ?x ?y))
     (:action go :parameters (?x ?y) :precondition (way ?x ?y) :effect (when (at ?x) (and (at ?y) (not (at ?x))))))"""
    anywhere = "(oneof " + " ".join(f"(at {place})" for place in places) + ")"
    for start, count in ((f"(at {places[-1]})", 1), (anywhere, len(places))):
        for order in (places, places[::-1]):
            text = f"(define (problem far) (:domain corridor) (:objects {' '.join(order)}) (:init {start} {ways})"
            problem = task(tmp_path, domain, f"{text} (:goal (at s0)))")
            assert len({*problem.initial_states()}) == count
            state = 1 << problem._atoms.index(f"at({places[-1]})")
            for here, there in pairwise(places[::-1]):
                (state,) = problem.results(state, f"go {here} {there}")
            assert problem.is_goal(state)
