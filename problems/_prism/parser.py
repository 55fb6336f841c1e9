"""Reading a whole model file, and the values of constants that it leaves open, as somebody types them."""

from collections.abc import Callable, Mapping
from typing import Any

from beliefsearch import ProblemError

from .._source import Source
from .lexer import Reader, read_value
from .syntax import (
    Assignment,
    Branch,
    Command,
    Constant,
    Expression,
    Literal,
    Model,
    Module,
    Name,
    Observable,
    RewardItem,
    Value,
    Variable,
)

_TYPES = {"pomdp": "pomdp", "mdp": "mdp", "nondeterministic": "mdp", "dtmc": "dtmc", "probabilistic": "dtmc"}
_OTHERS = ("ctmc", "stochastic", "pta", "popta", "smg")

_UNREAD = {
    "system": "modules that are composed by `system` are not read; give actions that modules share the same label",
    "invariant": "clocks and invariants are not read",
    "player": "games of several players are not read",
}

_OUTSIDE = ("formula", "global", "label", "observable", "observables", "system")
"""What begins outside a module, and may be a name in it."""


def read_model(source: Source) -> Model:
    """The model in a file; raises `ProblemError`, with line and column, where it is none."""
    return _ModelReader(source).model()


def constant_of(reader: Reader) -> Constant:
    """Take a constant, behind its first word."""
    type_, at = "int", reader.token.at
    if reader.token.text in ("int", "double", "bool"):
        type_, at = reader.advance().text, reader.token.at
    name = reader.name("a constant")
    value = reader.expression() if reader.take("=") else None
    reader.expect(";")
    return Constant(name, type_, value, at)


