"""Plans as text, as the planners of the competitions write them: read line by line, and written.

Four forms are read, in lower or upper case, with comments after a semicolon, which a space parts from an action:

- a *sequence*: one action a line, in brackets or not, perhaps numbered: `(move a b)`, `3: MOVE A B`, `step 3: ...`;
  other output of the planner before the first and after the last numbered line is skipped;
- a *list of numbers*, as in the conformant track of 2006: a line of actions, `%%`, and `linear 2 0 1`;
- a *tree*, as Contingent-FF writes it: `0||0 --- LOOK A --- TRUESON: 1||0 --- FALSESON: 1||1`, where the number -1
  after the bars is an end;
- a *policy*, as PRP writes it for people: a line `If holds: at(a)/not(open(b))`, and below it `Execute: move a b`; or
  a rule a line, `(at a) (not (open b)) -> (move a b)`.

`text_steps.py` finds the actions and percepts of a problem that the names mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from ..errors import InvalidPlanError
from ..model.problem import BeliefProblem
from .plan import Plan

MOST_BYTES = 64 * 2**20
"""The largest text file that is read."""

YES, NO, ANY = "TRUESON", "FALSESON", "SON"
"""Labels of branches in a tree: the observed formula is true, it is false, and the only branch."""

_NOT = "not "
_COMMENT, _JOINED = re.compile(r";.*"), re.compile(r"[^;]*[^;\s];[^;\s]")
_SEVERAL = re.compile(r"(?:\([^()]*\)\s*){2,}")
_NUMBERED = re.compile(r"(?:step\s+)?\d+(?:\.\d+)?\s*:\s*(.*?)\s*(?:\[[\d.]+\])?", re.IGNORECASE)
_NODE = re.compile(r"(-?\d+\|\|-?\d+)\s+---\s+(.*?)\s+---\s+((?:TRUE|FALSE)?SON\b.*)", re.IGNORECASE)
_SON = re.compile(r"((?:TRUE|FALSE)?SON)(?: \[(.*?)\])?:\s*(-?\d+\|\|-?\d+)\s*(?:---|$)\s*", re.IGNORECASE)
_HOLDS = re.compile(r"If holds:(.*)", re.IGNORECASE)
_RULE = re.compile(r"(.*\S) (?:->|=>|→) (\S.*)")
_IN_BRACKETS = re.compile(r"(\( ?not ?)?\( ?([^() ]+) ?([^()]*?) ?\)", re.IGNORECASE)
_EXECUTE = re.compile(r"Execute:\s*(.*?)\s*(?:/\s*(?:N?SC|FSAP)\b.*)?", re.IGNORECASE)
_OF_FF = "reach-goal"
"""The action that FF appends if the goal is no list of atoms."""
_COPY = re.compile(r"_DETDUP_\d+", re.IGNORECASE)
_FACT = re.compile(r"(?:[^,(]|\([^)]*\)|\()+")


@frozen
class TextStep:
    """A step of a plan in a text: its line, its name, its action, and its branches."""

    line: int
    name: str
    action: str
    then: Mapping[str, str] = {}
    """The name of the next step for each percept, `YES`, `NO` or `ANY`; a name that no step has is an end."""


@frozen
class TextRule:
    """A rule of a policy in a text: facts that must be true, facts that must be false, and the action."""

    line: int
    true: frozenset[str]
    false: frozenset[str]
    action: str


@frozen
class TextPlan:
    """A plan in a text: steps, each followed by the next one or by those that it names; or rules."""

    steps: tuple[TextStep, ...]
    rules: tuple[TextRule, ...] = ()
    branches: bool = False

    @property
    def actions(self) -> tuple[str, ...]:
        """The different actions of the steps, as they are written."""
        return tuple(dict.fromkeys(step.action for step in self.steps))


def read_plan_text(text: str) -> TextPlan:
    """Read a plan in one of the four forms; an `InvalidPlanError` names a line that cannot be read, and the reason."""
    # With single spaces, so that matching takes linear time.
    written = text.splitlines()
    lines = [(number, " ".join(_COMMENT.sub("", line).split())) for number, line in enumerate(written, 1)]
    lines = [(number, line) for number, line in lines if line]
    if any(line == "%%" for _, line in lines):
        return _numbers(lines)
    if any(_NODE.fullmatch(line) for _, line in lines):
        return _tree(lines)
    if any(_HOLDS.fullmatch(line) for _, line in lines) or (lines and all(_RULE.fullmatch(line) for _, line in lines)):
        return _policy(lines)
    numbered = [place for place, (_, line) in enumerate(lines) if _NUMBERED.fullmatch(line)]
    if numbered:
        lines = lines[numbered[0] : numbered[-1] + 1]
    steps: list[TextStep] = []
    for number, line in lines:
        match = _NUMBERED.fullmatch(line)
        if _JOINED.match(written[number - 1]):
            raise _unread(number, written[number - 1], "a semicolon begins a comment; actions stand a line each")
        if numbered and match is None:
            raise _unread(number, line, "expected a numbered action, as on the lines around it")
        action = match[1] if match else line
        for part in re.findall(r"\([^()]*\)", action) if _SEVERAL.fullmatch(action) else (action,):
            steps.append(TextStep(number, str(len(steps) + 1), part))
    if steps and bare(steps[-1].action).lower() == _OF_FF:
        del steps[-1]
    return TextPlan(tuple(steps))


def text_plan_in(path: Path) -> TextPlan | None:
    """Read the plan in a text file; None if it is a plan file, which holds a JSON object, compressed or not.

    An `InvalidPlanError` names the file.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InvalidPlanError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    if data.startswith(b"\x1f\x8b") or re.match(rb'\s*\{\s*["}]', data):
        return None
    if len(data) > MOST_BYTES:
        raise InvalidPlanError(f"{str(path)!r} is larger than {MOST_BYTES >> 20} MiB, and so no plan as text")
    try:
        return read_plan_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidPlanError(f"{str(path)!r} is no text") from None
    except InvalidPlanError as error:
        raise InvalidPlanError(f"{str(path)!r}, {error}") from None


