"""The checkers: whether a plan, a policy or a proof holds, by the definition, without trusting whoever found it.

What they say rests on the files of this folder and on these, nothing else of the package:

- what a problem is, and what a belief: `model.problem`, `model.stochastic`, `model.hooks`, `model.belief`,
  `model.checked`, `model.values`; which kind a problem is of: `kinds`; and `errors`;
- what every problem and plan can do, though no verdict asks for it: how it shows itself, `model.presentation`, is
  drawn, `model.drawing` and `model.svg`, and stands in a notebook, `model.notebook`;
- how plans are written and read: `plans.encoding`, `plans.plan`, `plans.file`, `plans.json_stream`, `plans.result`,
  `plans.horizon`, and in words `plans.wording`.

One file a thing that is checked: `sequence` (with `sequence_arrays`, the same with arrays, and `steps`), `conditional`
(which `written` reads), `region`, `policy` (with `policy_bounds`), `policy_graph` (with `value_lower`, and for the
upper bound `value_upper`, `value_bounds` and `value_sums`; for both `value_game` and `whole_arrays`), `proof` (with a
file for each larger kind, `states`, `set_columns` and `reading`); `reaching` finds from where an end can be reached.
`plan` and `file` choose among them by the kind of the plan, `verdict` is what they answer. `bound_guess` and
`components` need not be trusted: what they guess is checked.
"""
