"""Decision diagrams of a PomdpX file, which are written out as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from attrs import frozen

from beliefsearch.tools import XmlElement

from .._pomdp.words import Numbers
from .._source import quoted, some_of

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
    numbers: Numbers

    def entries(self, root: XmlElement) -> Iterator[tuple[Key, Fraction]]:
        """Yield all numbers but 0 of what an element holds.

        On each way from the root a variable stands once, so there is an end to it.
        """
        waiting: list[tuple[XmlElement, Mapping[str, int]]] = [(root, {})]  # with the values known on the way there
        while waiting:
            element, known = waiting.pop()
            inner = [child for child in element.children if child.tag in ("Node", "Terminal", "SubDAG")]
            if len(inner) != 1:
                raise element.error(f"<{element.tag}> needs one <Node>, <Terminal> or <SubDAG>")
            (part,) = inner
            if part.tag == "Node":
                waiting += self._edges(part, known)
            elif part.tag == "SubDAG" and part.get("type") == "template":
                waiting.append((self._template(part), known))
            else:
                number = self._terminal(part) if part.tag == "Terminal" else self._named(part, known)
                ranges = [(known[name],) if name in known else range(len(self.values[name])) for name in self.names]
                yield from ((key, found) for key in product(*ranges) if (found := number(key)))

    def _edges(self, part: XmlElement, known: Mapping[str, int]) -> Iterator[tuple[XmlElement, Mapping[str, int]]]:
        name = self._variable(part, known)
        edges = by_name(part.all("Edge"), "val")
        for value, edge in edges.items():
            if value not in self.values[name]:
                raise edge.error(f"{quoted(value)} is no value of {name}, which has {some_of(self.values[name])}")
        for value, place in self.values[name].items():
            if value not in edges:
                raise part.error(f"<Node> lacks an <Edge> for the value {quoted(value)} of {name}")
            yield edges[value], {**known, name: place}

    def _template(self, part: XmlElement) -> XmlElement:
        template = self.templates.get(part.get("idref"))
        if template is None or any(child.tag == "SubDAG" for child in template.children):
            name = quoted(part.get("idref"))
            raise part.error(f"there is no template {name} that begins with a <Node> or <Terminal>")
        return template

    def _terminal(self, part: XmlElement) -> Callable[[Key], Fraction]:
        try:
            number = self.numbers[part.text.strip()]
        except (ValueError, ArithmeticError) as error:
            raise part.error(f"a number should stand here, not {quoted(str(error))}") from None
        return lambda key: number

    def _named(self, part: XmlElement, known: Mapping[str, int]) -> Callable[[Key], Fraction]:
        kind, name = part.get("type"), self._variable(part, known)
        at = self.names.index(name)
        if kind == "deterministic" and (value := self.values[name].get(part.get("val"))) is not None:
            return lambda key: Fraction(key[at] == value)
        if kind == "uniform":
            return lambda key: Fraction(1, len(self.values[name]))
        if kind == "persistent" and self.pairs[name] != name and self.pairs[name] in self.names:
            before = self.names.index(self.pairs[name])
            return lambda key: Fraction(key[at] == key[before])
        raise part.error(f"a <SubDAG> of the type {quoted(kind)} cannot stand here")

    def _variable(self, part: XmlElement, known: Mapping[str, int]) -> str:
        name = part.get("var")
        if name not in self.names or name in known:
            left = [other for other in self.names if other not in known]
            raise part.error(f"{quoted(name)} is no variable that is still open here; there are {some_of(left)}")
        return name
