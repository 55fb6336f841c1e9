// Going through the steps: buttons, slider, play and pause; the steps as text; and what else might have come.

const PACE = 1500; // milliseconds for a step that plays by itself
const MOST_STEPS_AS_TEXT = 300; // before "show all"
const MOST_BRANCHES = 12; // as buttons; more are a list to choose from

/** Wires the stepper to a show (see show.js). */
function makeStepper(show) {
  let timer = 0;

  function stop() {
    clearInterval(timer);
    timer = 0;
    byId("run").textContent = "▶";
    byId("run").setAttribute("aria-label", "Play the steps");
  }

  function run() {
    if (timer) return stop();
    if (show.at === show.last) show.go(0);
    timer = setInterval(() => {
      show.go(show.at + 1);
      if (show.at === show.last) stop();
    }, PACE);
    byId("run").textContent = "❚❚";
    byId("run").setAttribute("aria-label", "Pause");
    return undefined;
  }

  function stepTo(at) {
    stop();
    show.go(at);
  }

  function render({ at, last, playing }) {
    byId("slider").max = last;
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", `Step ${at} of ${last}`);
    byId("where").value = `${grouped(at)} / ${grouped(last)}`;
    byId("back").disabled = at === 0;
    byId("on").disabled = at === last;
    byId("run").hidden = playing;
    byId("stepper").hidden = last === 0;
  }

  byId("back").addEventListener("click", () => stepTo(show.at - 1));
  byId("on").addEventListener("click", () => stepTo(show.at + 1));
  byId("run").addEventListener("click", run);
  byId("slider").addEventListener("input", () => stepTo(Number(byId("slider").value)));
  return { render, stop, run, stepTo };
}

/** The steps as a list of buttons, made when it is opened. */
function makeStepsAsText(world, go) {
  const { data } = world;
  const box = byId("steps-box");
  let moment = null;
  let madeFor = null;
  let all = false;

  function line(step, i) {
    const percept = step.percept > 0 ? ` (${data.percepts.names[step.percept]})` : "";
    const move = i ? `${data.actions.names[step.action]}${percept}` : "start";
    return html("li", {}, button({}, () => go(i), `${move}${knownAt(step)}`));
  }

  function knownAt(step) {
    if (step.size < 0) return "";
    if (step.size > 8) return `: ${plural(step.size, "state")}`;
    return `: ${step.belief.map((state) => shortened(data.states.names[state], 60)).join(" · ")}`;
  }

  function render(next) {
    moment = next;
    box.hidden = moment.last === 0 || moment.veiled;
    if (box.hidden || !box.open) return;
    if (madeFor !== moment.steps || moment.playing) fillList();
    const items = byId("steps").children;
    for (const item of byId("steps").querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    if (items[moment.at]) items[moment.at].setAttribute("aria-current", "step");
  }

  function fillList() {
    const { steps } = moment;
    const shown = all ? steps : steps.slice(0, MOST_STEPS_AS_TEXT);
    const lines = shown.map(line);
    const showAll = () => {
      all = true;
      madeFor = null;
      render(moment);
    };
    if (shown.length < steps.length) {
      lines.push(html("li", {}, button({ class: "plain" }, showAll, `Show all ${grouped(steps.length)}`)));
    }
    byId("steps").replaceChildren(...lines);
    madeFor = steps;
  }

  box.addEventListener("toggle", () => render(moment));
  return { render };
}

/** What else might have come at this step: as buttons, or as a list to choose from if there are many. */
function makeBranches(world, show) {
  const { data, journeys } = world;

  function labelOf(branch) {
    if (branch.state === undefined) {
      const chance = branch.weight === undefined ? "" : ` (${percentage(branch.weight)})`;
      return `${world.words.percept(branch.percept)}${chance}`;
    }
    return `${data.states.names[branch.state]} (${fraction(branch.weight)})`;
  }

  function take(branch, at) {
    show.follow(branch.journey(), at);
  }

  function asButtons(branches, at) {
    return branches.map((branch) =>
      button({ "aria-pressed": String(branch.taken) }, () => take(branch, at), shortened(labelOf(branch), 60)),
    );
  }

  function asList(branches, at) {
    const options = branches.map((branch, i) =>
      html("option", { value: i, selected: branch.taken }, shortened(labelOf(branch), 60)),
    );
    const list = html("select", { "aria-label": "What might have come" }, ...options);
    list.addEventListener("change", () => take(branches[Number(list.value)], at));
    return [list];
  }

  return function render({ steps, at, playing }) {
    const branches = playing ? [] : journeys.branches(steps, at);
    byId("branches").hidden = branches.length < 2;
    if (branches.length < 2) return byId("branches").replaceChildren();
    const asked = world.seesAll ? "What might have come:" : "What you might have perceived:";
    const choices = branches.length > MOST_BRANCHES ? asList(branches, at) : asButtons(branches, at);
    return byId("branches").replaceChildren(html("span", { class: "lead" }, asked), ...choices);
  };
}
