// All states that may be the true one, as small pictures that fade when they are ruled out; or, where the state is
// seen, the way from the start.

const MOST_WORLDS = 48;
const MOST_IN_PLACE = 16; // more would hide the possible ones among those that are ruled out
const WAY_BEFORE = 12; // states of the way that are shown before the present one
const WAY_AFTER = 20;

/** Shows the possible states of a moment; `go` goes to a step. */
function makeWorlds(world, go) {
  const { data, puzzle, pictures, journeys } = world;
  let shownKey = "";

  function item(state, label) {
    const full = data.states.names[state];
    const drawn = data.states.drawing[state] >= 0;
    const isName = drawn && pictures.isName(state);
    const asText = !drawn || (isName && pictures.isBroad(state));
    const looks = asText ? "name boxed" : isName ? "name unseen" : "name";
    const name = html("span", { class: looks }, shortened(full, asText ? 60 : 40));
    return html("li", { title: full }, ...(asText ? [] : [pictures.ofState(state)]), name, html("small", {}, label));
  }

  function head(text, more) {
    byId("worlds-head").replaceChildren(`${text} `, html("em", {}, more));
  }

  /** The states in a fixed order if the whole journey keeps to a few; otherwise those that are possible come first. */
  function universeOf(steps, at) {
    const step = steps[at];
    const all = new Set();
    for (const each of steps) {
      for (const state of each.belief) all.add(state);
      if (all.size > MOST_WORLDS || each.size > each.belief.length) break;
    }
    const known = data.kind === "sensorless" && steps.every((each) => each.size === each.belief.length);
    if (known && all.size <= MOST_IN_PLACE) return { states: sortedSet(all), fixed: true };
    const details = journeys.details(steps, at);
    const others = details ? details.all : steps[at - 1]?.belief || [];
    return { states: [...step.belief, ...without(others, step.belief)], fixed: false };
  }

  function labelOf(state, here, moment) {
    const before = moment.steps[moment.at - 1];
    if (here && (puzzle.wins(state) || puzzle.isWon(moment.step.belief))) return "won";
    if (!before || data.kind !== "sensorless") return here ? "" : "ruled out";
    const was = before.belief.includes(state);
    if (here) return was ? "" : "again";
    return was ? "ruled out" : "";
  }

  /** Where it is known how likely the states are: the likeliest first, with that. */
  function likelyStates(moment, likely) {
    shownKey = "";
    const order = [...likely.keys()].sort((a, b) => likely.get(b) - likely.get(a));
    const entries = order.slice(0, MOST_WORLDS).map((state) => {
      const share = likely.get(state);
      const entry = item(state, percentage(share));
      entry.append(html("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" }));
      entry.className = moment.step.belief.includes(state) && puzzle.isWon(moment.step.belief) ? "won" : "";
      entry.setAttribute("aria-label", `${data.states.names[state]}: ${percentage(share)}`);
      return entry;
    });
    const hidden = order.length - entries.length;
    if (hidden > 0) entries.push(html("li", { class: "more" }, `and ${grouped(hidden)} more`));
    byId("worlds").replaceChildren(...entries);
    head("What is likely", `${plural(order.length, "state")} possible`);
  }

  function states(moment) {
    const { step, steps, at } = moment;
    const likely = world.odds(steps, at);
    if (likely) return likelyStates(moment, likely);
    const now = new Set(step.belief);
    const { states: all, fixed } = universeOf(steps, at);
    const shown = all.slice(0, MOST_WORLDS);
    const key = fixed ? shown.join() : "";
    if (!fixed || key !== shownKey) byId("worlds").replaceChildren(...shown.map((state) => item(state, "")));
    shownKey = key;
    shown.forEach((state, i) => {
      const entry = byId("worlds").children[i];
      const here = now.has(state);
      const label = labelOf(state, here, moment);
      const looks = { won: "won", "": "" }[label] ?? "back";
      entry.className = here ? looks : label ? "gone" : "out";
      entry.lastChild.textContent = freshWord(label, state, moment);
      entry.setAttribute("aria-label", `${data.states.names[state]}: ${here ? "possible" : "ruled out"}`);
    });
    const hidden = Math.max(step.size, all.length) - shown.length;
    if (hidden > 0) {
      shownKey = "";
      byId("worlds").append(html("li", { class: "more" }, `and ${grouped(hidden)} more`));
    }
    const others = all.length > step.size ? `of ${grouped(all.length)}` : "";
    head(`${plural(step.size, "state")} possible`, others);
  }

  /** A state that is possible anew is "again" possible only if it was before. */
  function freshWord(label, state, { steps, at }) {
    if (label !== "again") return label;
    return steps.slice(0, at - 1).some((step) => step.belief.includes(state)) ? "again" : "new";
  }

  /** Where the state is seen: the states from the start to here, and on. */
  function way({ steps, at, playing }) {
    shownKey = "";
    head("The way", playing ? "so far" : "press a state to go there");
    const from = Math.max(0, at - WAY_BEFORE);
    const till = Math.min(steps.length, at + WAY_AFTER);
    const entries = [];
    for (let i = from; i < till; i++) entries.push(wayItem(steps, i, at));
    if (from) entries.unshift(html("li", { class: "more" }, `${grouped(from)} before`));
    if (till < steps.length) entries.push(html("li", { class: "more" }, `and ${grouped(steps.length - till)} more`));
    byId("worlds").replaceChildren(...entries);
  }

  function wayItem(steps, i, at) {
    const after = steps[i + 1];
    const ending = puzzle.isWon(steps[i].belief) ? (data.values ? "the end" : "won") : "";
    const label = after ? shortened(data.actions.names[after.action], 30) : ending;
    const [state] = steps[i].belief;
    const inside = item(state, label);
    const name = `Step ${i}: ${data.states.names[state]}`;
    const press = button({ "aria-label": name, "aria-current": i === at ? "step" : undefined }, () => go(i));
    press.append(...inside.childNodes);
    return html("li", { class: i === at ? "current" : i > at ? "later" : "" }, press);
  }

  return function render(moment) {
    const nothing = moment.step.size < 0 || moment.veiled;
    byId("worlds-box").hidden = nothing || (world.seesAll && moment.steps.length < 2);
    if (nothing) return;
    byId("worlds").classList.toggle("way", world.seesAll);
    byId("worlds").classList.toggle("broad", moment.step.belief.some((state) => pictures.isBroad(state)));
    if (world.seesAll) way(moment);
    else states(moment);
  };
}

/** A share in percent, so that a small one is not called none. */
function percentage(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1%";
  return `${percent >= 99.95 || percent === 0 ? Math.round(percent) : percent.toFixed(1)}%`;
}
