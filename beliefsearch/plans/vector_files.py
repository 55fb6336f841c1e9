"""Policies of POMDPs in the files of other solvers, with numbers for states, actions and percepts: read and written.

SARSOP's `.policy` is XML with one alpha vector an element. pomdp-solve's `.alpha` has pairs of lines, an action and the
values of its vector. pomdp-solve's `.pg` has a node a line: its number, its action, and the next node for each percept,
or `-` for an impossible one; its nodes are the vectors of the `.alpha` file beside it. Controllers in JSON, as PAYNT
has them, are only written.

Where a policy graph is written as vectors, each node becomes one. In a state in which the node must not be used, the
vector has a lower bound on the value of every policy, so that it never exceeds the true value.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from attrs import frozen

from ..errors import BeliefSearchError, InvalidPlanError
from ..model.belief import no_tick
from ..model.stochastic import numbering_of
from .policy import PolicyGraph
from .wording import plural
from .xml_elements import XmlElement, XmlError, read_xml

VECTOR_ENDINGS = (".policy", ".policyx", ".alpha", ".pg")
"""Of files of these forms; the last one is a graph. Other planners give policies as text the first ending, too."""

MOST_VECTOR_BYTES = 512 * 2**20
"""The largest policy file that is read, of some fifty million values."""

# The most values of a vector that is written sparsely.
_LONGEST = 1_000_000


class Vector(NamedTuple):
    """An alpha vector: its action, and its values by state of the block with this number."""

    action: int
    values: array[float]
    block: int = 0


@frozen
class VectorPolicy:
    """Alpha vectors, whose maximum at a belief decides the action; or a graph: `actions` and `successors` of nodes.

    States are divided, in their order, into blocks of equal size, and the player knows the block of the state.
    """

    vectors: Sequence[Vector] = ()
    blocks: int = 1
    actions: Sequence[int] = ()
    successors: Sequence[Sequence[int | None]] = ()

    def summary(self, *, costs: bool) -> str:
        """Describe the policy in a few words; `costs` is whether its values are costs."""
        if self.successors:
            return f"its graph of {plural(len(self.actions), 'node')}"
        return f"acting by the {'least' if costs else 'greatest'} of its {plural(len(self.vectors), 'vector')}"


def may_hold_vectors(text: str) -> bool:
    """Whether a text may be in one of these forms: XML, or a first line of numbers."""
    first = next((words for _, words in _lines(text)), ["<"])
    return first[0].startswith("<") or all(re.fullmatch(r"(?i)[-+.\d][-+.\de]*|x", word) for word in first)


def read_vectors(text: str, ending: str, tick: Callable[[], None] = no_tick) -> VectorPolicy:
    """Read a policy in the form of this file ending; an `InvalidPlanError` names the place of a mistake."""
    if ending == VECTOR_ENDINGS[-1]:
        return _graph(text, tick)
    try:
        policy = _of_xml(read_xml(text, tick), tick) if text.lstrip()[:1] == "<" else _of_lines(text, tick)
    except XmlError as error:
        raise InvalidPlanError(str(error)) from None
    if not policy.vectors:
        raise InvalidPlanError("it has no vectors")
    return policy


def _of_xml(top: XmlElement, tick: Callable[[], None]) -> VectorPolicy:
    found = top.one("AlphaVector")
    length, blocks = (_count(found.get(name), found) for name in ("vectorLength", "numObsValue"))
    vectors = []
    for element in found.children:
        tick()
        if element.tag not in ("Vector", "SparseVector"):
            raise element.error(f"<Vector> should stand here, not <{element.tag}>")
        action, block = _count(element.get("action"), element), _count(element.attributes.get("obsValue", "0"), element)
        if block >= blocks:
            raise element.error(f"obsValue is {block}, and numObsValue only {blocks}")
        try:
            if element.tag == "Vector":
                values = _numbers(element.text.split())
            else:
                values = array("d", bytes(8 * min(length, _LONGEST)))
                for entry in element.all("Entry"):
                    place, value = entry.text.split()
                    values[_count(place, entry)] = _numbers([value])[0]
        except (ValueError, IndexError) as error:
            raise element.error(f"its values cannot be read: {error}") from None
        if len(values) != length:
            raise element.error(f"the vector has {len(values):,} values, and vectorLength says {length:,}")
        vectors.append(Vector(action, values, block))
    return VectorPolicy(vectors, blocks)


def _count(word: str, element: XmlElement) -> int:
    try:
        return _index(word)
    except ValueError as error:
        raise element.error(str(error)) from None


def _numbers(words: Sequence[str]) -> array[float]:
    """Finite numbers; a ValueError names a word that is none."""
    found = array("d", map(float, words))
    if not all(map(math.isfinite, found)):
        word = next(word for word, value in zip(words, found, strict=True) if not math.isfinite(value))
        raise ValueError(f"{word[:40]!r} is no finite number")
    return found


def _of_lines(text: str, tick: Callable[[], None]) -> VectorPolicy:
    vectors: list[Vector] = []
    action: int | None = None
    number = 0
    for number, words in _lines(text):
        tick()
        try:
            if action is None:
                action = _index(" ".join(words))
                continue
            vectors.append(Vector(action, _numbers(words)))
        except ValueError as error:
            wanted = "a line with the number of an action" if action is None else "a line of values"
            raise InvalidPlanError(f"line {number}: {wanted} should stand here: {error}") from None
        action = None
        if len(vectors[-1].values) != len(vectors[0].values):
            told = f"{len(vectors[-1].values):,} values, and the first vector {len(vectors[0].values):,}"
            raise InvalidPlanError(f"line {number}: this vector has {told}")
    if action is not None:
        raise InvalidPlanError(f"line {number}: it ends where the values of a vector should stand")
    return VectorPolicy(vectors)


def _graph(text: str, tick: Callable[[], None]) -> VectorPolicy:
    actions: list[int] = []
    successors: list[list[int | None]] = []
    for number, words in _lines(text):
        tick()
        try:
            found = [None if word in ("-", "X", "x") else _index(word) for word in words]
        except ValueError as error:
            raise InvalidPlanError(f"line {number}: it is no node of a policy graph: {error}") from None
        node, action, after = found[0], found[1] if len(found) > 1 else None, found[2:]
        if node != len(actions) or action is None or (successors and len(after) != len(successors[0])):
            wanted = f"node {len(actions)}, its action and a next node for each percept"
            raise InvalidPlanError(f"line {number}: {wanted} should stand here")
        actions.append(action)
        successors.append(after)
    for node, after in enumerate(successors):
        for target in after:
            if target is not None and target >= len(actions):
                raise InvalidPlanError(f"node {node} leads to node {target}, and there are {len(actions)} nodes")
    if not actions:
        raise InvalidPlanError("it has no nodes")
    return VectorPolicy(actions=actions, successors=successors)


def _index(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 10):
        raise ValueError(f"{word[:40]!r} is no number that counts from 0")
    return int(word)


def _lines(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number and the words of each line that is not empty, without comments after `#`."""
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition("#")[0].split():
            yield number, words


