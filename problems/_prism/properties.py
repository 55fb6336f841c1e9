"""Properties in the language of PRISM: what is asked of a model, as it is written."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, field, frozen

from beliefsearch import ProblemError
from beliefsearch.errors import suggestion

from .._source import Source, Token
from .lexer import MOST_DEPTH, Reader
from .parser import constant_of
from .syntax import Apply, Constant, Expression, Literal, Name

TRUE = Literal(True, "bool", 0)
PRESENT = "state"
"""The filter of a property that is about the one initial state."""
_TEMPORAL = ("X", "F", "G")
_BETWEEN = ("U", "W", "R")
_RELATIONS = (">=", ">", "<=", "<", "=")
_OPERATORS = ("P", "Pmin", "Pmax", "R", "Rmin", "Rmax")
_ARITHMETIC = 8  # what a bound on the steps binds at least as tight as: a sum
_UNREAD = ("S", "LRA", "E", "A", "T", "multi")
_UNREAD_REWARDS = ("C", "I", "S", "LRA")
_PATH_REMEDY = "P and R over one of X, F, G, U, W, R with state formulas in it are"


@frozen
class Path:
    """A condition on paths: that a goal is reached, within some steps, and safe states are kept to before.

    With `complement` it is that this does not happen.
    """

    goal: Expression
    safe: Expression = TRUE
    low: Expression | None = None  # no fewer steps than these, and no more
    high: Expression | None = None
    open_low: bool = False  # whether the bound itself does not count
    open_high: bool = False
    complement: bool = False


@frozen
class Property:
    """A property; `direction` is `min`, `max` or empty, `relation` `=?` or a comparison with `bound`."""

    text: str
    at: int
    operator: str
    direction: str
    relation: str
    bound: Expression | None
    path: Path
    rewards: str | int | None = None  # the name of a structure, its number from 1 on, or None for the first
    rewards_at: int = 0
    filter: str = ""


@frozen
class PropertyList:
    """The contents of a property file: properties by name, and what they may mention."""

    properties: Mapping[str, Property | ProblemError]
    """Those that are not read have the error that says why."""
    constants: Mapping[str, Constant] = field(factory=dict)
    formulas: Mapping[str, Expression] = field(factory=dict)
    """Formulas by name, labels by their name in quotation marks."""


def read_properties(source: Source) -> PropertyList:
    """All that a property file holds; what is no property at all raises `ProblemError`, with line and column."""
    return _PropertyReader(source).file()


def read_property(source: Source) -> Property:
    """The one property in a text; raises `ProblemError`, with line and column."""
    return _PropertyReader(source).only()


def quoted_name(label: str) -> str:
    """The name under which a label stands in expressions."""
    return f'"{label}"'


class _PropertyReader(Reader):
    """Reads properties, in whose expressions labels stand in quotation marks."""

    def only(self) -> Property:
        """Take the whole text."""
        found = self._property()
        self.take(";")
        if self.token.kind != "end":
            raise self._joined() if self.token.kind == "sign" else self.wrong("the end of the property")
        return found

    def file(self) -> PropertyList:
        """Take a whole file."""
        properties: dict[str, Property | ProblemError] = {}
        constants: dict[str, Constant] = {}
        formulas: dict[str, Expression] = {}
        number = 0
        while self.token.kind != "end":
            if self.take(";"):
                continue
            start, name = self.token, ""
            if self.take("const"):
                self._enter(constants, start, constant_of(self))
            elif start.text in ("label", "formula") and start.kind == "word":
                self.advance()
                label = quoted_name(self.quoted("a label")) if start.text == "label" else self.name("a formula")
                self.expect("=")
                formulas[label] = self.expression()
                self.expect(";")
            else:
                number += 1
                name = str(number)
                if start.kind == "quoted" and self.ahead(1).text == ":":
                    name = self.advance().text
                    self.advance()
                if name in properties:
                    raise self.source.error(start.at, f"there are two properties called {name!r}")
                properties[name] = self._kept()
        return PropertyList(properties, constants, formulas)

    def _enter(self, table: dict[str, Constant], at: Token, constant: Constant) -> None:
        if constant.name in table:
            raise self.source.error(at.at, f"there are two constants called {constant.name!r}")
        table[constant.name] = constant

    def _kept(self) -> Property | ProblemError:
        """A property, or why it is not read; then what follows its semicolon, or its line, is read all the same."""
        at = self.token.at
        try:
            found = self._property()
            if self.token.kind == "sign" and self.token.text != ";":
                raise self._joined()
        except ProblemError as error:
            line_end = self.source.text.find("\n", at)
            line_end = len(self.source.text) if line_end < 0 else line_end
            while self.token.kind != "end" and self.token.text != ";" and self.token.at < line_end:
                self.advance()
            return error
        return found

    def _joined(self) -> Exception:
        return self.source.error(
            self.token.at, f"properties joined by {self.token.text} are not read; ask for each of them alone"
        )

    def _property(self) -> Property:
        begin, self._depth = self.token, 0
        if self.token.text == "filter" and self.ahead(1).text == "(":
            return self._filtered()
        name = begin.text
        if begin.kind != "word" or name not in _OPERATORS:
            raise self._no_operator(begin)
        self.advance()
        operator, direction = name[0], name[1:]
        rewards: str | int | None = None
        rewards_at = self.token.at
        if operator == "R" and not direction and self.take("{"):
            rewards_at = self.token.at
            rewards = self._structure()
            self.expect("}")
        if not direction and self.token.text in ("min", "max"):
            direction = self.advance().text
        relation = self.token.text
        if not self.take(*_RELATIONS):
            raise self.wrong("'=?' or a comparison, such as '>=',")
        bound = None
        if relation == "=":
            self.expect("?")
            relation = "=?"
        else:
            bound = self._bound(_ARITHMETIC)
        self.expect("[")
        path = self._path() if operator == "P" else self._reward_path()
        end = self.token
        if end.kind == "word" and end.text in (*_TEMPORAL, *_BETWEEN):
            raise self._nested(end)
        self.expect("]")
        text = " ".join(self.source.text[begin.at : end.at + 1].split())
        return Property(text, begin.at, operator, direction, relation, bound, path, rewards, rewards_at)

    def _structure(self) -> str | int:
        if self.token.kind == "number" and self.token.text.isdecimal():
            return int(self.advance().text)
        return self.quoted("a reward structure")

    def _no_operator(self, begin: Token) -> Exception:
        if begin.kind == "word" and begin.text in _UNREAD:
            return self.source.error(begin.at, f"the operator {begin.text} is not read; P and R are")
        if begin.kind == "quoted" or begin.text in ("(", "!"):
            return self.source.error(begin.at, "a property should begin with P or R; ask for each operator alone")
        return self.wrong("a property, such as `Pmax=? [ F x=1 ]`,")

    def _filtered(self) -> Property:
        begin = self.advance()
        self.expect("(")
        kind = self.token
        known = ("max", "min", "avg", PRESENT, "forall", "exists")
        if kind.text not in known:
            raise self.source.error(kind.at, f"the filter {kind.text!r} is not read; {', '.join(known)} are")
        self.advance()
        self.expect(",")
        found = self._property()
        if (kind.text in ("forall", "exists")) == (found.relation == "=?"):
            raise self.source.error(kind.at, f"the filter {kind.text} does not go with {found.relation}")
        if not (self.take(",") and self.token.kind == "quoted" and self.token.text == "init"):
            raise self.source.error(self.token.at, 'of filters only those over "init" are read')
        self.advance()
        end = self.token.at
        self.expect(")")
        text = " ".join(self.source.text[begin.at : end + 1].split())
        return evolve(found, text=text, at=begin.at, filter=kind.text)

    # What stands in the brackets of P and R.

    def _path(self, depth: int = 0) -> Path:
        token = self.token
        if depth > MOST_DEPTH:
            raise self._too_deep(token.at)
        if token.text == "!" and self._has_path(1):
            self.advance()
            found = self._path(depth + 1)
            return evolve(found, complement=not found.complement)
        if token.text == "(" and self._has_path(0):
            self.advance()
            found = self._path(depth + 1)
            self.expect(")")
            return found
        if token.kind == "word" and token.text in _TEMPORAL:
            self.advance()
            return self._after(token)
        left = self.expression()
        token = self.token
        if not (token.kind == "word" and self.take(*_BETWEEN)):
            if token.text == "]":
                raise self.source.error(token.at, f"a path formula such as F is missing here; {_PATH_REMEDY}")
            raise self.wrong("U, W, R or ']'")
        return self._between(left, token)

    def _has_path(self, places: int) -> bool:
        """Whether a temporal operator stands after `places` tokens, or in the brackets that begin there."""
        if self.ahead(places).text != "(":
            return self._is_temporal(places, _TEMPORAL)
        depth = 0
        while self.ahead(places).kind != "end":
            token = self.ahead(places)
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                return False
            if self._is_temporal(places, (*_TEMPORAL, *_BETWEEN)):
                return True
            places += 1
        return False

    def _is_temporal(self, places: int, words: tuple[str, ...]) -> bool:
        """Whether one of these words stands there, and not as the name of a variable."""
        token, after = self.ahead(places), self.ahead(places + 1)
        is_name = after.kind == "end" or after.text in ("=", "!=", ")", "&", "|", "+", "-", "*", "/", "?", ":", ",")
        return token.kind == "word" and token.text in words and not is_name

    def _after(self, operator: Token) -> Path:
        """Read what follows X, F or G."""
        if operator.text == "X":
            one = Literal(1, "int", operator.at)
            return Path(self._inner(), low=one, high=one)
        bounds = self._step_bounds()
        inner = self._inner()
        if operator.text == "F":
            return Path(inner, **bounds)
        return Path(_not(inner), complement=True, **bounds)

    def _between(self, left: Expression, operator: Token) -> Path:
        bounds = self._step_bounds()
        right = self._inner()
        if operator.text == "U":
            return Path(right, left, **bounds)
        if operator.text == "W":  # not that before the right one comes, or without it, the left one fails
            neither = Apply("&", (_not(left), _not(right)), operator.at)
            return Path(neither, _not(right), complement=True, **bounds)
        return Path(_not(right), _not(left), complement=True, **bounds)

    def _inner(self) -> Expression:
        token = self.token
        if self._has_path(0):
            raise self._nested(token)
        return self.expression()

    def _nested(self, token: Token) -> Exception:
        return self.source.error(token.at, f"nested temporal operators are not read; {_PATH_REMEDY}")

    def _step_bounds(self) -> dict[str, Any]:
        """The bounds on steps, such as `<=5` and `[2,5]`."""
        sign = self.token
        if self.take("<=", "<"):
            return {"high": self._bound(_ARITHMETIC), "open_high": sign.text == "<"}
        if self.take(">=", ">"):
            return {"low": self._bound(_ARITHMETIC), "open_low": sign.text == ">"}
        if self.take("="):
            bound = self._bound(_ARITHMETIC)
            return {"low": bound, "high": bound}
        if self.take("["):
            low = self._bound(_ARITHMETIC)
            self.expect(",")
            high = self._bound(_ARITHMETIC)
            self.expect("]")
            return {"low": low, "high": high}
        return {}

    def _reward_path(self) -> Path:
        token = self.token
        if token.kind == "word" and token.text in _UNREAD_REWARDS and self.ahead(1).text in ("]", "<=", "=", "<"):
            raise self.source.error(token.at, f"rewards of the kind {token.text} are not read; `R=? [ F ... ]` is")
        path = self._path()
        if path.complement or path.low or path.high or path.safe is not TRUE:
            raise self.source.error(token.at, "of rewards only `F ...`, without a bound on the steps, is read")
        return path

    # State formulas.

    def _first(self) -> Expression:
        token = self.token
        if token.kind == "quoted":
            self.advance()
            return Name(quoted_name(token.text), token.at)
        if token.kind == "word" and token.text in (*_OPERATORS, *_UNREAD) and self._is_operator():
            raise self.source.error(token.at, f"nested operators, here {token.text}, are not read; {_PATH_REMEDY}")
        if self._is_temporal(0, _TEMPORAL):
            raise self._nested(token)
        return super()._first()

    def _is_operator(self) -> bool:
        """Whether brackets follow the word, as they do an operator and no name."""
        for places in range(1, 12):
            text = self.ahead(places).text
            if text == "[":
                return True
            if text in ("]", ")", "&", "|", ";"):
                return False
        return False


def _not(expression: Expression) -> Expression:
    return Apply("!", (expression,), expression.at)


def chosen(listed: PropertyList, name: str, file: str) -> Property:
    """The property of a file with this name; raises `ProblemError` if there is none, or it is not read."""
    if name not in listed.properties:
        known = list(listed.properties)
        there = f"it has {', '.join(known)}" if known else "it has none"
        raise ProblemError(
            f"--property {name}: {file} has no property of that name; {suggestion(name, known) or there}"
        )
    found = listed.properties[name]
    if isinstance(found, ProblemError):
        raise found
    return found
