"""Tables of a PomdpX file: by the values of some variables a number, or how probable each value of one more is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from attrs import field, frozen

from beliefsearch.tools import XmlElement

from .._pomdp.words import Numbers
from .._source import quoted, some_of
from .diagrams import Diagram, by_name

# Of a table, and as many of its entries may the lines of a file set, one after the other.
_MOST = 5_000_000
_ONE = Fraction(1)
_NOTHING = Fraction(0)


@frozen
class Variable:
    """A variable: its names, as of the time before and after an action, and its values by name."""

    before: str
    after: str
    values: Mapping[str, int]
    is_seen: bool = False


@frozen(eq=False)
class Table:
    """Numbers by the values of variables, which are given by their names; 0 where nothing is said."""

    names: Sequence[str]
    sizes: Sequence[int]
    numbers: dict[tuple[int, ...], Fraction] = field(factory=dict, repr=False)

    def value(self, known: Mapping[str, int]) -> Fraction:
        """The number for these values of all variables."""
        return self.numbers.get(tuple(known[name] for name in self.names), _NOTHING)

    def row(self, known: Mapping[str, int]) -> dict[int, Fraction]:
        """By value of the last variable the number above 0, for these values of the others."""
        key = tuple(known[name] for name in self.names[:-1])
        found = ((value, self.numbers.get((*key, value))) for value in range(self.sizes[-1]))
        return {value: number for value, number in found if number}


def read_table(element: XmlElement, variables: Mapping[str, Variable], last: str | None, numbers: Numbers) -> Table:
    """Read `<CondProb>` or `<Func>`: its parents, `last` unless it is None, and what it says of their values."""
    named = [name for name in element.one("Parent").text.split() if name != "null"]
    names = [*named, *([] if last is None else [last])]
    for name in names:
        if name not in variables:
            raise element.error(f"{quoted(name)} is no variable that can stand here; there are {some_of(variables)}")
    sizes = [len(variables[name].values) for name in names]
    if prod(sizes) > _MOST:
        raise element.error(f"the table has {prod(sizes):,} entries; at most {_MOST:,} are read")
    table = Table(names, sizes)
    parameter = element.one("Parameter")
    kind = parameter.attributes.get("type", "TBL")
    if kind == "DD":
        values = {name: variables[name].values for name in names}
        pairs = {name: variables[name].before for name in names}
        templates = by_name(parameter.all("SubDAGTemplate"), "id")
        table.numbers.update(Diagram(names, values, pairs, templates, numbers).entries(parameter.one("DAG")))
        return table
    if kind != "TBL":
        raise parameter.error(f"parameters of the type {quoted(kind)} are not read; there are TBL and DD")
    written = 0
    for entry in parameter.all("Entry"):
        written += _enter(table, entry, [variables[name] for name in names], last is not None, numbers)
        if written > _MOST:
            raise entry.error(f"these are too many numbers: more than {_MOST:,} so far")
    return table


def _enter(table: Table, entry: XmlElement, variables: Sequence[Variable], is_chance: bool, numbers: Numbers) -> int:
    """Set what one entry says, and return how many numbers these are.

    In its instance `*` stands for each value of a variable, all with the same number, and `-` for each with a number of
    its own, the last such variable changing fastest.
    """
    instance = entry.one("Instance")
    words = instance.text.split()
    if len(words) != len(variables):
        raise instance.error(
            f"{len(words)} values stand here, and {len(variables)} are wanted: {' '.join(table.names)}"
        )
    ranges: list[Sequence[int]] = []
    for word, variable in zip(words, variables, strict=True):
        if word not in ("*", "-") and word not in variable.values:
            raise instance.error(
                f"{quoted(word)} is no value of {variable.after}, which has {some_of(variable.values)}"
            )
        ranges.append(range(len(variable.values)) if word in ("*", "-") else (variable.values[word],))
    dashes = [place for place, word in enumerate(words) if word == "-"]
    sizes = [len(ranges[place]) for place in dashes]
    given = entry.one("ProbTable" if is_chance else "ValueTable")
    listed = given.text.split()
    if listed in (["uniform"], ["identity"]):
        found = _named(given, listed[0], sizes)
    else:
        try:
            found = [numbers[word] for word in listed]
        except (ValueError, ArithmeticError) as error:
            wanted = "a probability, from 0 to 1," if is_chance else "a number"
            raise given.error(f"{wanted} should stand here, not {quoted(str(error))}") from None
        if len(found) != prod(sizes):
            raise given.error(f"{len(found):,} numbers stand here, and {prod(sizes):,} are wanted")
    for key in product(*ranges):
        place = 0
        for dash, size in zip(dashes, sizes, strict=True):
            place = place * size + key[dash]
        table.numbers[key] = found[place]
    return prod(map(len, ranges))


def _named(given: XmlElement, word: str, sizes: Sequence[int]) -> list[Fraction]:
    """The numbers for `uniform` or `identity`."""
    if word == "uniform" and sizes:
        return [Fraction(1, sizes[-1])] * prod(sizes)
    if word == "identity" and len(sizes) == 2 and sizes[0] == sizes[1]:
        return [_ONE if row == column else _NOTHING for row in range(sizes[0]) for column in range(sizes[0])]
    wanted = "one -" if word == "uniform" else "two - of variables with as many values"
    raise given.error(f"`{word}` needs an instance with {wanted}")