_Policy = PolicyGraph[Any, Any, Any]


def policy_lines(problem: Any, policy: _Policy, tick: Callable[[], None]) -> Iterator[str]:
    """The lines of a file `.policy`, as SARSOP writes it."""
    vectors = [*_vectors(problem, policy, tick)]
    length = len(numbering_of(problem).states)
    yield '<?xml version="1.0" encoding="ISO-8859-1"?>'
    yield '<Policy version="0.1" type="value">'
    yield f'<AlphaVector vectorLength="{length}" numObsValue="1" numVectors="{len(vectors)}">'
    for action, values in vectors:
        yield f'<Vector action="{action}" obsValue="0">{values} </Vector>'
    yield "</AlphaVector> </Policy>"


def alpha_lines(problem: Any, policy: _Policy, tick: Callable[[], None]) -> Iterator[str]:
    """The lines of a file `.alpha`, as pomdp-solve writes it; the nodes have the order of `pg_lines`."""
    for action, values in _vectors(problem, policy, tick):
        yield from (str(action), values, "")


def pg_lines(problem: Any, policy: _Policy, tick: Callable[[], None]) -> Iterator[str]:
    """The lines of a file `.pg`, as pomdp-solve writes it."""
    for place, (action, following) in enumerate(_nodes(problem, policy)):
        yield f"{place} {action}  {' '.join('-' if target is None else str(target) for target in following)}"


def controller_lines(problem: Any, policy: _Policy, tick: Callable[[], None]) -> Iterator[str]:
    """The lines of a controller in JSON, as PAYNT writes it for models of Storm.

    Its action depends on the memory and the present percept. So its memory is the previous node of the graph: in memory
    m + 1 with percept z it does the action of the node after m and z. In memory 0 nothing has been done yet.
    """
    numbering, nodes = numbering_of(problem), [*_nodes(problem, policy)]
    first: list[int | None] = [0] * len(numbering.percepts)
    moves = [[k or 0 for k in following] for following in (first, *(following for _, following in nodes))]
    document = {
        "num_nodes": len(moves),
        "num_observations": len(first),
        "action_function": [[nodes[k][0] for k in following] for following in moves],
        "update_function": [[k + 1 for k in following] for following in moves],
        "action_labels": [problem.format_action(action) for action in numbering.actions],
        "observation_labels": [problem.format_percept(percept) for percept in numbering.percepts],
    }
    yield json.dumps(document)


def _nodes(problem: Any, policy: _Policy) -> Iterator[tuple[int, list[int | None]]]:
    """Yield the action and the successors of each node, the start first; all by number, successors by percept."""
    numbering = numbering_of(problem)
    action_of = {action: number for number, action in enumerate(numbering.actions)}
    place_of = {node: place for place, node in enumerate(_order(policy))}
    for node in place_of:
        following = policy.successors[node]
        yield (
            action_of[policy.action(node)],
            [place_of[following[percept]] if percept in following else None for percept in numbering.percepts],
        )


def _order(policy: _Policy) -> list[int]:
    return [policy.start, *(node for node in range(len(policy)) if node != policy.start)]


def _vectors(problem: Any, policy: _Policy, tick: Callable[[], None]) -> Iterator[tuple[int, str]]:
    """Yield the number of each node's action, and its values by state as text; costs are positive."""
    numbering = numbering_of(problem)
    if problem.discount() == 1 or policy.steps is not None:
        raise BeliefSearchError("vectors say what is worth how much for ever, with a discount below 1; choose pg")
    action_of = {action: number for number, action in enumerate(numbering.actions)}
    going_on = [state for state in numbering.states if not problem.is_terminal(state)]
    least = min((problem.reward(state, action) for state in going_on for action in problem.actions(state)), default=0)
    usual = {
        **dict.fromkeys(numbering.states, 0),
        **dict.fromkeys(going_on, min(least, 0) / (1 - Fraction(problem.discount()))),
    }
    sign = -1 if problem.minimizes_cost() else 1
    for node in _order(policy):
        tick()
        values = {**usual, **policy.values[node]}
        yield (
            action_of[policy.action(node)],
            " ".join(repr(sign * float(values[state])) for state in numbering.states),
        )
