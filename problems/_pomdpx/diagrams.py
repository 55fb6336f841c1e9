"""Decision diagrams of a PomdpX file, which are written out as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from attrs import frozen

from beliefsearch.tools import XmlElement

from .._source import quoted

Key = tuple[int, ...]


def by_name(elements: Iterable[XmlElement], attribute: str) -> dict[str, XmlElement]:
    """Elements by an attribute, of which each has another one; raises `XmlError` at the second of the same."""
    found: dict[str, XmlElement] = {}
    for element in elements:
        if found.setdefault(element.get(attribute), element) is not element:
            raise element.error(f"a second <{element.tag}> has the {attribute} {quoted(element.get(attribute))}")
    return found


@frozen
class Diagram:
    """A diagram over variables, by name their values by name; `pairs` has by name the same variable a time before."""

    names: Sequence[str]
    values: Mapping[str, Mapping[str, int]]
    pairs: Mapping[str, str]
    templates: Mapping[str, XmlElement]
    number: Callable[[XmlElement], Fraction]

    def entries(self, element: XmlElement, known: Mapping[str, int]) -> Iterator[tuple[Key, Fraction]]:
        """Yield all numbers but 0 of what an element holds, where the values of some variables are known.

        On each way from the root a variable stands once, so there is an end to it.
        """
        inner = [child for child in element.children if child.tag in ("Node", "Terminal", "SubDAG")]
        if len(inner) != 1:
            raise element.error(f"<{element.tag}> needs one <Node>, <Terminal> or <SubDAG>")
        (part,) = inner
        if part.tag == "Terminal":
            number = self.number(part)
            yield from self._where(known, lambda key: number)
        elif part.tag == "SubDAG":
            yield from self._named(part, known)
        else:
            name = self._variable(part, known)
            edges = by_name(part.all("Edge"), "val")
            for value, edge in edges.items():
                if value not in self.values[name]:
                    raise edge.error(f"{quoted(value)} is no value of {name}, which has {', '.join(self.values[name])}")
            for value, place in self.values[name].items():
                if value not in edges:
                    raise part.error(f"<Node> lacks an <Edge> for the value {quoted(value)} of {name}")
                yield from self.entries(edges[value], {**known, name: place})

    def _named(self, part: XmlElement, known: Mapping[str, int]) -> Iterator[tuple[Key, Fraction]]:
        kind = part.get("type")
        if kind == "template":
            template = self.templates.get(part.get("idref"))
            if template is None or any(child.tag == "SubDAG" for child in template.children):
                raise part.error(
                    f"there is no template {quoted(part.get('idref'))} that begins with a <Node> or <Terminal>"
                )
            yield from self.entries(template, known)
            return
        name = self._variable(part, known)
        at = self.names.index(name)
        if kind == "deterministic" and (value := self.values[name].get(part.get("val"))) is not None:
            yield from self._where(known, lambda key: Fraction(key[at] == value))
        elif kind == "uniform":
            yield from self._where(known, lambda key: Fraction(1, len(self.values[name])))
        elif kind == "persistent" and self.pairs[name] != name and self.pairs[name] in self.names:
            before = self.names.index(self.pairs[name])
            yield from self._where(known, lambda key: Fraction(key[at] == key[before]))
        else:
            raise part.error(f"a <SubDAG> of the type {quoted(kind)} cannot stand here")

    def _variable(self, part: XmlElement, known: Mapping[str, int]) -> str:
        name = part.get("var")
        if name not in self.names or name in known:
            raise part.error(f"{quoted(name)} is no variable that is still open here; the table has {self.names}")
        return name

    def _where(self, known: Mapping[str, int], number: Callable[[Key], Fraction]) -> Iterator[tuple[Key, Fraction]]:
        ranges = [(known[name],) if name in known else range(len(self.values[name])) for name in self.names]
        return ((key, found) for key in product(*ranges) if (found := number(key)))
