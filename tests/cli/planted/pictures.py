"""Bugs of pictures and drawings."""

from __future__ import annotations

from ...toys import hooked, method
from .squares import BELIEF, STOCHASTIC, Bug, bug, drawn

BUGS: list[Bug] = [
    bug(
        "labels of the wrong length",
        hooked(STOCHASTIC, "PlotHook")
        + method("plot_position", "return None")
        + method("plot_labels(self)", "return ('across', 'up')"),
        "pictures: ('across', 'up') | three texts",
    ),
    bug(
        "a place that is no place",
        hooked(STOCHASTIC, "PlotHook")
        + method("plot_position", "return (0.5, 1)")
        + method("plot_labels(self)", "return ('across', 'up', 'value')"),
        "pictures: 's0' | (0.5, 1)",
    ),
    bug(
        "a picture that is none",
        BELIEF + method("svg_state", "return 'a square'"),
        "drawings: 's0' | 'a square' | a Drawing",
    ),
    bug(
        "a picture of another size",
        drawn("Drawing(10, 10 + 5 * (state == 's2')).text(5, 5, state)"),
        "drawings: 's2' | 10 x 15 | 10 x 10",
    ),
    bug("an empty picture", drawn("Drawing(10, 10)"), "drawings: 's0' | draws nothing"),
    bug("pictures that are all alike", drawn("Drawing(10, 10).circle(5, 5, 4)"), "drawings: 3 states alike"),
    bug(
        "pictures that change from call to call",
        drawn("Drawing(10, 10).text(5, 5, next(self.numbers))").replace(
            "def initial_states", "numbers = iter(range(999))\n\n    def initial_states"
        ),
        "drawings: 's0' | another picture at the second call",
    ),
    bug(
        "marks of an action that do not lie over the state",
        drawn("Drawing(10, 10).text(5, 5, state)") + method("svg_action", "return Drawing(20, 10)"),
        "drawings: 'left' | 20 x 10 | 10 x 10",
    ),
    bug(
        "a sentence with a stop",
        BELIEF + method("describe_action", "return f'Go {action}.'"),
        "drawings: 'left' | 'Go left.'",
    ),
    bug(
        "marks of an action that cannot be drawn",
        BELIEF + method("svg_action", "return {}[action]"),
        "drawings: svg_action('left') | KeyError",
    ),
]
