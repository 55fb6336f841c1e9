"""The checkers: whether a plan, a policy or a proof holds, by the definition, without trusting whoever found it.

What they say rests on the files of this folder and on these, nothing else of the package:

- what a problem is, and what a belief: `model.problem`, `model.stochastic`, `model.hooks`, `model.belief`,
  `model.checked`, `model.values`; numbers without rounding: `model.exact`; which kind a problem is of: `kinds`; and
  `errors`;
- where the starts are too many to be listed, parts of what a problem is, `model.factor`, and those parts that never
  change as decision diagrams, `model.fixed_beliefs` and `model.diagrams`, which searches share: tests hold them against
  tables of all assignments;
- who wants to win almost surely plays a stochastic problem without chance: `model.chance`, and `model.adapters` on
  which that stands. Solvers use the same, so tests hold both against brute force on the author's problem;
- what every problem and plan can do, though no verdict asks for it: how it shows itself, `model.base`, is drawn,
  `model.canvas.drawing` and `model.canvas.svg`, stands in a notebook, `model.canvas.html`, or is given as arrays,
  `model.hook_arrays`;
- how plans and policies are written and read: `plans.encoding`, `plans.plan`, `plans.policy`, `plans.plan_reader`,
  `plans.node_plans`, `plans.result`, `plans.policy_files`, and in words `plans.wording`; a proof in words,
  `plans.proof_words`;
- from which states an end can be reached, `model.reachability`, and how a plan is followed, `plans.courses` and
  `plans.partial_courses`, which need not be trusted: what they say is checked;
- where the player sees very many states, what matters of a state before an action, by the author's rules of all that
  actions need and do: `model.partial_states`.

`checker` is the checker of tables with hints: one file, which stands on the standard library alone and runs by itself.
A problem becomes a game for it by the problem's own methods: `asked_game` asks for what a table needs (with `unmoved`,
where there are thousands of actions), `chance_game` lists a stochastic problem, `numbered` has the numbers.
`mean_bits` counts the starts in beliefs for many actions at once, with the bounds of `checker`. Policies (`policy`),
policy graphs and bounds on the value of a POMDP (`policy_graph`, which plays what `pomdp_file` reads, with `horizon` if
there are so many actions and the sums of `plane_sums`) and most proofs (`proof`) are checked so; a long table of lower
bounds by `lower_arrays`, with NumPy. Nothing here looks for a table that a file lacks: whoever asks hands over what
makes it (`hints`), and that need not be trusted.

One file a thing that is followed by the definition: `sequence` (with `sequence_arrays`, the same with arrays),
`conditional` plans (`conditional_factored` if there are too many starts to list, `conditional_partial` if there are
many states, all seen), `region`, and proofs of other kinds: `proof_capacity` and `proof_factors`. `plan` and `file`
choose among them by the kind of the plan, `answer` looks at what a file says of a question, `verdict` is what they
answer.
"""
