"""What a domain and a problem in PDDL say: types, objects, actions, what is known of the start, and the goal.

Formulas are tuples: `("and", f, ...)`, `("or", f, ...)`, `("not", f)`, `("forall", variables, f)`, the same with
`exists`, `("=", a, b)` and `("atom", predicate, a, ...)`. An effect may also be `("when", f, e)`, `("oneof", e, ...)`
and `("increase", amount)`. Sections may come in any order, requirements may be missing, and a dash may be glued to a
type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import Factory, define

from beliefsearch import ProblemError
from beliefsearch.errors import meant, suggestion

from .._source import Source, quoted, some_of
from .forms import Form, Part, Word, as_form, as_word, read_forms, word_at

Formula: TypeAlias = "tuple[Any, ...]"
Variables: TypeAlias = "tuple[tuple[Word, tuple[Word, ...]], ...]"
"""Names with the types that they may have; no type is any."""

TRUE: Formula = ("and",)


@define
class Action:
    """An action with parameters; with `observe` it tells whether that formula holds."""

    name: Word
    parameters: Variables
    precondition: Formula
    effect: Formula
    observe: Formula | None


@define
class Task:
    """What both files say together."""

    types: dict[str, tuple[str, ...]] = Factory(dict)
    """By type the types that it is a part of."""
    objects: dict[Word, tuple[Word, ...]] = Factory(dict)
    predicates: dict[str, Variables] = Factory(dict)
    """The arguments of the declared predicates."""
    actions: list[Action] = Factory(list)
    init: list[Formula] = Factory(list)
    numbers: dict[tuple[str, ...], Fraction] = Factory(dict)
    """Values of functions at the start."""
    goal: Formula = TRUE
    metric: Word | None = None
    """Where it is said that actions have costs."""


def read_task(sources: Iterable[Source]) -> Task:
    """The task that a domain and a problem state; raises `ProblemError` with the place of what is wrong."""
    task = Task()
    met: dict[str, Word] = {}
    about: Word | None = None
    for source in sources:
        forms = read_forms(source)
        if not forms:
            raise source.error(0, "there is nothing in this file")
        for form in forms:
            kind, name = head_of(form)
            if kind in met and met[kind].source != source:
                raise met[kind].error(f"there is a {kind} here, and one in {source.path.name} too; leave one out")
            if kind in met:
                raise name.error(f"there is a {kind} already")
            met[kind] = name
            for part in form[2:]:
                _read_section(as_form(part, "a section"), task)
            if kind == "problem":
                about = domain_of(form)
                _check_problem(form, name)
    for kind, other in (("problem", "domain"), ("domain", "problem")):
        if kind not in met:
            raise met[other].error(f"there is a {other} here, and no {kind}: (define ({kind} NAME) ...)")
    if about and about != met["domain"]:
        about.warn(f"the problem says that its domain is {quoted(about)}, but the domain is {quoted(met['domain'])}")
    if task.metric and not any("total-cost" in _increased(action.effect) for action in task.actions):
        task.metric.warn("no effect increases (total-cost), so all actions cost 0; without :metric each costs 1")
    _check_facts(task)
    return task


def _check_problem(form: Form, name: Word) -> None:
    """Refuse a problem without a goal, or with two; warn of one that says nothing of its start."""
    goals, starts = ([part for part in form[2:] if part[0] == head] for head in (":goal", ":init"))
    if not goals:
        raise name.error("this problem has no goal; add (:goal FORMULA)")
    if len(goals) > 1:
        raise goals[1].error("there is a goal already; join the two by `and`")
    if not starts:
        name.warn("this problem has no :init, so nothing is true at the start; if that is meant add (:init)")


def _check_facts(task: Task) -> None:
    """Refuse facts that contradict each other, and formulas about predicates that can never hold."""
    said: dict[Formula, bool] = {}
    for fact in task.init:
        if fact[0] in ("atom", "not"):
            (atom,) = atoms_of(fact)
            if said.setdefault(atom, fact[0] == "atom") != (fact[0] == "atom"):
                raise atom[1].error(
                    f"the start is contradictory: {text_of(atom)} is true, and it is false; leave one out"
                )
    mentioned = (
        atom[1] for part in (*task.init, *(action.effect for action in task.actions)) for atom in atoms_of(part)
    )
    known = {*task.predicates, *mentioned}
    for formula in (task.goal, *(action.precondition for action in task.actions)):
        for atom in atoms_of(formula):
            if atom[1] not in known:
                raise no_such(atom[1], "predicate", known)


def head_of(form: Form) -> tuple[str, Word]:
    """Whether a file has a `domain` or a `problem`, and its name."""
    match form:
        case [Word() as define, [Word() as kind, Word() as name], *_] if define == "define":
            if kind in ("domain", "problem"):
                return str(kind), name
    raise form.error("expected (define (domain NAME) ...) or (define (problem NAME) ...)")


def domain_of(form: Form) -> Word | None:
    """The name of the domain that a problem is about, if it says."""
    named = (part for part in form[2:] if isinstance(part, Form) and len(part) == 2 and part[0] == ":domain")
    return next((as_word(part[1], "the name of a domain") for part in named), None)


_HEADS = "domain requirements types constants objects predicates functions action init goal metric"
_SECTIONS = [f":{head}" for head in _HEADS.split()]
_LEFT_OUT = (":derived", ":durative-action", ":constraints", ":process", ":event", ":task", ":method", ":htn")


def _read_section(part: Form, task: Task) -> None:
    if not part:
        raise part.error("expected a section such as (:action ...)")
    head, rest = as_word(part[0], "the name of a section"), part[1:]
    if head == ":types":
        for name, above in _typed(rest, "a type"):
            task.types[name] = (*task.types.get(name, ()), *above)
    elif head in (":objects", ":constants"):
        for name, kinds in _typed(rest, "an object"):
            if task.objects.get(name, kinds) != kinds:
                raise name.error(f"{quoted(name)} is declared twice, with different types; leave one of them out")
            if name in task.objects:
                name.warn(f"{quoted(name)} is declared already; leave one of the two out")
            task.objects[name] = kinds
    elif head == ":predicates":
        for form in (as_form(item, "a predicate") for item in rest):
            if not form:
                raise form.error("expected a predicate")
            name, arguments = as_word(form[0], "the name of a predicate"), _typed(form[1:], "a variable")
            if [kinds for _, kinds in task.predicates.setdefault(name, arguments)] != [kinds for _, kinds in arguments]:
                raise name.error(f"there is a predicate {quoted(name)} already, with other arguments")
    elif head == ":requirements":
        for item in rest:  # what a file uses is read with and without them
            as_word(item, "a requirement")
    elif head == ":action":
        action = _action(part)
        count = len(action.parameters)  # published domains have actions of one name that differ in this
        if any(action.name == other.name and count == len(other.parameters) for other in task.actions):
            raise action.name.error(f"there is an action {quoted(action.name)} already")
        task.actions.append(action)
    elif head == ":init":
        for item in rest:
            _read_fact(as_form(item, "a fact"), task)
    elif head == ":goal":
        if len(rest) != 1:
            raise part.error(f"a goal is one formula, not {len(rest)}")
        task.goal = _formula(rest[0])
    elif head == ":metric":
        if len(rest) != 2 or rest[0] != "minimize" or rest[1] != ["total-cost"]:
            raise head.error("the metric can only be: minimize (total-cost)")
        task.metric = head
    elif head in _LEFT_OUT:
        left_out = "derived predicates, durations, constraints and preferences are not read"
        raise head.error(f"there is no section {quoted(head)}; {left_out}")
    elif head not in _SECTIONS:
        raise no_such(head, "section", _SECTIONS)


def _read_fact(form: Form, task: Task) -> None:
    match form:
        case [Word() as head, *parts] if head == "and":
            for part in parts:
                _read_fact(as_form(part, "a fact"), task)
        case [Word() as head, Form() as function, Word() as value] if head == "=":
            task.numbers[tuple(as_word(item, "a name") for item in function)] = _number(value)
        case _:
            fact = _formula(form, in_init=True)
            chooses = fact[0] in ("oneof", "or")
            if chooses and len(fact) == 1:
                raise form.error(f"the start is contradictory: one part of {fact[0]} is true, and it has none")
            for part in fact[1:] if chooses or fact[0] == "unknown" else (fact,):
                for literal in part[1:] if chooses and part[0] == "and" else (part,):
                    if (literal[1] if literal[0] == "not" else literal)[0] != "atom":
                        raise form.error("of the start atoms are told, and `not`, `unknown`, `oneof` or `or` of these")
            task.init.append(fact)


_NUMBER = re.compile(r"[-+]?(\d+/\d*[1-9]\d*|(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?)", re.ASCII | re.IGNORECASE)


def _number(word: Word) -> Fraction:
    if not _NUMBER.fullmatch(word):
        raise word.error(f"expected a number, not {quoted(word)}")
    # An exponent of three digits keeps a number small.
    if len(word) > 50 or word.startswith("-") or re.search(r"e[-+]?\d{4}", word, re.IGNORECASE):
        raise word.error(f"{quoted(word)} is below 0, or too long")
    return Fraction(word)


def _typed(items: Sequence[Part], expected: str) -> Variables:
    """The names in `a b - t c -(either u v)`, each with its types."""
    parts: list[Part] = []
    for item in items:
        if isinstance(item, Word):
            pieces = re.finditer("^-|-$|.+?(?=-$)|.+", item)
            parts += [word_at(piece[0], item.source, item.at + piece.start()) for piece in pieces]
        else:
            parts.append(item)
    found: list[tuple[Word, tuple[Word, ...]]] = []
    waiting: list[Word] = []
    each = iter(parts)
    for part in each:
        if part != "-":
            waiting.append(as_word(part, expected))
            continue
        kind = next(each, None)
        if kind is None:
            raise part.error("there is no type behind this dash")
        kinds = (kind,) if isinstance(kind, Word) else tuple(as_word(item, "a type") for item in kind[1:])
        found += [(name, kinds) for name in waiting]
        waiting = []
    return (*found, *((name, ()) for name in waiting))


def _variables(part: Part, expected: str) -> Variables:
    found = _typed(as_form(part, f"{expected}s"), f"a {expected}")
    for name, _ in found:
        if not name.startswith("?"):
            raise name.error(f"expected a {expected}, which begins with a question mark, not {quoted(name)}")
    return found


_PARTS = (":parameters", ":precondition", ":effect", ":observe")


def _action(part: Form) -> Action:
    if len(part) < 2:
        raise part.error("an action has a name")
    fields: dict[str, Part] = {}
    keys = iter(part[2:])
    for item in keys:
        key = as_word(item, "a part of an action")
        if key not in _PARTS:
            told = f"expected :parameters, :precondition, :effect or :observe, not {quoted(key)}"
            raise key.error(told + meant(key, _PARTS))
        if key in fields:
            raise key.error(f"this action has a {key} already")
        value = next(keys, None)
        if value is None:
            raise key.error(f"there is nothing behind {key}")
        fields[key] = value
    observe = fields.get(":observe")
    parameters = _variables(fields[":parameters"], "parameter") if ":parameters" in fields else ()
    for number, (name, _) in enumerate(parameters):
        if name in dict(parameters[:number]):
            raise name.error(f"there is a parameter {quoted(name)} already")
    return Action(
        as_word(part[1], "the name of an action"),
        parameters,
        _formula(fields[":precondition"]) if ":precondition" in fields else TRUE,
        _formula(fields[":effect"], in_effect=True) if ":effect" in fields else TRUE,
        None if observe is None else _formula(observe),
    )


_JOINING = ("and", "or", "not", "imply", "when", "forall", "exists", "oneof", "unknown", "increase")
_NUMBER_OF_PARTS = {"not": 1, "unknown": 1, "imply": 2, "when": 2, "forall": 2, "exists": 2, "increase": 2}


def _formula(part: Part, *, in_effect: bool = False, in_init: bool = False) -> Formula:
    """A formula; in effects also `when`, `oneof` and `increase`, of the start also `oneof` and `unknown`."""
    form = as_form(part, "a formula")
    if not form:
        return TRUE
    if isinstance(form[0], Form):
        if len(form) > 1:
            raise form[0].error("expected a predicate, or a word such as and")
        return _formula(form[0], in_effect=in_effect, in_init=in_init)
    head, rest = as_word(form[0], "a predicate"), form[1:]
    allowed = {"oneof": in_effect or in_init, "unknown": in_init, "when": in_effect, "increase": in_effect}
    if not allowed.get(head, True):
        raise head.error(f"{head!s} has no meaning here")
    if head in ("probabilistic", "preference"):
        raise head.error(f"{head!s} is not read; for games of chance there are .pomdp and .prism files")
    if len(rest) != _NUMBER_OF_PARTS.get(head, len(rest)):
        wanted = _NUMBER_OF_PARTS[head]
        raise head.error(f"{head!s} takes {wanted} part{'s' * (wanted != 1)}, not {len(rest)}")

    def inner(item: Part) -> Formula:
        return _formula(item, in_effect=in_effect, in_init=in_init)

    if head in ("and", "or", "oneof", "not", "unknown"):
        found = (str(head), *map(inner, rest))
        if in_effect and (head == "or" or (head == "not" and found[1][0] != "atom")):
            raise head.error("an effect makes an atom true or false, and no other formula")
        return found
    if in_effect and head in ("imply", "exists"):
        raise head.error("an effect makes an atom true or false, and no other formula")
    if head == "imply":
        return ("or", ("not", inner(rest[0])), inner(rest[1]))
    if head == "when":
        effect = inner(rest[1])
        if _increased(effect):
            raise head.error("a cost under a condition has no meaning here")
        return ("when", _formula(rest[0]), effect)
    if head in ("forall", "exists"):
        return (str(head), _variables(rest[0], "variable"), inner(rest[1]))
    if head == "increase":
        return ("increase", as_word(as_form(rest[0], "a function")[0], "a function"), _amount(rest[1]))
    if any(isinstance(item, Form) for item in rest) and (hint := meant(head, _JOINING)):
        raise head.error(f"no formula begins with {quoted(head)}{hint}")
    names = tuple(as_word(item, "a name") for item in rest)
    if head == "=" and in_effect:
        raise head.error("an effect makes an atom true or false, and no other formula")
    if head == "=":
        if len(names) != 2:
            raise head.error(f"= takes 2 names, not {len(names)}")
        return ("=", *names)
    return ("atom", head, *names)


def _increased(effect: Formula) -> set[str]:
    """The functions that an effect increases."""
    if effect[0] == "increase":
        return {effect[1]}
    return set().union(*(_increased(part) for part in effect[1:] if _is_formula(part)))


def _is_formula(part: Any) -> bool:
    return isinstance(part, tuple) and bool(part) and isinstance(part[0], str)


def _amount(part: Part) -> Formula | Fraction:
    """A number, or a function of objects."""
    return _number(part) if isinstance(part, Word) else tuple(as_word(item, "a name") for item in part)


def atoms_of(formula: Formula) -> Iterator[Formula]:
    """The atoms in a formula or an effect."""
    if formula[0] == "atom":
        yield formula
        return
    for part in filter(_is_formula, formula[1:]):
        yield from atoms_of(part)


def bound(formula: Formula, binding: Mapping[str, str]) -> Formula:
    """A formula or an effect with objects for its variables."""
    head, *rest = formula
    if head in ("forall", "exists"):
        inside = {name: value for name, value in binding.items() if name not in {str(each) for each, _ in rest[0]}}
        return (head, rest[0], bound(rest[1], inside))
    return (head, *(_bound_part(part, binding) for part in rest))


def _bound_part(part: Any, binding: Mapping[str, str]) -> Any:
    if _is_formula(part):
        # The amount of a cost begins with the name of a function, which is a word as well.
        return bound(part, binding)
    return binding.get(part, part) if isinstance(part, Word) else part


def text_of(formula: Formula) -> str:
    """A formula as PDDL has it."""
    head, *rest = formula
    if head in ("forall", "exists"):
        names = " ".join(f"{name} - {kinds[0]}" if len(kinds) == 1 else str(name) for name, kinds in rest[0])
        return f"({head} ({names}) {text_of(rest[1])})"
    words = rest if head == "atom" else [head, *rest]
    return f"({' '.join(text_of(word) if isinstance(word, tuple) else str(word) for word in words)})"


def no_such(word: Word, kind: str, known: Iterable[str]) -> ProblemError:
    """The error that a name means nothing; with a hint at one that is spelled nearly so, or else with some names."""
    names = sorted(known)
    hint = suggestion(word, names) or (f"there are {some_of(names)}" if names else "")
    return word.error(f"there is no {kind} {quoted(word)}{f'; {hint}' if hint else ''}")