class _ModelReader(Reader):
    """Reads the parts of a model in any order."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._type = ""
        self._constants: dict[str, Constant] = {}
        self._formulas: dict[str, Expression] = {}
        self._labels: dict[str, Expression] = {}
        self._globals: list[Variable] = []
        self._modules: dict[str, Module] = {}
        self._start: Expression | None = None
        self._start_at = 0
        self._observables: dict[str, Observable] = {}
        self._rewards: dict[str, tuple[RewardItem, ...]] = {}

    def model(self) -> Model:
        """Take everything."""
        parts: dict[str, Callable[[], None]] = {
            "const": self._constant,
            "formula": lambda: self._defined(self._formulas, self.name, "formula"),
            "label": lambda: self._defined(self._labels, self.quoted, "label"),
            "global": lambda: self._globals.append(self._variable()),
            "module": self._module,
            "init": self._initial,
            "observables": self._observed_variables,
            "observable": self._observable,
            "rewards": self._reward_structure,
        }
        while self.token.kind != "end":
            word = self.token
            if word.text in _TYPES and word.kind == "word":
                if self._type:
                    raise self.source.error(word.at, "the type of the model was given before")
                self._type = _TYPES[self.advance().text]
            elif word.text in _OTHERS:
                raise self.source.error(word.at, f"models of the type {word.text} are not read; pomdp, mdp, dtmc are")
            elif word.text in _UNREAD:
                raise self.source.error(word.at, _UNREAD[word.text])
            elif word.kind == "word" and word.text in parts:
                self.advance()
                parts[word.text]()
            else:
                raise self.wrong("a declaration, such as a module or a label,")
        if not self._modules:
            raise self.source.error(0, "the file has no module")
        return Model(
            self._type or "mdp",
            self._constants,
            self._formulas,
            self._labels,
            tuple(self._globals),
            tuple(self._modules.values()),
            self._start,
            tuple(self._observables.values()),
            self._rewards,
            self._start_at,
        )

    def _enter(self, table: dict[str, Any], name: str, value: Any, thing: str, at: int) -> None:
        if name in table:
            raise self.source.error(at, f"there are two {thing} called {name!r}")
        table[name] = value

    def _constant(self) -> None:
        found = constant_of(self)
        self._enter(self._constants, found.name, found, "constants", found.at)

    def _defined(self, table: dict[str, Expression], take_name: Callable[[str], str], thing: str) -> None:
        at = self.token.at
        name = take_name(f"a {thing}")
        self.expect("=")
        self._enter(table, name, self.expression(), f"{thing}s", at)
        self.expect(";")

    def _variable(self) -> Variable:
        at = self.token.at
        name = self.name("a variable")
        self.expect(":")
        low = high = start = None
        if not self.take("bool"):
            if self.token.text in ("int", "clock"):
                raise self.source.error(self.token.at, f"{name} has no bounds; give it a range, such as [0..9]")
            self.expect("[")
            low = self.expression()
            self.expect("..")
            high = self.expression()
            self.expect("]")
        if self.take("init"):
            start = self.expression()
        self.expect(";")
        return Variable(name, low, high, start, at)

    def _module(self) -> None:
        at = self.token.at
        name = self.name("a module")
        if self.take("="):
            module = self._renamed_module(name, at)
        else:
            variables, commands = [], []
            while not self.take("endmodule"):
                if self.token.text == "[" and self.token.kind == "sign":
                    commands.append(self._command())
                elif self.token.text == "invariant":
                    raise self.source.error(self.token.at, _UNREAD["invariant"])
                elif self.token.text in _OUTSIDE and self.ahead(1).text != ":":
                    raise self.wrong("'endmodule'")
                else:
                    variables.append(self._variable())
            module = Module(name, tuple(variables), tuple(commands), at)
        self._enter(self._modules, name, module, "modules", at)

    def _renamed_module(self, name: str, at: int) -> Module:
        base_at = self.token.at
        base = self.name("a module")
        if base not in self._modules:
            raise self.source.error(base_at, f"there is no module {base!r} before this line")
        self.expect("[")
        names: dict[str, str] = {}
        while True:
            old_at = self.token.at
            old = self.name("something to rename")
            self.expect("=")
            self._enter(names, old, self.name("its copy"), "new names for what is", old_at)
            if not self.take(","):
                break
        self.expect("]")
        self.expect("endmodule")
        module = self._modules[base]
        return Module(name, module.variables, module.commands, at, (*module.renaming, names))

    def _command(self) -> Command:
        at = self.expect("[").at
        label = "" if self.token.text == "]" else self.name("an action")
        self.expect("]")
        guard = self.expression()
        self.expect("->")
        branches = [self._branch()]
        while self.take("+"):
            branches.append(self._branch())
        self.expect(";")
        if len(branches) > 1 and any(branch.probability is None for branch in branches):
            raise self.source.error(at, "each of several results needs a probability, written before it with a colon")
        return Command(label, guard, tuple(branches), at)

    def _branch(self) -> Branch:
        at = self.token.at
        probability = None
        if not self._at_update():
            probability = self.expression()
            self.expect(":")
        assignments: list[Assignment] = []
        if not self.take("true"):
            assignments.append(self._assignment())
            while self.take("&"):
                assignments.append(self._assignment())
        return Branch(probability, tuple(assignments), at)

    def _at_update(self) -> bool:
        """Whether what comes next is an update, and not the probability of one."""
        if self.token.text == "true":
            return True
        return self.token.text == "(" and self.ahead(2).text == "'"

    def _assignment(self) -> Assignment:
        self.expect("(")
        at = self.token.at
        variable = self.name("a variable")
        self.expect("'")
        self.expect("=")
        value = self.expression()
        self.expect(")")
        return Assignment(variable, value, at)

    def _initial(self) -> None:
        if self._start is not None:
            raise self.source.error(self.token.at, "the initial states were given before")
        self._start_at = self.token.at
        self._start = self.expression()
        self.expect("endinit")

    def _observed_variables(self) -> None:
        while not self.take("endobservables"):
            at = self.token.at
            name = self.name("a variable")
            self._enter(self._observables, name, Observable(name, Name(name, at)), "observables", at)
            if not self.take(",") and self.token.text != "endobservables":
                raise self.wrong("a comma or `endobservables`")

    def _observable(self) -> None:
        at = self.token.at
        name = self.quoted("an observable")
        self.expect("=")
        self._enter(self._observables, name, Observable(name, self.expression()), "observables", at)
        self.expect(";")

    def _reward_structure(self) -> None:
        at = self.token.at
        name = "" if "" not in self._rewards else str(len(self._rewards) + 1)  # by which PRISM calls it, too
        if self.token.kind == "quoted":
            name = self.quoted("a reward structure")
        items = []
        while not self.take("endrewards"):
            items.append(self._reward_item())
        self._enter(self._rewards, name, tuple(items), "reward structures", at)

    def _reward_item(self) -> RewardItem:
        label: str | None = None
        if self.take("["):
            label = "" if self.token.text == "]" else self.name("an action")
            self.expect("]")
        guard = self.expression()
        self.expect(":")
        value = self.expression()
        self.expect(";")
        return RewardItem(label, guard, value)


def given_constants(
    file: str, needed: Mapping[str, Constant], typed: str, others: Mapping[str, Constant]
) -> dict[str, Value]:
    """The constants in a text such as `N=6,ENERGY=8`; `others` may be missing.

    Raises `ProblemError` if there is no such constant, it has a value already, one that is needed is missing, or a
    value cannot be read.
    """
    given: dict[str, Value] = {}
    constants = {**others, **needed}
    for part in filter(None, (part.strip() for part in typed.split(","))):
        name, sign, written = (word.strip() for word in part.partition("="))
        value = read_value(written)
        if not sign or value is None:
            raise ProblemError(f"--const {part}: give a name and a number, true or false, such as N=6")
        if name not in constants:
            open_ones = [constant.name for constant in constants.values() if constant.value is None]
            raise ProblemError(f"--const {part}: {file} leaves no constant {name!r} open; {_listed(open_ones)}")
        own = constants[name].value
        if own is not None and not (isinstance(own, Literal) and own.value == value):
            raise ProblemError(f"--const {part}: {file} itself gives {name} a value")
        if name in given:
            raise ProblemError(f"--const {part}: {name} is given twice")
        given[name] = value
    missing = [constant.name for constant in needed.values() if constant.value is None and constant.name not in given]
    if missing:
        raise ProblemError(
            f"{file} leaves {', '.join(missing)} open; give {' '.join(f'--const {n}=...' for n in missing)}"
        )
    return given


def _listed(names: list[str]) -> str:
    return f"it leaves {', '.join(names)} open" if names else "it leaves none open"
