// The chart under the states: what may have become what, how much is known at each step, or how far it still is.

const MOST_ROWS = 24; // states that have a row of their own

/** Shows the chart of a moment; `go` goes to a step. */
function makeCharts(world, go) {
  const { data } = world;
  const box = byId("chart");

  function head(text, more, note) {
    byId("chart-head").replaceChildren(`${text} `, html("em", {}, more));
    byId("chart-note").textContent = note;
  }

  function roomFor() {
    return box.clientWidth || 560;
  }

  function show(plot) {
    const { scrollLeft } = box;
    box.replaceChildren(plot.picture);
    box.scrollLeft = scrollLeft;
  }

  /** Keeps the present step in sight, where the chart is wider than its place. */
  function follow(x) {
    if (x < box.scrollLeft + 40 || x > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = x - box.clientWidth / 2;
  }

  function sizes({ steps, at }) {
    const values = steps.map((step) => step.size);
    const label = `Number of possible states, step by step: ${values.slice(0, 60).join(", ")}`;
    if (steps.length > MOST_BARS) return longSizes(values, at, label);
    const all = steps.map((_, i) => world.journeys.details(steps, i)?.all.length ?? values[i]);
    const percepts = data.kind === "contingent";
    const likely = steps.map((_, i) => world.odds(steps, i));
    if (likely.every(Boolean)) return certainty(steps, at, likely);
    const gap = Math.max(percepts ? 58 : 26, Math.min(70, roomFor() / steps.length));
    const x = (i) => gap * (i + 0.5);
    const plot = makePlot(gap * steps.length, 142, label);
    putLanes(plot, steps.length, at, gap, x, 142, go);
    const captions = percepts ? steps.map((step) => world.words.percept(step.percept)) : [];
    const words = (i, more) => (more ? `${grouped(values[i])} of ${grouped(all[i])}` : grouped(values[i]));
    plot.bars(values, at, { x, base: 118, tall: 84, thick: Math.min(24, 0.5 * gap) }, percepts ? all : null, words);
    steps.forEach((step, i) => {
      const named = percepts && i ? shortenedApart(world.words.percept(step.percept), 9, captions) : String(i);
      plot.put("text", { class: i === at ? "num now" : "num", x: x(i), y: 134 }, percepts && !i ? "start" : named);
    });
    const note = percepts ? "Filled: the states that fit what was perceived. Dashed: all that might have come." : "";
    head("What is known at each step", "how many states are possible", note);
    show(plot);
    return follow(x(at));
  }

  /** How likely the likeliest state is, step by step. */
  function certainty(steps, at, likely) {
    const values = likely.map((shares) => largest([...shares.values()]));
    const gap = Math.max(58, Math.min(70, roomFor() / steps.length));
    const x = (i) => gap * (i + 0.5);
    const label = `Probability of the likeliest state, step by step: ${values.map(percentage).join(", ")}`;
    const plot = makePlot(gap * steps.length, 142, label);
    putLanes(plot, steps.length, at, gap, x, 142, go);
    const place = { x, base: 118, tall: 84, thick: Math.min(24, 0.5 * gap) };
    plot.bars(values, at, place, values.map(() => 1), (i) => percentage(values[i]));
    const names = steps.map((step, i) => (i ? world.words.percept(step.percept) : "start"));
    names.forEach((name, i) => {
      plot.put("text", { class: i === at ? "num now" : "num", x: x(i), y: 134 }, shortenedApart(name, 9, names));
    });
    head("What is known at each step", "how likely the likeliest state is", "Dashed: certainty.");
    show(plot);
    return follow(x(at));
  }

  function longSizes(values, at, label) {
    const wide = roomFor();
    const x = (i) => (wide * (i + 0.5)) / values.length;
    const plot = makePlot(wide, 120, label);
    plot.outline(values, at, { x, base: 116, tall: 90 });
    plot.picture.addEventListener("click", (event) => {
      const left = plot.picture.getBoundingClientRect().x;
      go(Math.floor(((event.clientX - left) / wide) * values.length));
    });
    plot.picture.classList.add("pressable");
    head("What is known at each step", "how many states are possible", "Press anywhere to go there.");
    return show(plot);
  }

  /** How many states of the graph need how many moves, where the state is seen. */
  function distances({ step }) {
    const graph = world.graphs.find((each) => each.complete && each.name === "states");
    const rest = graph ? graph.nodes.rest.filter((left) => Number.isInteger(left) && left >= 0) : [];
    const far = largest(rest);
    byId("chart-box").hidden = !far || far > 200;
    if (!far || far > 200) return;
    const values = new Array(far + 1).fill(0);
    for (const left of rest) values[left]++;
    const now = graph.rest(graph.nodeOf(step.belief, 1)) ?? -1;
    const gap = Math.max(20, Math.min(52, roomFor() / (far + 1)));
    const x = (i) => gap * (i + 0.5);
    const plot = makePlot(gap * (far + 1), 132, `States by the moves they need: ${values.join(", ")}`);
    const place = { x, base: 112, tall: 84, thick: Math.min(26, 0.6 * gap) };
    plot.bars(values, now, place, null, (i) => grouped(values[i]));
    values.forEach((_, i) => plot.put("text", { class: i === now ? "num now" : "num", x: x(i), y: 128 }, i));
    const unit = world.words.unit ? "the moves" : "the cost";
    head("How many states need how much", "marked: this one", `Below: ${unit} still needed; above: so many states.`);
    show(plot);
    follow(x(Math.max(0, now)));
  }

  /** What the game is worth, step by step, where chance decides. */
  function worth({ steps, at }) {
    const values = steps.map((step) => data.values.number[step.belief[0]]);
    const lacking = values.some((value) => value === null || value === undefined || value < 0);
    byId("chart-box").hidden = lacking || steps.length < 2;
    if (byId("chart-box").hidden) return;
    const gap = Math.max(46, Math.min(70, roomFor() / steps.length));
    const x = (i) => gap * (i + 0.5);
    const named = `The ${data.costs ? "cost" : "value"}, step by step: ${values.slice(0, 60).join(", ")}`;
    const plot = makePlot(gap * steps.length, 142, named);
    putLanes(plot, steps.length, at, gap, x, 142, go);
    const place = { x, base: 118, tall: 84, thick: Math.min(24, 0.5 * gap) };
    plot.bars(values, at, place, null, (i) => shortValue(values[i]));
    steps.forEach((_, i) => plot.put("text", { class: i === at ? "num now" : "num", x: x(i), y: 134 }, i));
    const title = data.costs ? "What it costs from each step on" : "What it is worth at each step";
    head(title, "if played well from there", "");
    show(plot);
    follow(x(at));
  }

  return function render(moment) {
    byId("chart-box").hidden = moment.veiled || moment.step.size < 0;
    if (byId("chart-box").hidden) return;
    if (data.values) worth(moment);
    else if (world.seesAll) distances(moment);
    else if (moment.steps.length < 2) byId("chart-box").hidden = true;
    else if (data.kind === "sensorless") threadsOrSizes(moment);
    else sizes(moment);
  };

  function threadsOrSizes(moment) {
    const rows = rowsOfThreads(moment.steps);
    if (!rows.length || !world.puzzle.known || moment.steps.length > MOST_BARS) return sizes(moment);
    const title = "A line: what a state may become. Gold: won, whether noticed or not.";
    head("What may have become what", "above: how many states are possible", title);
    const { plot, x } = threadsPlot(world, moment, rows, roomFor(), go);
    show(plot);
    return follow(x);
  }
}

/** The states that have a row, if they are few and known. */
function rowsOfThreads(steps) {
  const states = new Set();
  for (const step of steps) {
    if (step.belief.length < step.size) return [];
    for (const state of step.belief) states.add(state);
    if (states.size > MOST_ROWS) return [];
  }
  return sortedSet(states);
}
