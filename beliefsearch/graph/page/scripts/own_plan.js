// A plan that somebody writes: its actions, parted by semicolons, are followed without a look at the state.

/** Follows a written plan; its steps, and in words whether it wins and from which starts it may not. */
function tryPlan(world, text) {
  const { data, puzzle, journeys, words } = world;
  const entries = text.split(";").map((entry) => entry.trim());
  const steps = [journeys.first()];
  for (const entry of entries.filter((each) => each)) {
    const { belief } = steps.at(-1);
    const action = actionMeant(entry, puzzle.applicable(belief), data.actions.names);
    if (action < 0) return { steps, said: [`Step ${steps.length}: “${shortened(entry)}” is no action here.`] };
    steps.push(journeys.after(steps.at(-1), action, 0, puzzle.outcomes(belief, action).all));
  }
  const { belief, spent } = steps.at(-1);
  if (puzzle.isWon(belief)) return { steps, said: ["It wins, with ", strong(words.amount(spent)), "."] };
  const lost = failingStarts(puzzle, steps);
  const count = `${grouped(lost.length)} of ${plural(steps[0].belief.length, "start")}`;
  const named = lost.length ? [" It may fail from ", count, ": ", ...namedStates(lost, data.states.names), "."] : [];
  const left = strong(plural(belief.length, "state"));
  return { steps, said: ["It does not win: in the end there may be ", left, ".", ...named] };
}

/** The number of the action that a text means by its name but for blanks, braces and, if only one, commas; or -1. */
function actionMeant(text, applicable, names) {
  for (const omitted of [/[\s{}()]/g, /[\s{}(),]/g]) {
    const plain = (name) => name.toLowerCase().replace(omitted, "");
    const meant = applicable.filter((action) => plain(names[action]) === plain(text));
    if (meant.length === 1) return meant[0];
  }
  return -1;
}

/** The starts from which a sequence of steps may end in a state that is not won, found from the end backwards. */
function failingStarts(puzzle, steps) {
  let lost = new Set(steps.at(-1).belief.filter((state) => !puzzle.wins(state)));
  for (let i = steps.length - 1; i > 0; i--) {
    const mayLose = (state) => puzzle.results(state, steps[i].action).some((result) => lost.has(result.state));
    lost = new Set(steps[i - 1].belief.filter(mayLose));
  }
  return [...lost];
}
