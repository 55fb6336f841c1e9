"""Reader of XML files of the field, as elements with their places.

Document types are refused: they may declare entities that grow without end or name other files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from xml.parsers import expat

from attrs import define, field

from ..model.belief import no_tick

# Characters parsed at a time; limits and Ctrl-C are heard in between.
_CHUNK = 2**16
_DEEPEST = 1000


class XmlError(ValueError):
    """Error of a text that is no such XML; `line` and `column` count from 1."""

    def __init__(self, complaint: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {complaint}")


@define(eq=False)
class XmlElement:
    """Element of an XML text: its name, attributes, child elements, text, and place."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    column: int
    children: list[XmlElement] = field(factory=list, repr=False)
    text: str = field(default="", repr=False)

    def error(self, complaint: str) -> XmlError:
        """The error to be raised about this element."""
        return XmlError(complaint, self.line, self.column)

    def place(self) -> str:
        """Return the place as text: `line 3, column 7`."""
        return f"line {self.line}, column {self.column}"

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The children of this name."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> XmlElement:
        """The first child of this name; raises `XmlError` if there is none."""
        for child in self.all(tag):
            return child
        raise self.error(f"<{self.tag}> lacks <{tag}>")

    def get(self, name: str) -> str:
        """The attribute of this name; raises `XmlError` if it is missing."""
        if name not in self.attributes:
            raise self.error(f"<{self.tag}> lacks the attribute {name!r}")
        return self.attributes[name]


def read_xml(text: str, tick: Callable[[], None] = no_tick) -> XmlElement:
    """Read the root element of an XML text; raises `XmlError` if the text is no XML, or has a document type."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = XmlElement("", {}, 1, 1)
    stack, texts = [top], [[""]]

    def place() -> tuple[int, int]:
        return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1

    def begin(tag: str, attributes: dict[str, str]) -> None:
        element = XmlElement(tag, attributes, *place())
        if len(stack) > _DEEPEST:
            raise element.error(f"elements stand in one another more than {_DEEPEST:,} deep")
        stack[-1].children.append(element)
        stack.append(element)
        texts.append([])

    def end(_: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def refuse(*_: object) -> None:
        raise XmlError("it has a document type, <!DOCTYPE>, which may declare entities; leave that out", *place())

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = lambda piece: texts[-1].append(piece)
    parser.StartDoctypeDeclHandler = refuse
    try:
        for start in range(0, len(text), _CHUNK):
            tick()
            parser.Parse(text[start : start + _CHUNK])
        parser.Parse("", True)
    except expat.ExpatError as error:
        complaint = f"it is no XML: {expat.ErrorString(error.code)}"
        raise XmlError(complaint, error.lineno, error.offset + 1) from None
    return top.children[0]
