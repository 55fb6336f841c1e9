"""The sections of a file in Cassandra's format, one after the other, each into what it sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from attrs import define, field

from beliefsearch import ProblemError
from beliefsearch.errors import suggestion

from .._source import Source, quoted
from .rows import Key, RewardSettings, Row, RowSettings, Setting
from .words import ANY, Words, as_count, is_number

# Rows of equal probabilities may have so many entries in all, each row counted once.
_MOST_EVEN = 20_000_000
# As many states, actions or percepts a number may declare: their names are made.
_MOST = 1_000_000
_ONE = Fraction(1)


@define
class Contents:
    """What a file says, as far as it was read: names by number, and the settings of rows and rewards."""

    words: Words
    discount: Fraction | None = None
    is_cost: bool | None = None
    states: dict[str, int] = field(factory=dict)
    actions: dict[str, int] = field(factory=dict)
    percepts: dict[str, int] = field(factory=dict)  # empty: the state is seen
    declared: dict[str, int] = field(factory=dict)  # by section: its first word behind the colon
    start: Row | None = None
    results: RowSettings = field(factory=RowSettings)
    seen: RowSettings = field(factory=RowSettings)
    rewards: RewardSettings = field(factory=RewardSettings)
    _even: dict[tuple[int, Fraction], Row] = field(factory=dict)
    _entries: int = 0  # of these rows

    def even(self, names: Mapping[str, int], probability: Fraction) -> Row:
        """The row in which each of these has this probability, kept once however many lines speak of it."""
        key = (len(names), probability)
        if key not in self._even:
            self._entries += len(names)
            if self._entries > _MOST_EVEN:
                why = f"rows of equal probabilities have too many entries: more than {_MOST_EVEN:,} so far"
                raise self.words.error(self.words.at - 1, why)
            self._even[key] = dict.fromkeys(range(len(names)), probability)
        return self._even[key]

    def uniform(self, names: Mapping[str, int]) -> Row:
        """The row in which all of these are equally likely."""
        return self.even(names, Fraction(1, len(names)))


def read_contents(source: Source) -> Contents:
    """The sections of a file, in one pass; raises `ProblemError` with line and column where it is wrong."""
    words = Words(source)
    contents = Contents(words)
    while not words.ended():
        at = words.at
        if not words.opens_section(at):
            raise _no_section(words, at, words.take("a section"))
        _READ[words.take("a section")](contents, at)
    for section in ("states", "actions"):
        if section not in contents.declared:
            raise words.error(words.at, f"the file ends, and there is no section `{section}:`")
    if contents.start is None:
        contents.start = contents.uniform(contents.states)
    return contents


def _no_section(words: Words, at: int, word: str) -> ProblemError:
    """The error that a word stands where a section should begin."""
    what = "this is one number too many" if is_number(word) else f"{quoted(word)} opens no section"
    return words.error(at, f"{what}; {_nearest(word) or 'a section such as `T:` or `states:` should begin here'}")


def _nearest(word: str) -> str | None:
    return suggestion(word, [f"{section}:" for section in _READ])


def _read_discount(contents: Contents, at: int) -> None:
    words = contents.words
    _begin(contents, "discount", at)
    contents.discount = words.numbers(1, "the discount")[0]
    if not 0 < contents.discount <= 1:
        raise words.error(words.at - 1, "the discount is a number above 0 and at most 1")


def _read_values(contents: Contents, at: int) -> None:
    words = contents.words
    _begin(contents, "values", at)
    word = words.take("`reward` or `cost`")
    if word not in ("reward", "rewards", "cost", "costs"):
        raise words.error(words.at - 1, f"`reward` or `cost` should stand here, not {quoted(word)}")
    contents.is_cost = word.startswith("cost")


def _read_names(contents: Contents, at: int, section: str, names: dict[str, int]) -> None:
    words = contents.words
    _begin(contents, section, at)
    first, listed = words.listed()
    count = as_count(listed)
    if not listed or count == 0:
        raise words.error(first, f"a number above 0, or names, should stand behind `{section}:`")
    if count is not None and count > _MOST:
        raise words.error(first, f"{count:,} {section} are too many; at most {_MOST:,} can be read")
    if count is not None:
        names.update((str(number), number) for number in range(count))
        return
    for number, name in enumerate(listed):
        if name in names:
            raise words.error(first + number, f"{quoted(name)} is already one of the {section}")
        if name == ":" and number and _nearest(listed[number - 1]):  # behind a section that is misspelled
            raise _no_section(words, first + number - 1, listed[number - 1])
        if name in (":", "*") or not name.isprintable() or (is_number(name) and name != str(number)):
            raise words.error(first + number, f"a name should stand here, not {quoted(name)}")
        names[name] = number


def _read_start(contents: Contents, at: int) -> None:
    words, states = contents.words, contents.states
    mode = "" if words.next_is(":") else words.take("include or exclude")
    _begin(contents, "start", at)
    _require(contents, at, "start", "states")
    first, listed = words.listed()

    def number_of(place: int) -> int:
        return words.number_of(listed[place], states, "a state", first + place)

    if not listed:
        raise words.error(first, "the file says nothing of the start behind `start:`")
    if mode:
        named = {number_of(place) for place in range(len(listed))}
        chosen = [number for number in range(len(states)) if (number in named) == (mode == "include")]
        if not chosen:
            raise words.error(first, "every state is excluded from the start")
        contents.start = dict.fromkeys(chosen, Fraction(1, len(chosen)))
    elif listed == ["uniform"]:
        contents.start = contents.uniform(states)
    elif len(listed) == 1 and (len(states) > 1 or listed[0] == "0" or not is_number(listed[0])):
        contents.start = {number_of(0): _ONE}
    else:
        for place, word in enumerate(listed):
            if word in states and not is_number(word):
                why = f"a probability should stand here, not {quoted(word)}; several states stand behind"
                raise words.error(first + place, f"{why} `start include:`, and are equally likely then")
        words.at = first
        found = words.probabilities(len(states), "the probability of a state at the start")
        if len(found) < len(listed):
            raise words.error(words.at, f"there are {len(states):,} states, and more than so many probabilities")
        contents.start = _row(found)


def _read_rows(contents: Contents, at: int, section: Literal["T", "O"]) -> None:
    """A section of `T` or `O`: an entry, a row, or the rows of all states."""
    if section == "T":
        _require(contents, at, "T", "states", "actions")
        settings, columns, column = contents.results, contents.states, "a state"
    else:
        _require(contents, at, "O", "states", "actions", "observations")
        settings, columns, column = contents.seen, contents.percepts, "an observation"
    words, states, chance = contents.words, contents.states, "a probability"
    entry = words.entry(contents.actions, states, columns)
    if entry:
        settings.add(entry[0], entry[1], Setting(at, entry[2], words.probabilities(1, chance)[0]))
        return
    words.take_colon(section)
    action = words.index(contents.actions, "an action")
    state = None
    if words.next_is(":"):
        words.take_colon("the action")
        state = words.index(states, "a state")
    if words.next_is(":"):
        words.take_colon("the state")
        number = words.index(columns, column)
        probability = words.probabilities(1, chance)[0]
        setting = Setting(at, number, probability)
        if number == ANY:
            setting = Setting(at, row=contents.even(columns, probability) if probability else {})
    elif words.take_if("uniform"):
        setting = Setting(at, row=contents.uniform(columns))
    elif words.take_if("identity"):
        if len(columns) != len(states):
            raise words.error(words.at - 1, "`identity` needs as many observations as states")
        setting = Setting(at, by_state=lambda number: {number: _ONE})
    elif section == "T" and words.take_if("reset"):
        setting = Setting(at, by_state=lambda _: contents.start or {})
    elif state is not None:
        setting = Setting(at, row=_row(words.probabilities(len(columns), chance)))
    else:
        matrix = [_row(words.probabilities(len(columns), chance)) for _ in states]
        setting = Setting(at, by_state=matrix.__getitem__)
    settings.add(action, ANY if state is None else state, setting)


def _read_rewards(contents: Contents, at: int) -> None:
    """A section of `R`: a value, a row or a matrix; without observations it has one index less."""
    words, states, percepts = contents.words, contents.states, contents.percepts
    _require(contents, at, "R", "states", "actions")
    contents.declared.setdefault("R", at)
    words.take_colon("R")
    parts = [(contents.actions, "an action"), (states, "a state"), (states, "a state")]
    parts += [(percepts, "an observation")] if percepts else []
    key = [words.index(*parts[0])]
    while len(key) < len(parts) and words.next_is(":"):
        words.take_colon("R")
        key.append(words.index(*parts[len(key)]))
    rest = [len(names) for names, _ in parts[len(key) :]]
    if len(rest) > 2:
        raise words.error(words.at, "a colon and a state should stand here: a reward needs an action and a state")
    values = [] if rest else words.numbers(1, "a reward")
    if len(rest) == 1:
        values = words.numbers(rest[0], "a reward")
    elif rest:  # row by row, so that a file that is cut says where
        values = [value for _ in range(rest[0]) for value in words.numbers(rest[1], "a reward")]
    for place, value in enumerate(values):
        last = [] if not rest else [place] if len(rest) == 1 else [*divmod(place, rest[1])]
        contents.rewards.add(at, _key([*key, *last]), value)


def _key(parts: Sequence[int]) -> Key:
    return (*parts, *[ANY] * (4 - len(parts)))


def _row(probabilities: Sequence[Fraction]) -> Row:
    return {column: probability for column, probability in enumerate(probabilities) if probability}


def _begin(contents: Contents, section: str, at: int) -> None:
    """The colon of a section that may come once."""
    contents.words.take_colon(f"`{section}`")
    if section == "observations" and "R" in contents.declared:
        raise contents.words.error(at, "`observations:` should stand before `R:`")
    if section in contents.declared:
        raise contents.words.error(at, f"there is a second section `{section}:`")
    contents.declared[section] = contents.words.at


def _require(contents: Contents, at: int, section: str, *before: str) -> None:
    for name in before:
        if name not in contents.declared:
            raise contents.words.error(at, f"`{name}:` should stand before `{section}:`")


_READ = {
    "discount": _read_discount,
    "values": _read_values,
    "states": lambda contents, at: _read_names(contents, at, "states", contents.states),
    "actions": lambda contents, at: _read_names(contents, at, "actions", contents.actions),
    "observations": lambda contents, at: _read_names(contents, at, "observations", contents.percepts),
    "start": _read_start,
    "T": lambda contents, at: _read_rows(contents, at, "T"),
    "O": lambda contents, at: _read_rows(contents, at, "O"),
    "R": _read_rewards,
}
