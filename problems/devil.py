"""The devil's coin game: win blindfolded, whatever the devil does to the table."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, optional

from beliefsearch import BeliefProblem, KnownAnswer
from beliefsearch.hooks import PotentialHook

from ._devil.arrays import DevilArrays
from ._devil.closed_form import DevilClosedForm
from ._devil.looks import CoinLooks
from ._devil.table import Coins, Move, Told, is_whole, one_of


@frozen
class DevilProblem(DevilClosedForm, DevilArrays, CoinLooks, BeliefProblem[Coins, Move, Told], PotentialHook[Coins]):
    """Win the devil's coin game blindfolded, however he turns the table.

    Story
    -----
    N coins lie evenly spaced on a round table. You are blindfolded and do not know which of them show
    heads. Each turn you name positions to flip; the devil may first turn the table as he likes, and then
    flips the coins that are now at those positions. You win, and the game stops, as soon as all coins
    show heads. Name a shortest sequence of moves that is guaranteed to win.

    Formal model
    ------------
    A state is a string of N faces; every string is a possible start. A move is a set of positions. Its
    results are all turns of the state with those positions flipped; a won state only leads to itself.
    There are no percepts and every move costs 1. States that differ by a turn of the table are
    equivalent, since the devil may turn it anyway: `--canonical` keeps the alphabetically first of
    them, and likewise only one move of each class is legal, {0} but not {1}.

    Variants, which combine: what the devil may do to the table (`--group`, and no further than `--turn-by`); that
    he flips coins of his own after each move (`--meddle`); coins with F `--faces`, where a move says how far to turn
    each; a `--goal` of enough heads, or of coins that are merely equal; at most so many flips in a move
    (`--flip-at-most`), or as few as possible in all (`--cost flips`); and that you are `--told` something about the
    coins after each move, which makes the game a contingent one.

    Source
    ------
    P. Norvig, "The Devil and the Coin Flip Game" (notebook, 2019-2020); R. Bar Yehuda, T. Etzion and
    S. Moran, "Rotating-table games and derivatives of words" (1993). That a number with an odd factor is lost,
    and how a plan for N coins makes one for 2N (`--lamping`): John Lamping, in the notebook.

    Known answers
    -------------
    N = 1, 2, 4, 8 take 1, 3, 15, 255 moves, 2^N - 1; N = 3, 5, 6, 7, 9, 10, 11, 12 cannot be won, nor
    can any N that is not a power of two. Four coins made equal, cyclic table: 7 moves. Two coins of
    four faces: 15 moves; of three faces: impossible. Those of the other variants are by brute force.
    """

    known_answers = (
        KnownAnswer({"n": 2}, 3),
        KnownAnswer({"n": 3}, None),
        KnownAnswer({"n": 4}, 15),
        KnownAnswer({"n": 6}, None),
        KnownAnswer({"n": 8}, 255),
        KnownAnswer({"goal": "all-same"}, 7),
        KnownAnswer({"n": 2, "faces": 4}, 15),
        KnownAnswer({"n": 2, "faces": 3}, None),
        KnownAnswer({"group": "klein"}, 15),
        KnownAnswer({"n": 6, "group": "half-turns"}, 63),
        KnownAnswer({"n": 3, "group": "(0 1)"}, 7),
        KnownAnswer({"n": 3, "turn-by": 1}, None),
        KnownAnswer({"turn-by": 1}, 15),
        KnownAnswer({"goal": "3-heads"}, 3),
        KnownAnswer({"n": 5, "goal": "4-heads"}, None),
        KnownAnswer({"n": 6, "goal": "4-heads"}, 3),
        KnownAnswer({"flip-at-most": 3}, None),
        KnownAnswer({"cost": "flips"}, 45),
        KnownAnswer({"told": "heads"}, 6),
        KnownAnswer({"told": "parity"}, 9),
        KnownAnswer({"told": "pattern"}, 5),
        KnownAnswer({"n": 2, "meddle": 1}, None),
    )

    meddle: int | None = field(
        default=None,
        validator=optional([is_whole, ge(0)]),
        metadata={"help": "the devil flips so many coins of his own choice after each move"},
    )
    cost: Literal["moves", "flips"] = field(
        default="moves",
        validator=one_of("moves", "flips"),
        metadata={"help": "what is to be few: moves or flipped coins"},
    )
    lamping: bool = field(default=False, metadata={"help": "make the plan in closed form by doubling tables"})

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.meddle is not None and self.meddle > self.n:
            raise ValueError(f"meddle: {self.meddle} coins cannot be flipped, there are only {self.n}")
        if self.lamping and not self.may_be_doubled:
            raise ValueError(
                "lamping: the plan made by doubling tables is for two faces, all heads, the group of turns or that of "
                "reflections, no other variant, and a number of coins that is a power of two"
            )

    def initial_states(self) -> Iterator[Coins]:
        return self.all_coins()

    def actions(self, state: Coins) -> tuple[Move, ...]:
        return self.moves

    def results(self, state: Coins, action: Move) -> list[Coins]:
        if self.is_goal(state):
            return [state]  # the game has stopped
        flipped = [self.turn_faces(coins, action) for coins in self.arrangements(state)]
        return flipped if not self.meddle else list(dict.fromkeys(self.meddled(flipped)))

    def percepts(self, state: Coins, action: Move) -> tuple[Told]:
        return (self.tell(state),)

    def is_sensorless(self) -> bool:
        return self.told is None

    def is_goal(self, state: Coins) -> bool:
        return self.is_won(state)

    def action_cost(self, state: Coins, action: Move) -> int:
        return 1 if self.cost == "moves" else self.count_flipped(action)

    def has_unit_costs(self) -> bool:
        return self.cost == "moves"

    def has_adversary(self) -> bool:
        """The devil does not want you to win."""
        return True

    def meddled(self, flipped: Collection[Coins]) -> Iterator[Coins]:
        """Yield what the devil can make of coins by flips of his own."""
        moves = [self.move_by(amounts) for amounts in self.meddling]
        return (self.turn_faces(coins, move) for coins in flipped for move in moves)

    @property
    def meddling(self) -> Iterator[tuple[int, ...]]:
        """The amounts by which the devil turns the coin at each place, for everything that he can do."""
        for places in combinations(range(self.n), self.meddle or 0):
            for amounts in product(range(1, self.faces), repeat=len(places)):
                turned = dict(zip(places, amounts, strict=True))
                yield tuple(turned.get(place, 0) for place in range(self.n))

    def flip(self, coins: Coins, move: Collection[int]) -> Coins:
        """The coins after `move` if the table is not turned; won coins do not change, as the game has stopped.

        `flip`, `rotations` and `canonical` are the functions of these names in P. Norvig's notebook.
        """
        if self.is_goal(coins):
            return coins
        return self.turn_faces(coins, frozenset(move) if self.faces == 2 else tuple(move))

    def describe_step(self, state: Coins, action: Move, result: Coins) -> str:
        if self.is_goal(state):
            return ""
        after = ((coins, self.turn_faces(coins, action)) for coins in self.arrangements(state))
        arranged = next(coins for coins, made in after if result in (self.meddled([made]) if self.meddle else [made]))
        return f"the devil makes it {arranged}" + (" and meddles" if self.meddle else "")

    # For speed: states that are equivalent, and how many moves there must be at least. Which moves are equivalent, the
    # answer in closed form, and arrays are in the folder `_devil`; so is what the coins look like.

    def canonical(self, state: Coins) -> Coins:
        """The alphabetically first arrangement that the devil can make; the coins themselves unless reduced."""
        return self.pattern(state) if self.is_reduced else state

    def potential(self, state: Coins) -> int | Fraction:
        """The number of arrangements that `state` stands for, divided by the number of those that are won.

        Let the devil always do the same. Then a move takes different arrangements to different ones, and so wins from
        no more than there are won ones. So as many moves are needed as there are arrangements, if only one is won. A
        move that flips nothing wins from none of them, and may cost nothing; but not if the devil flips coins then.
        """
        if self.is_goal(state) or (self.meddle and self.cost == "flips"):
            return 0
        return Fraction(len(self.arrangements(state)) if self.is_reduced else 1, self.count_won)
