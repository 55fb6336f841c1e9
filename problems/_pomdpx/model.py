"""Model that a PomdpX file stands for: rows are made of the tables of its variables, each when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from attrs import define, field

from beliefsearch import ProblemError
from beliefsearch.tools import XmlElement, XmlError, read_xml

from .._pomdp.rows import Repairs, Row, sum_unless_one
from .._pomdp.words import Chances, Numbers
from .._source import Source, quoted, some_of
from .tables import Table, Variable, read_table

# So many states, actions or percepts have names.
_MOST = 1_000_000
_ONE = Fraction(1)

_Numbered: TypeAlias = Mapping[str, int]


@define(eq=False)
class FactoredModel:
    """What `FileModel` has, by the numbers of joint values; fully observed variables come first in a state.

    They are perceived as well, behind the observations.
    """

    states: _Numbered
    actions: _Numbered
    percepts: _Numbered
    discount: Fraction
    start: Row
    variables: Sequence[Variable]
    _seen_variables: Sequence[Variable]
    _acting: Sequence[Variable]
    _moves: Sequence[Table]  # by variable, those first on whose next values others depend
    _observing: Sequence[Table]
    _rewards: Sequence[Table]
    is_cost: bool = False
    _known: dict[tuple[int, int, bool], Row] = field(factory=dict)

    def result_row(self, action: int, state: int) -> Row:
        """How probable each result is."""
        return self._row(self._moves, self.variables, action, state, is_after=False)

    def percept_row(self, action: int, state: int) -> Row:
        """How probable each percept is on arriving in a state."""
        return self._row(self._observing, self._seen_variables, action, state, is_after=True)

    def _row(
        self, tables: Sequence[Table], variables: Sequence[Variable], action: int, state: int, *, is_after: bool
    ) -> Row:
        """A row of joint values of variables, made once."""
        key = action, state, is_after
        if key not in self._known:
            known = {**self._action(action), **_values(self.variables, state, is_after=is_after)}
            self._known[key] = joint_row(tables, known, variables)
        return self._known[key]

    def reward(self, action: int, state: int) -> Fraction:
        """The mean reward."""
        before = {**self._action(action), **_values(self.variables, state, is_after=False)}
        total = Fraction(0)
        for table in self._rewards:
            if set(table.names) <= set(before):
                total += table.value(before)
                continue
            for result, chance in self.result_row(action, state).items():
                after = {**before, **_values(self.variables, result, is_after=True)}
                if set(table.names) <= set(after):
                    total += chance * table.value(after)
                    continue
                for percept, likely in self.percept_row(action, result).items():
                    seen = _values(self._seen_variables, percept, is_after=True)
                    total += chance * likely * table.value({**after, **seen})
        return total

    def _action(self, action: int) -> dict[str, int]:
        return _values(self._acting, action, is_after=True)


def _values(variables: Sequence[Variable], number: int, *, is_after: bool) -> dict[str, int]:
    """The value of each variable in a joint value, the last variable changing fastest."""
    found: dict[str, int] = {}
    for variable in reversed(variables):
        number, value = divmod(number, len(variable.values))
        found[variable.after if is_after else variable.before] = value
    return found


def joint_row(tables: Sequence[Table], known: Mapping[str, int], variables: Sequence[Variable]) -> Row:
    """The probabilities of joint values; each table is that of one variable, given those before it and what is known.

    A variable without a table has the value that is known.
    """
    partial: list[tuple[dict[str, int], Fraction]] = [(dict(known), _ONE)]
    for table in tables:
        partial = [
            ({**values, table.names[-1]: value}, chance * likely)
            for values, chance in partial
            for value, likely in table.row(values).items()
        ]
    row: dict[int, Fraction] = {}
    for values, chance in partial:
        number = 0
        for variable in variables:
            number = number * len(variable.values) + values[variable.after]
        row[number] = row.get(number, Fraction(0)) + chance
    return row


def read_pomdpx(source: Source, *, strict: bool = False) -> FactoredModel:
    """Read a file whole; raises `ProblemError`, with line and column."""
    repairs = Repairs(source.path.name, strict)
    try:
        model = _Reading(read_xml(source.text), repairs).model()
    except XmlError as error:
        raise ProblemError(f"{source.path}, {error}") from None
    repairs.tell()
    return model


@define
class _Reading:
    """The reading of one file."""

    top: XmlElement
    repairs: Repairs
    _numbers: Numbers = field(factory=Numbers)
    _chances: Chances = field(factory=Chances)

    def model(self) -> FactoredModel:
        declared = self.top.one("Variable")
        states = [self._variable(element) for element in declared.all("StateVar")]
        actions = [self._variable(element) for element in declared.all("ActionVar")]
        observed = [self._variable(element) for element in declared.all("ObsVar")]
        if not states or not actions:
            raise declared.error(f"<Variable> lacks <{'ActionVar' if states else 'StateVar'}>")
        states.sort(key=lambda variable: not variable.is_seen)  # SARSOP's order, in which it numbers them
        is_mdp = all(variable.is_seen for variable in states) and not observed
        seen = [*observed, *(variable for variable in states if variable.is_seen)]
        before = {variable.before: variable for variable in states}
        now = {variable.after: variable for variable in (*actions, *states)}
        begin = self._tables("InitialStateBelief", before, states, before=True)
        moves = self._tables("StateTransitionFunction", {**before, **now}, states)
        observing = self._tables("ObsFunction", {**now, **{v.after: v for v in observed}}, observed)
        everything = {**before, **now, **{variable.after: variable for variable in observed}}
        rewards = [
            read_table(element, everything, None, self._numbers)
            for element in self.top.one("RewardFunction").all("Func")
        ]
        start = joint_row(begin, {}, [Variable(v.before, v.before, v.values) for v in states])
        percepts: _Numbered = {} if is_mdp else _names(seen, declared) or {"nothing": 0}
        names = _names(states, declared), _names(actions, declared), percepts
        return FactoredModel(*names, self._discount(), start, states, seen, actions, moves, observing, rewards)

    def _variable(self, element: XmlElement) -> Variable:
        names = ("vnamePrev", "vnameCurr") if element.tag == "StateVar" else ("vname", "vname")
        before, after = map(element.get, names)
        count = next(element.all("NumValues"), None)
        if count is not None:
            word = count.text.strip()
            if not (word.isascii() and word.isdecimal() and 0 < len(word) < 8 and 0 < int(word) <= _MOST):
                raise count.error(f"{quoted(word)} should be a number from 1 to {_MOST:,}")
            letter = {"StateVar": "s", "ActionVar": "a"}.get(element.tag, "o")
            listed = [f"{letter}{number}" for number in range(int(word))]
        else:
            listed = element.one("ValueEnum").text.split()
        values = {name: number for number, name in enumerate(listed)}
        if not values or len(values) < len(listed) or values.keys() & {"*", "-"}:
            raise element.error(f"the values of {after} should be names, at least one, no two the same")
        return Variable(before, after, values, element.attributes.get("fullyObs", "false").strip() in ("true", "1"))

    def _tables(
        self, section: str, known: Mapping[str, Variable], wanted: Sequence[Variable], *, before: bool = False
    ) -> list[Table]:
        """The tables of these variables, in an order in which each depends on earlier ones."""
        elements = list(self.top.one(section).all("CondProb")) if wanted else []
        names = [variable.before if before else variable.after for variable in wanted]
        found: dict[str, Table] = {}
        for element in elements:
            name = element.one("Var").text.strip()
            if name not in names or name in found:
                which = "has two tables" if name in found else "should have no table here"
                raise element.error(f"{quoted(name)} {which}; there are {some_of(names)}")
            found[name] = read_table(element, known, name, self._chances)
            self._check(element, found[name], known)
        for name in names:
            if name not in found:
                raise self.top.one(section).error(f"<{section}> says nothing of {name}")
        order: list[Table] = []
        left = dict(found)
        while left:
            ready = [name for name, table in left.items() if not left.keys() & set(table.names[:-1])]
            if not ready:
                raise self.top.one(section).error(f"the tables of {some_of(left)} depend on each other in a circle")
            order += [left.pop(name) for name in ready]
        return order

    def _check(self, element: XmlElement, table: Table, known: Mapping[str, Variable]) -> None:
        """Make all rows sum to 1."""
        names = [[*known[name].values] for name in table.names[:-1]]
        for key in product(*map(range, table.sizes[:-1])):
            row = table.row(dict(zip(table.names, key, strict=False)))
            if sum_unless_one(row) is not None:
                given = ", ".join(f"{table.names[at]}={names[at][value]}" for at, value in enumerate(key))
                what = f"{table.names[-1]}{f' for {given}' if given else ''}"
                repaired = self.repairs.checked(row, what, element.place, element.error)
                table.numbers.update({(*key, value): chance for value, chance in repaired.items()})

    def _discount(self) -> Fraction:
        element = self.top.one("Discount")
        try:
            discount = self._numbers[element.text.strip()]
        except ValueError:
            discount = Fraction(0)
        if not 0 < discount <= 1:
            raise element.error("the discount is a number above 0 and at most 1")
        return discount


def _names(variables: Sequence[Variable], declared: XmlElement) -> _Numbered:
    """The names of joint values: those of the values, with commas between them."""
    count = prod(len(variable.values) for variable in variables) if variables else 0
    if count > _MOST:
        which = ", ".join(variable.after for variable in variables)
        raise declared.error(f"{which} have {count:,} joint values; at most {_MOST:,} are read")
    names = product(*(variable.values for variable in variables)) if variables else ()
    return {",".join(name): number for number, name in enumerate(names)}
