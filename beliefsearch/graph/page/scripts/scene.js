// The scene: the belief as a picture, the move that led to it, and what that taught.

/** Shows the scene of a step; see show.js for `moment`. */
function makeScene(world) {
  const { data, pictures, words, journeys } = world;

  function pictureOf(moment) {
    const { step, peek } = moment;
    const target = byId("picture");
    const states = peek ? [step.truth] : moment.veiled ? [] : step.belief;
    const size = peek ? 1 : step.size;
    const own = peek || moment.veiled ? -1 : ownPicture(step);
    pictures.fill(target, states, size, own, step.action);
    target.setAttribute("aria-label", pictureLabel(moment, states, size));
    target.toggleAttribute("hidden", !target.childElementCount);
  }

  /** The puzzle's own picture of a belief, if the plan comes to it. */
  function ownPicture(step) {
    if (step.planNode >= 0) return world.plan.picture[step.planNode];
    return world.pictureByBelief().get(beliefKey(step.belief, step.size)) ?? -1;
  }

  function pictureLabel(moment, states, size) {
    if (moment.veiled) return "The belief is hidden";
    if (moment.peek) return `What it really is: ${data.states.names[states[0]]}`;
    return size === 1 ? data.states.names[states[0]] : `One of ${grouped(size)} states, unseen`;
  }

  function headOf(moment) {
    const { step, at, last, playing } = moment;
    const made = step.action >= 0;
    const playCount = made ? `${plural(at, "move")} made` : "Your turn";
    const where = playing ? playCount : made ? `Step ${grouped(at)} of ${grouped(last)}` : "At the start";
    byId("count").textContent = `${where}${made ? rewardSoFar(moment) : ""}`;
    byId("move").textContent = made ? words.action(step.action) : startTitle(moment);
    byId("move").classList.toggle("long", byId("move").textContent.length > 60);
  }

  /** Where rewards are known: what was paid, or on a journey that nobody played what is paid on average. */
  function rewardSoFar({ steps, at, playing }) {
    if (!data.odds || !world.odds(steps, at)) return "";
    const name = data.costs ? "cost" : "reward";
    return ` · ${playing ? "" : "mean "}${name} so far ${shortValue(world.odds.rewards(steps, at))}`;
  }

  function startTitle(moment) {
    if (moment.playing) return "Choose a move";
    if (data.answer.status === "unsolvable") return "There is no plan";
    if (world.seesAll) return "The start";
    return moment.step.size === 1 ? "The start is known" : "You do not know the start";
  }

  /** The states of the journey so far, so that a state that comes back is called that. */
  function seenBefore(steps, at) {
    const seen = new Set();
    for (let i = 0; i < at; i++) for (const state of steps[i].belief) seen.add(state);
    return seen;
  }

  function toldOf(moment) {
    const { step, at, steps } = moment;
    if (step.size < 0) return [at ? "What is possible now is not known to this page." : "Press → to see the moves."];
    const details = journeys.details(steps, at);
    return words.told(step, steps[at - 1], details, seenBefore(steps, at), moment);
  }

  return function render(moment) {
    pictureOf(moment);
    headOf(moment);
    const parts = moment.veiled ? veiledWords(moment) : toldOf(moment);
    byId("told").replaceChildren(html("p", {}, ...spoken(parts)));
  };

  /** With the belief hidden only what was perceived is said. */
  function veiledWords({ step, at }) {
    if (data.kind !== "contingent" || !at) return ["The belief is hidden. What do you know?"];
    return ["You perceive ", strong(words.percept(step.percept)), ". The belief is hidden."];
  }
}
