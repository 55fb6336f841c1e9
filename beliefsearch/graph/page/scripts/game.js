// A game: the player chooses the actions, and chance or the adversary chooses what comes of them.

/** A game of the puzzle; `rival` is "chance" or "adversary". */
function makeGame(world, rival) {
  const { puzzle, journeys, hints } = world;
  const isSeen = world.data.kind === "stochastic"; // and so without percepts
  const steps = [journeys.first()];
  steps[0].truth = pick(puzzle.start);

  /** One of the states that may be the true one; an adversary avoids those that are won. */
  function pick(states) {
    const open = states.filter((state) => !puzzle.wins(state));
    const those = open.length ? open : states;
    return world.data.odds ? those[anyByWeight(those.map(chanceOf))] : anyOf(those);
  }

  /** How likely a start is. */
  function chanceOf(state) {
    return world.data.odds[world.data.start.indexOf(state)];
  }

  /** What comes of an action: the percept, the belief after it, and the true state. */
  function reply(step, action) {
    const { byPercept } = puzzle.outcomes(step.belief, action);
    if (rival === "adversary") return worstReply(step, action, byPercept);
    if (!puzzle.known) return likelyReply(byPercept);
    const results = puzzle.results(step.truth, action);
    const { state, percept, reward } = results[anyByWeight(results.map((result) => result.weight))];
    const paid = world.data.odds ? reward : undefined;
    return { truth: state, reward: paid, percept, belief: isSeen ? [state] : byPercept.get(percept) };
  }

  /** Where only beliefs are known: what is perceived is as likely as it leaves many states, which is settled then. */
  function likelyReply(byPercept) {
    const entries = [...byPercept];
    const [percept, belief] = entries[anyByWeight(entries.map((entry) => entry[1].length))];
    return { truth: anyOf(belief), percept, belief };
  }

  /** The adversary need not have settled the true state before: any that fits what was told will do. */
  function worstReply(step, action, byPercept) {
    const belief = hints.worstOf([...byPercept.values()]);
    const percept = [...byPercept].find((entry) => entry[1] === belief)[0];
    const own = puzzle.results(step.truth, action).filter((result) => result.percept === percept);
    return { truth: pick(own.length ? own.map((result) => result.state) : belief), percept, belief };
  }

  function choose(action) {
    const step = steps.at(-1);
    const { truth, percept, belief, reward } = reply(step, action);
    const planNode = journeys.planNodeAfter(step, action, percept);
    steps.push(journeys.after(step, action, percept, belief, { truth, planNode, reward }));
  }

  /** Takes back all steps after one of them. */
  function cut(at) {
    steps.length = Math.max(1, at + 1);
  }

  /** The actions that may be chosen at a step; none once it is won. */
  function actions(at = steps.length - 1) {
    return isOver(at) ? [] : puzzle.applicable(steps[at].belief);
  }

  /** A game that chance plays ends where nothing is left to do; any other ends when it is surely won. */
  function isOver(at = steps.length - 1) {
    const { belief } = steps[at];
    if (world.data.kind === "stochastic" || world.data.odds) return puzzle.applicable(belief).length === 0;
    return puzzle.isWon(belief);
  }

  return { steps, choose, cut, actions, isOver, rival };
}
