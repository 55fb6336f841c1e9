"""Tokens of a model file, and the expressions that they make."""

import re

from .._source import Source, Token, Tokens, quoted, tokens_of
from .syntax import Apply, Expression, ImpossibleNumber, Literal, Name, Value, read_number

_KEYWORDS = (
    "bool const ctmc double dtmc endinit endinvariant endmodule endobservables endplayer endrewards endsystem false "
    "init int invariant max mdp min module player pomdp pta rewards smg true"
)

KEYWORDS = frozenset(_KEYWORDS.split())
"""Words that name nothing. PRISM reserves more of them; models for Storm have names such as R and clock, too."""

_PATTERN = re.compile(
    r"(?P<space>(?:\s|//[^\n]*)+)"
    r"|(?P<number>(?:\d+\.\d+|\.\d+|\d+(?!\.\d))(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r'|"(?P<quoted>[^"\n]*)"'
    r"|(?P<sign><=>|=>|->|<=|>=|!=|\.\.|[-+*/<>=!&|?:;,()\[\]{}'])",
    re.ASCII,
)


def _quoted(source: Source, token: Token) -> Token:
    if not token.text.isprintable():  # a terminal would obey it
        raise source.error(token.at, f"{quoted(token.text)} is no name: it cannot be printed")
    return token


MOST_DEPTH = 90
"""Expressions may be nested so deep."""

FUNCTIONS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("min", "max"), (1, None)),
    **dict.fromkeys(("floor", "ceil", "round"), (1, 1)),
    **dict.fromkeys(("pow", "mod", "log"), (2, 2)),
}
"""The functions, each with the fewest and the most arguments that it takes."""

# How tight the operators bind; those of one line group from the left.
_BINDING = {
    "=>": 1,
    "<=>": 2,
    "|": 3,
    "&": 4,
    **dict.fromkeys(("=", "!="), 6),
    **dict.fromkeys(("<", "<=", ">", ">="), 7),
    **dict.fromkeys(("+", "-"), 8),
    **dict.fromkeys(("*", "/"), 9),
}

_NOT, _MINUS = 6, 10  # what follows these binds at least so tight


class Reader(Tokens):
    """Tokens, and what they make."""

    keywords = KEYWORDS

    def __init__(self, source: Source) -> None:
        super().__init__(source, tokens_of(source, _PATTERN, _quoted))
        self._depth = 0

    def name(self, thing: str) -> str:
        """Take a name, of a `thing`."""
        token = self.token
        if token.kind != "word" or token.text in KEYWORDS:
            raise self.wrong(f"the name of {thing}")
        return self.advance().text

    def quoted(self, thing: str) -> str:
        """Take a name in quotation marks, of a `thing`."""
        if self.token.kind != "quoted":
            raise self.wrong(f"the name of {thing} in quotation marks")
        return self.advance().text

    def expression(self) -> Expression:
        """Take an expression."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise self._too_deep(self.token.at)
        last, at = self._bound(0), self.token.at
        parts: list[Expression] = []  # a chain of choices is one expression, however long it is
        while self.take("?"):
            parts += (last, self.expression())
            self.expect(":")
            last = self._bound(0)
        if parts:
            last = Apply("?:", (*parts, last), at)
        self._depth -= 1
        return self._checked(last)

    def _bound(self, tightness: int) -> Expression:
        """Take an expression of operators that bind at least so tight."""
        found = self._first()
        while True:
            token = self.token
            binding = _BINDING.get(token.text, -1) if token.kind == "sign" else -1
            if binding < tightness or binding < 0:
                return found
            operator, signs = ("+", ("+", "-")) if token.text in "+-" else (token.text, (token.text,))
            terms = [found]
            while self.token.kind == "sign" and self.token.text in signs:
                sign = self.advance()
                term = self._bound(binding + 1)
                terms.append(Apply("-", (term,), sign.at) if sign.text == "-" else term)
                if operator not in ("+", "&", "|"):
                    break  # what is added up, or joined by `&` or `|`, is one expression; others have two arguments
            found = self._checked(Apply(operator, tuple(terms), token.at))

    def _first(self) -> Expression:
        """Take an expression that is no operator between two others."""
        token = self.token
        if token.kind == "sign" and token.text in ("!", "-"):
            self.advance()
            self._depth += 1
            if self._depth > MOST_DEPTH:
                raise self._too_deep(token.at)
            argument = self._bound(_NOT if token.text == "!" else _MINUS)
            self._depth -= 1
            return self._checked(Apply(token.text, (argument,), token.at))
        if self.take("("):
            found = self.expression()
            self.expect(")")
            return found
        if token.kind == "number":
            self.advance()
            return self._literal(token)
        if token.kind == "word":
            if self.take("true", "false"):
                return Literal(token.text == "true", "bool", token.at)
            if token.text == "func" and self.ahead(1).text == "(":
                self.advance()
                self.expect("(")
                function = self.advance()
                self.expect(",")
                return self._called(function)
            if token.text in FUNCTIONS and self.ahead(1).text == "(":
                function = self.advance()
                self.expect("(")
                return self._called(function)
            if token.text not in KEYWORDS:
                self.advance()
                return Name(token.text, token.at)
        raise self.wrong("an expression")

    def _called(self, function: Token) -> Expression:
        """A function, whose arguments and the bracket behind them come next."""
        if function.text not in FUNCTIONS:
            raise self.source.error(function.at, f"there is no function {function.text!r}; {', '.join(FUNCTIONS)} are")
        arguments = [self.expression()]
        while self.take(","):
            arguments.append(self.expression())
        self.expect(")")
        fewest, most = FUNCTIONS[function.text]
        if not fewest <= len(arguments) <= (most or len(arguments)):
            raise self.source.error(function.at, f"{function.text} takes {most}, not {len(arguments)} arguments")
        return self._checked(Apply(function.text, tuple(arguments), function.at))

    def _literal(self, token: Token) -> Literal:
        try:
            value = read_number(token.text)
        except ImpossibleNumber as error:
            raise self.source.error(token.at, str(error)) from None
        return Literal(value, "int" if token.text.isdecimal() else "double", token.at)

    def _checked(self, found: Expression) -> Expression:
        if found.depth > 2 * MOST_DEPTH:
            raise self._too_deep(found.at)
        return found

    def _too_deep(self, at: int) -> Exception:
        return self.source.error(at, f"expressions are nested more than {MOST_DEPTH} deep here; use formulas")


def read_value(text: str) -> Value | None:
    """The number or Boolean that somebody typed as the value of a constant; None if it is none."""
    if text in ("true", "false"):
        return text == "true"
    digits = text[1:] if text.startswith("-") else text
    try:
        value = read_number(digits) if digits[:1].isdecimal() or digits[:1] == "." else None
    except (ValueError, ImpossibleNumber):
        return None
    if value is None:
        return None
    return -value if text.startswith("-") else value
