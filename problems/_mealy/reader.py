"""Files of machines and automata, by the endings of their names: what their labels say, and with which probability."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning

from .._source import Source, Token, cut, quoted
from .fsm import read_fsm
from .graphviz import Attributes, Edge, GraphReader
from .kiss import read_kiss

Machine: TypeAlias = Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]
"""By state and input: what may follow, each a next state and an output."""
_FORM = "a machine has labels input/output such as coin/beep, or outputs at its states"
_BREAK = re.compile(r"\\([nlr\\])")
_CHANCE = re.compile(r"(?:(.*):[ ]?)?([01](?:\.\d{0,30})?|\.\d{1,30}|\d(?:\.\d{1,30})?e-\d{1,2})", re.ASCII | re.DOTALL)
_PUSHDOWN = re.compile(r"[^/]*/\s*(?:push|pop)\(.*\)")
_TABLES = {".fsm": read_fsm, ".kiss": read_kiss, ".kiss2": read_kiss}
_ACCEPTING = frozenset({"doublecircle", "doubleoctagon"})
_SHOWN = ("rejected", "accepted")
STEP = "step"
"""The input of a Markov chain, which has none."""
_MISSES = Fraction(1, 50)  # by rounding
_ROUNDED = Fraction(1, 10**9)  # what floats miss anyway is not said


@frozen
class Automaton:
    """A machine with what else its file says."""

    rows: Mapping[str, Mapping[str, Mapping[tuple[str, str], Fraction]]]
    """By state and input, and then by next state and output: the probability; 1 of all if the file has none."""
    has_chances: bool = False
    start: str = ""
    """The initial state, if the file has an arrow to it."""
    shown: Mapping[str, str] = field(factory=dict)
    """By state: what it shows on arriving, if that is where the outputs stand."""


@frozen
class _Labelled:
    """An edge with the parts of its label; without a slash in it the output is None."""

    edge: Edge
    label: Token
    inputs: Sequence[str]
    output: str | None

    @property
    def chance(self) -> re.Match[str] | None:
        """What stands before a probability at the end, and this; None if there is none."""
        return _CHANCE.fullmatch(self.inputs[0] if self.output is None else self.output)


def read_machine(source: Source) -> Machine:
    """The machine in a file, without probabilities; raises `ProblemError`, with line and column, where it is none."""
    ending = source.path.suffix.lower()
    if ending in _TABLES:
        return _TABLES[ending](source)
    found = read_automaton(source, weighed=False)
    if found.has_chances:
        text = (
            f"{source.path.name}: probabilities are not looked at, and whatever is possible may come; "
            "`beliefsearch run prism --file` asks with them how likely an output is"
        )
        warnings.warn(text, DataWarning, stacklevel=2)
    return {state: {given: tuple(row[given]) for given in row} for state, row in found.rows.items()}


def read_automaton(source: Source, weighed: bool = True) -> Automaton:
    """The machine or automaton in a file of Graphviz; raises `ProblemError`, with line and column, where it is none.

    Edges without a label, and those of a node such as `__start0`, are the arrow to the initial state. A state is a node
    with any other edge. What follows an input stands in the label of the edge, or else in those of the nodes. If
    outcomes are to be `weighed` probabilities must sum to 1, or nearly so, and are divided by their sums.
    """
    reader = GraphReader(source)
    labelled: list[_Labelled] = []
    arrows: list[Edge] = []
    for edge in reader.edges():
        label = edge.label
        if edge.tail.rstrip("0123456789") == "__start" or label is None or not label.text.strip():
            arrows.append(edge)
            continue
        for name in (edge.tail, edge.head):
            if not name:
                raise source.error(edge.at, "the name of a state is empty here")
            _check_name(source, name, edge.at)
        labelled.append(_Labelled(edge, label, *_divided(source, label)))
    if not labelled:
        raise ProblemError(f"{source.path}: there is no edge with a label; {_FORM}")
    states = dict.fromkeys(name for each in labelled for name in (each.edge.tail, each.edge.head))
    for edge in arrows:
        if edge.tail in states:
            raise source.error(edge.at, f"this edge has no label, though {quoted(edge.tail)} is a state; {_FORM}")
    start = next((edge.head for edge in arrows if edge.head in states), "")
    _check_outputs(source, labelled)
    by_chance = _has_chances(labelled)
    shown = _shown(source, reader.nodes, states, by_chance) if labelled[0].output is None else {}
    rows: dict[str, dict[str, dict[tuple[str, str], Fraction]]] = {state: {} for state in states}
    places: dict[tuple[str, str], int] = {}
    for each in labelled:
        edge, inputs, output, chance = each.edge, each.inputs, each.output, Fraction(1)
        found = each.chance
        if by_chance and found is not None:
            said, chance = (found[1] or "").strip(), Fraction(found[2])
            inputs, output = (inputs, said) if output is not None else ([said or STEP], None)
            if not chance:
                continue
        told = (edge.head, shown.get(edge.head, "") if output is None else output)
        for given in inputs:
            outcomes = rows[edge.tail].setdefault(given, {})
            outcomes[told] = chance + (outcomes.get(told, 0) if by_chance else 0)
            places.setdefault((edge.tail, given), each.label.at)
    if by_chance and weighed:
        _check_sums(source, rows, places)
    return Automaton(rows, by_chance, start, shown)


def _text(token: Token) -> str:
    """The text of a label, with its line breaks."""
    if token.kind != "quoted":
        return token.text
    return _BREAK.sub(lambda escape: "\\" if escape[1] == "\\" else "\n", token.text)


def _divided(source: Source, label: Token) -> tuple[Sequence[str], str | None]:
    """The inputs and the output of a label; without a slash the output is None."""
    text = _text(label)
    before, divider, behind = text.partition("/")
    inputs = [before]
    lines = text.strip().split("\n")
    if label.kind == "html" and len(lines) == 2 and "/" not in lines[0] and not lines[1].lstrip().startswith("/"):
        # A line with inputs, and one with the output, where a slash is a letter: machines of TLS are drawn so.
        before, behind = lines
        divider, inputs = "\n", before.split("|")
    given, output = [" ".join(part.split()) for part in inputs], " ".join(behind.split())
    if not all(given):
        raise source.error(label.at, f"the label {quoted('/' + output)} has no input before the slash; {_FORM}")
    if any("/" in line for line in behind.split("\n")[1:]):
        raise source.error(
            label.at, f"several transitions from {quoted(given[0])} on stand in one label; give each an edge"
        )
    for name in (*given, output):
        _check_name(source, name, label.at)
    return given, output if divider else None


def _check_name(source: Source, name: str, at: int) -> None:
    """Refuse what cannot be printed."""
    if not name.isprintable():  # a terminal would obey it
        raise source.error(at, f"{quoted(name)} is no name: it cannot be printed")


def _check_outputs(source: Source, labelled: Sequence[_Labelled]) -> None:
    """Refuse labels of two sorts, and those of an automaton with a stack, which is no finite machine."""
    for each in labelled:
        if each.output is not None and _PUSHDOWN.fullmatch(_text(each.label)):
            complaint = f"{quoted(_text(each.label))} is of an automaton with a stack, which is no finite machine"
            raise source.error(each.label.at, complaint)
    if len({each.output is None for each in labelled}) > 1:
        wrong = next(each for each in labelled if each.output is None)
        complaint = f"the label {quoted(wrong.inputs[0])} has no slash, and others have one; {_FORM}"
        raise source.error(wrong.label.at, complaint)


def _shown(
    source: Source, nodes: Mapping[str, Attributes], states: Iterable[str], by_chance: bool
) -> Mapping[str, str]:
    """By state: what stands in its label behind a bar or a slash, or whether it is accepting, or its label.

    Labels that all differ are names, and nothing is shown, unless there are probabilities.
    """
    labels: dict[str, str] = {}
    outputs: dict[str, str] = {}
    accepting: set[str] = set()
    are_records = True
    for state in states:
        attributes = nodes[state]
        label, shape, lines = map(attributes.get, ("label", "shape", "peripheries"))
        text = state if label is None else " ".join(_text(label).split())
        _check_name(source, text, 0 if label is None else label.at)
        if (shape and shape.text.lower() in _ACCEPTING) or (lines and lines.text == "2"):
            accepting.add(state)
        has_braces = text.startswith("{") and text.endswith("}")
        is_record = has_braces or (shape is not None and "record" in shape.text.lower())
        _, divider, output = text.strip("{}" if has_braces else "").partition("|" if is_record else " /")
        are_records = are_records and bool(divider) and (is_record or not by_chance)
        outputs[state] = output.strip()
        labels[state] = text
    if are_records:
        return outputs
    if accepting:
        return {state: _SHOWN[state in accepting] for state in labels}
    return labels if by_chance or len({*labels.values()}) < len(labels) else {}


def _has_chances(labelled: Sequence[_Labelled]) -> bool:
    """Whether all labels end in a probability, which matters somewhere, or is written as 1.0 is everywhere."""
    inputs: set[tuple[str, str | None]] = set()
    written: list[str] = []
    for each in labelled:
        match = each.chance
        if match is None or (each.output is not None and match[1] is None):
            return False
        inputs.add((each.edge.tail, match[1] if each.output is None else each.inputs[0]))
        written.append(match[2])
    if len(inputs) < len(labelled):
        return any(Fraction(text) not in (0, 1) for text in written)
    return all("." in text and Fraction(text) == 1 for text in written)


def _check_sums(
    source: Source,
    rows: Mapping[str, Mapping[str, dict[tuple[str, str], Fraction]]],
    places: Mapping[tuple[str, str], int],
) -> None:
    """Divide probabilities by their sums, which must be nearly 1."""
    rounded = 0
    for state, row in rows.items():
        for given, outcomes in row.items():
            total = sum(outcomes.values(), Fraction(0))
            if abs(total - 1) > _MISSES:
                said = f"the probabilities of {quoted(given)} in {quoted(state)} sum to {cut(str(float(total)))}, not 1"
                raise source.error(places[state, given], said)
            rounded += abs(total - 1) > _ROUNDED
            for told in outcomes:
                outcomes[told] /= total
    if rounded:
        text = f"{source.path.name}: where probabilities were rounded, {rounded} times, they are divided by their sum"
        warnings.warn(text, DataWarning, stacklevel=2)
