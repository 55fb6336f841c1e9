// What may have become what: a row for each state, a column for each step, and lines between them.

const ROW_HEIGHT = 21;
const THREADS_TOP = 58; // above it: how many states are possible

/** The chart of a journey, and where its present step stands. */
function threadsPlot(world, { steps, at }, rows, room, go) {
  const { data, puzzle, journeys } = world;
  const full = rows.map((state) => data.states.names[state]);
  const names = full.map((name) => shortenedApart(name, 18, full));
  const left = 16 + 6.8 * largest(names.map((name) => name.length));
  const gap = Math.max(17, Math.min(46, (room - left - 6) / steps.length));
  const rank = new Map(rows.map((state, i) => [state, i]));
  const x = (i) => left + gap * (i + 0.5);
  const y = (state) => THREADS_TOP + ROW_HEIGHT * (rank.get(state) + 0.5);
  const bottom = THREADS_TOP + ROW_HEIGHT * rows.length;
  const sizes = steps.map((step) => step.size);
  const label = `What may have become what. Possible states, step by step: ${sizes.join(", ")}`;
  const plot = makePlot(left + gap * steps.length + 2, bottom + 20, label);
  putLanes(plot, steps.length, at, gap, x, bottom + 20, go);
  rows.forEach((state, i) => plot.put("text", { class: "state", x: 2, y: y(state) + 4 }, names[i]));
  const place = { x, base: 48, tall: 28, thick: Math.min(14, gap / 1.6) };
  plot.bars(sizes, at, place, null, (i) => grouped(sizes[i]));
  steps.forEach((_, i) => {
    const links = (journeys.details(steps, i)?.links || []).filter((link) => rank.has(link[0]) && rank.has(link[1]));
    for (const [from, to] of links) plot.put("path", threadOf(x(i - 1), y(from), x(i), y(to), tone(from, i)));
  });
  steps.forEach((step, i) => {
    const now = new Set(step.belief);
    for (const state of rows) plot.put("circle", dotOf(x(i), y(state), now.has(state), state, i));
    if (gap > 19 || i % 5 === 0) {
      plot.put("text", { class: i === at ? "num now" : "num", x: x(i), y: bottom + 14 }, i);
    }
  });

  function tone(from, i) {
    if (puzzle.wins(from)) return "thread won";
    return i === at ? "thread lit" : i > at ? "thread later" : "thread";
  }

  function threadOf(x1, y1, x2, y2, name) {
    const middle = (x1 + x2) / 2;
    return { class: name, d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}` };
  }

  function dotOf(cx, cy, here, state, i) {
    const name = here ? `dot${puzzle.wins(state) ? " won" : ""}${i > at ? " later" : ""}` : "dot not";
    return { class: name, cx, cy, r: here ? 4.2 : 2.2 };
  }

  return { plot, x: x(at) };
}
