// Playing: which actions may be chosen, hints, and how it ended.

const MOST_BUTTONS = 30; // actions as buttons; more are searched for

/** The panel of a game; `show` has the game and what the player wants to see. */
function makeGamePanel(world, show) {
  const { data, hints, pictures, words } = world;
  const panel = byId("game");
  const chosen = html("div", { class: "row", id: "actions", role: "group", "aria-label": "Actions" });
  const find = html("input", { type: "search", id: "find-action", "aria-label": "Search the actions" });
  const spokenHint = html("p", { class: "hint", id: "hint-text", role: "status" });
  const ending = html("div", { class: "ending", id: "ending", "aria-live": "polite" });
  const tools = html("div", { class: "row", id: "tools", role: "group", "aria-label": "The game" });
  const rivals = rivalChoice();
  let hint = null;

  function rivalChoice() {
    if (data.kind === "plain" || data.kind === "stochastic" || data.odds) return [];
    const options = ["chance", "adversary"].map((rival) =>
      html("option", { value: rival }, rival === "chance" ? "against chance" : "against the adversary"),
    );
    const list = html("select", { id: "rival", "aria-label": "Who decides what comes" }, ...options);
    list.value = show.rival;
    list.addEventListener("change", () => show.newGame(list.value));
    return [list];
  }

  function tool(id, label, act, pressed) {
    const state = pressed === undefined ? undefined : String(pressed);
    return button({ id, class: "plain", "aria-pressed": state }, act, label);
  }

  function toggled(name) {
    show.wants[name] = !show.wants[name];
    show.render();
  }

  function renderTools({ at }, over) {
    const shown = [];
    if (!over) shown.push(tool("hint", "Hint", giveHint));
    if (!world.seesAll) {
      shown.push(tool("veil", "Hide the belief", () => toggled("veil"), show.wants.veil));
      shown.push(tool("peek", "Peek", () => toggled("peek"), show.wants.peek));
    }
    if (at) shown.push(tool("undo", "Undo", () => show.undo()));
    if (at) shown.push(tool("again", "Start over", () => show.newGame()));
    keepFocus(tools, () => tools.replaceChildren(...shown, ...rivals));
  }

  /** Replaces buttons without losing the place of somebody who uses the keyboard. */
  function keepFocus(box, replace) {
    const { id } = box.contains(document.activeElement) ? document.activeElement : {};
    replace();
    if (id && byId(id)) byId(id).focus();
  }

  function giveHint() {
    const { step } = show.moment();
    hint = { ...hints.best(step.belief, step.planNode), step };
    spokenHint.replaceChildren(...spoken(hintWords()));
    renderActions();
  }

  function hintWords() {
    const most = hint.actions.length === 4 ? 4 : 3; // never "1 others"
    const names = hint.actions.slice(0, most).flatMap((action) => [strong(data.actions.names[action]), ", "]);
    const best = names.slice(0, -1);
    const more = hint.actions.length > most ? ` or one of ${hint.actions.length - most} others` : "";
    if (hint.source === "lost") return ["There is no way to win for sure from here. Undo, or start over."];
    if (hint.source === "unknown") return ["No hint: nothing is known about what is best here."];
    if (hint.source === "policy") return [data.odds ? "The policy plays " : "The best policy plays ", ...best, "."];
    const known = hint.left > 0 && hint.left < Infinity;
    if (hint.source === "plan") {
      return ["The plan goes on with ", ...best, known ? `; it needs at most ${plural(hint.left, "move")}.` : "."];
    }
    return ["Best is ", ...best, more, known ? `; with ${words.amount(hint.left)} it can be done.` : "."];
  }

  function actionButton(action) {
    const picture = pictures.ofAction(action, byId("picture"));
    const best = hint && hint.actions.includes(action);
    const told = words.action(action);
    const name = data.actions.names[action];
    const label = told === name ? name : `${told}: ${name}`;
    const looks = best ? "action best" : "action";
    const attributes = { class: looks, "aria-label": label, title: told, "data-action": action };
    const inside = picture ? [picture, shortened(name, 40)] : [shortened(name, 60)];
    return button(attributes, () => choose(action), ...inside);
  }

  function choose(action) {
    hint = null;
    show.choose(action);
    byId("move").focus({ preventScroll: true });
  }

  function renderActions() {
    const all = show.actions();
    const wanted = find.value.trim().toLowerCase();
    const many = all.length > MOST_BUTTONS;
    let some = many && wanted ? all.filter((action) => mentions(action, wanted)) : all;
    if (hint) some = [...some.filter((action) => hint.actions.includes(action)), ...without(some, hint.actions)];
    find.hidden = !many;
    find.placeholder = `Search ${grouped(all.length)} actions`;
    const items = some.slice(0, MOST_BUTTONS).map(actionButton);
    const left = some.length - items.length;
    if (left > 0) items.push(html("span", { class: "lead" }, `and ${grouped(left)} more`));
    if (many && !some.length) items.push(html("span", { class: "lead" }, "No action is called that."));
    chosen.replaceChildren(...items);
  }

  function mentions(action, wanted) {
    return `${data.actions.names[action]} ${data.actions.words[action]}`.toLowerCase().includes(wanted);
  }

  function renderEnding(moment, over) {
    const stuck = !over && !show.actions().length;
    const sentences = over ? endingWords(world, moment) : [];
    ending.replaceChildren(...sentences.map((parts) => html("p", {}, ...spoken(parts))));
    const why = !data.moves.whole ? "No move is known from here." : "No action can be done in all of these states.";
    if (stuck) ending.append(`${why} Undo, or start over.`);
    if (over && data.why.length) ending.append(button({ class: "plain" }, openWhy, "Why?"));
  }

  function openWhy() {
    byId("why-box").open = true;
    byId("why-box").scrollIntoView({ block: "nearest" });
  }

  find.addEventListener("input", renderActions);
  find.addEventListener("keydown", (event) => {
    const first = chosen.querySelector("button");
    if (event.key === "Enter" && first) first.click();
  });
  panel.append(find, chosen, spokenHint, ending, tools);
  return function render(moment) {
    panel.hidden = !moment.playing;
    if (!moment.playing) return;
    if (hint && hint.step !== moment.step) hint = null;
    if (!hint) spokenHint.replaceChildren();
    const over = show.isOver();
    renderActions();
    renderTools(moment, over);
    renderEnding(moment, over);
  };
}

/** How a game ended, against the best: sentences as parts. */
function endingWords(world, { step, steps, at }) {
  const { data, words } = world;
  const { cost, optimal } = data.answer;
  if (data.values) {
    const worth = shortValue(data.values.number[data.start[0]]);
    const was = data.costs ? "At the start it was to cost " : "At the start it was worth ";
    return [["The game is over. ", was, strong(worth), "."]];
  }
  if (data.odds) {
    const paid = strong(shortValue(world.odds.rewards(steps, at)));
    return [[`The game is over. Your ${data.costs ? "cost" : "reward"} is `, paid, ", not discounted."]];
  }
  const yours = ["It is done, with ", strong(words.amount(step.spent)), "."];
  if (cost === null) return [yours];
  const best = words.amount(cost);
  if (data.kind === "contingent") {
    const worst = `${optimal ? "No plan can promise less than" : "The plan needs at most"} ${best}.`;
    return [yours, [worst, step.spent < cost ? " You were lucky." : ""].filter(Boolean)];
  }
  if (step.spent <= cost) return [yours, [optimal ? "Nobody can surely do it with less." : "The plan needs as much."]];
  return [yours, [optimal ? `The best plan needs ${best}.` : `The plan needs ${best}.`]];
}