def bare(action: str) -> str:
    """An action without the brackets around it, and with single spaces."""
    inner = action.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    return " ".join(inner.split())


def facts_of(state: str) -> frozenset[str]:
    """The facts in the text of a state, which are separated by commas outside of brackets; "nothing" is none."""
    return frozenset(_plain(fact) for fact in _FACT.findall(state) if fact.strip()) - {"nothing"}


def plan_lines(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> Iterator[str]:
    """Write a plan: as a sequence, as a policy if the percepts are states, else as a tree."""
    if not plan.is_conditional:
        yield from (f"({bare(problem.format_action(action))})" for action in plan)
    elif rules := _rules(problem, plan):
        for state, action in rules.items():
            yield f"If holds: {'/'.join(_FACT.findall(state)).replace('/ ', '/')}"
            yield f"Execute: {action}"
    else:
        yield from _tree_lines(problem, plan)


def _unread(number: int, line: str, complaint: str) -> InvalidPlanError:
    return InvalidPlanError(f"line {number}, {line[:40]!r}: {complaint}")


def _whole(word: str) -> int:
    """Read a whole number; return a number above all valid ones if the word is none, or has too many digits."""
    return int(word) if word.isdecimal() and len(word) < 10 else MOST_BYTES


def _plain(fact: str) -> str:
    return re.sub(r"\s*([(),])\s*", r"\1", fact.strip().lower()).replace("()", "")


def _numbers(lines: Sequence[tuple[int, str]]) -> TextPlan:
    """Read a list of actions and a list of their numbers, each headed by its length."""
    marks = [place for place, (_, line) in enumerate(lines) if line == "%%"]
    begin = marks[-2] + 1 if len(marks) > 1 else 0
    listed = " ".join(line for _, line in lines[begin : marks[-1]])
    count, *names = re.findall(r"\([^()]*\)|[^\s()]+", listed) or [""]
    number, line = lines[min(marks[-1] + 1, len(lines) - 1)]
    words = " ".join(line for _, line in lines[marks[-1] + 1 :]).split()
    if _whole(count) != len(names):
        raise _unread(lines[begin][0], listed, "expected the number of actions, and as many actions")
    if (
        words[:1] != ["linear"]
        or not all(word.isdecimal() for word in words[1:])
        or words[1:2] != [str(len(words) - 2)]
    ):
        raise _unread(number, line, "expected linear, a length, and as many numbers of actions")
    if any(_whole(word) >= len(names) for word in words[2:]):
        raise _unread(number, line, f"a number of no action; the actions have the numbers 0 to {len(names) - 1}")
    return TextPlan(tuple(TextStep(number, str(at), names[int(word)]) for at, word in enumerate(words[2:], 1)))


def _tree(lines: Sequence[tuple[int, str]]) -> TextPlan:
    found = [place for place, (_, line) in enumerate(lines) if _NODE.fullmatch(line)]
    steps: dict[str, TextStep] = {}
    for number, line in lines[found[0] : found[-1] + 1]:
        match = _NODE.fullmatch(line)
        if match is None:
            raise _unread(number, line, "expected a step such as 0||0 --- ACTION --- SON: 1||0")
        name, action, sons = match.groups()
        then = _branches(sons)
        if not then:
            raise _unread(number, line, "expected SON: 1||0, or TRUESON: 1||0 --- FALSESON: 1||1")
        if name in steps:
            raise _unread(number, line, f"there is a step {name} already, on line {steps[name].line}")
        steps[name] = TextStep(number, name, action, then)
    for step in steps.values():
        for target in step.then.values():
            if target not in steps and not target.endswith("||-1"):
                raise InvalidPlanError(f"line {step.line}: it goes on to the step {target}, and there is none")
    return TextPlan(tuple(steps.values()), branches=True)


def _branches(sons: str) -> dict[str, str]:
    """Return the next step for each percept, or label of a branch; empty if that cannot be read."""
    then: dict[str, str] = {}
    place = 0
    while place < len(sons):  # not `finditer`, which would search the whole rest for each match: quadratic time
        match = _SON.match(sons, place)
        if match is None:
            return {}
        kind, label, target = match.groups()
        then[label or kind.upper()] = target
        place = match.end()
    return then


def _policy(lines: Sequence[tuple[int, str]]) -> TextPlan:
    rules: list[TextRule] = []
    holds: tuple[int, str] | None = None
    for number, line in lines:
        if match := _HOLDS.fullmatch(line):
            holds = (number, match[1])
        elif match := _RULE.fullmatch(line):
            rules.append(_rule(number, match[1], match[2]))
        elif holds is not None and (match := _EXECUTE.fullmatch(line)):
            if match[1].lower() != "goal":
                rules.append(_rule(*holds, _COPY.sub("", match[1])))
            holds = None
        elif not set(line) <= set("-=") and not line.lower().startswith("policy"):
            raise _unread(number, line, "expected If holds: FACTS, and below it Execute: ACTION")
    return TextPlan((), tuple(rules), branches=True)


def _rule(number: int, holds: str, action: str) -> TextRule:
    """The rule for states in which facts hold, parted by slashes or commas, or each in brackets as PDDL has them."""
    if holds.startswith("("):
        written = _IN_BRACKETS.findall(holds)
        facts = [f"{name}({','.join(names.split())})" for _, name, names in written]
        signed = [f"not({fact})" if no else fact for (no, _, _), fact in zip(written, facts, strict=True)]
    else:
        signed = [part for fact in holds.split("/") for part in _FACT.findall(fact)]
    plain = [_plain(fact) for fact in signed if fact.strip() not in ("", "nothing")]
    false = frozenset(fact[4:-1] for fact in plain if fact.startswith("not("))
    return TextRule(number, frozenset(plain) - {f"not({fact})" for fact in false}, false, action)


def _rules(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> dict[str, str] | None:
    """Return the action for each state, both as text, if the percepts are the states and there is one initial state.

    Where there are rules it is by partial states, of which the first that fits counts.
    """
    from ..model.belief import initial_belief, outcomes
    from .partial_courses import rules_of

    if (exact := rules_of(problem)) is not None:
        return _partial_rules(problem, exact, plan)
    start = initial_belief(problem)
    if len(start) != 1:
        return None
    rules: dict[str, str] = {}
    waiting = [(0, start)]
    for number, belief in waiting:  # grows while it is walked
        node = plan.nodes[number]
        state = ", ".join(problem.format_state(state) for state in belief)
        if node.is_end or state in rules:
            continue
        rules[state] = bare(problem.format_action(node.action))
        for percept, states in outcomes(problem, belief, node.action).items():
            if [problem.format_state(state) for state in states] != [problem.format_percept(percept)]:
                return None
            waiting.append((plan.follow(number, percept), frozenset(states)))
    # The first rule that holds counts: one that lists more facts goes before those that hold where it does.
    return dict(sorted(rules.items(), key=lambda rule: -len(facts_of(rule[0]))))


def _partial_rules(problem: BeliefProblem[Any, Any, Any], exact: Any, plan: Plan[Any, Any]) -> dict[str, str]:
    """Return by partial state what to do there, as text: what is nearer to the end first, so that a rule leads on.

    Near is what costs little in the worst case, so that the policy costs no more than the plan; or, if that keeps
    trying, what may end soon.
    """
    from ..model.reachability import costs_to_ends, steps_to
    from .node_plans import GivenPlan
    from .partial_courses import PartialCourse

    untold = evolve(exact, told=dict.fromkeys(exact.told, 0))  # a policy goes by the state, whatever the player is told
    places = PartialCourse(problem, untold, GivenPlan(plan.as_conditional())).places
    after = {place: [*place.then.values()] for place in places}
    try:
        far: dict[Any, Any] = costs_to_ends(after, lambda place: problem.action_cost(place.state, place.action))
    except CycleError:
        ways = ((place, then) for place in places for then in after[place])
        far = dict.fromkeys(places, len(places)) | steps_to((place for place in places if not place.then), ways)
    rules: dict[str, str] = {}
    for place in sorted((place for place in far if place.then), key=far.__getitem__):  # of equals the nearer one
        bits = exact.bits(place.state)
        pairs = [(name, bits >> n & 1) for n, name in enumerate(exact.names) if place.parts >> n & 1]
        state = ", ".join(name if holds else f"not({name})" for name, holds in pairs)
        rules.setdefault(state, bare(problem.format_action(place.action)))
    return rules


def _tree_lines(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> Iterator[str]:
    """Yield the reachable steps, layer by layer, each once."""
    layers: list[list[int]] = [[0]]
    name_of = {0: "0||0"}
    for layer in layers:  # grows while it is walked
        targets = dict.fromkeys(target for number in layer for _, target in plan.nodes[number].branches)
        below = [number for number in targets if number not in name_of and not plan.nodes[number].is_end]
        name_of |= {number: f"{len(layers)}||{place}" for place, number in enumerate(below)}
        layers += [below] if below else []
    for depth, layer in enumerate(layers):
        for number in layer:
            node = plan.nodes[number]
            if node.is_end:  # the empty plan
                continue
            texts = [problem.format_percept(percept) for percept, _ in node.branches]
            sons = [
                f"{son}: {name_of.get(target, f'{depth + 1}||-1')}"
                for son, (_, target) in zip(_sons(texts), node.branches, strict=True)
            ]
            sons.sort(key=lambda son: son.startswith(NO))  # readers expect `YES` first
            yield f"{name_of[number]} --- {bare(problem.format_action(node.action))} --- {' --- '.join(sons)}"


def _sons(percepts: Sequence[str]) -> list[str]:
    """Label the branches for these percepts: `YES` and `NO` for a formula and its negation, else with the percepts."""
    if len(percepts) == 1:
        return [ANY]
    told = [*map(observed, percepts)]
    if len(told) == 2 and told[0][0] == told[1][0]:
        return [truth for _, truth in told]
    return [f"{ANY} [{percept}]" for percept in percepts]


def observed(percept: str) -> tuple[str, str]:
    """Return the formula that a percept affirms or denies, and which of them, as the label `YES` or `NO`."""
    return (percept.removeprefix(_NOT), NO) if percept.startswith(_NOT) else (percept, YES)


def son_for(percept: str, then: Mapping[str, str], truth: str) -> str | None:
    """Return the next step after a percept, which may also be labelled by its truth; None without a branch for it."""
    labels = (percept, " ".join(percept.split()), truth, ANY)
    return next((then[label] for label in labels if label in then), None)
