// A small chart: a band for each step that can be pressed, bars, and whatever else is drawn.

const MOST_BARS = 150; // more steps than this are drawn as one outline

/** An empty picture of this size, and what puts things into it. */
function makePlot(width, height, label) {
  const picture = svg("svg", { width: Math.max(width, 10), height, role: "img", "aria-label": label });

  function put(tag, attributes, text) {
    const element = svg(tag, attributes);
    if (text !== undefined) element.textContent = text;
    picture.append(element);
    return element;
  }

  /** Bars, each with its number above; `tops` are taller dashed ones behind them, or null. */
  function bars(values, now, place, tops, words) {
    const { x, base, tall, thick } = place;
    const most = Math.max(largest(values, 0), tops ? largest(tops, 0) : 0) || 1;
    values.forEach((value, i) => {
      if (!(value >= 0)) return;
      const high = (tall * value) / most;
      const top = tops ? Math.max(high, (tall * tops[i]) / most) : high;
      const box = { x: x(i) - thick / 2, width: thick, rx: Math.min(3, thick / 3) };
      if (top > high) put("rect", { class: "rest", ...box, y: base - top, height: top });
      put("rect", { class: i === now ? "column now" : "column", ...box, y: base - high, height: Math.max(high, 1) });
      const text = words(i, top > high);
      if (text) put("text", { class: i === now ? "num now" : "num", x: x(i), y: base - top - 6 }, text);
    });
  }

  /** Very many values as one outline, and the present one as a line. */
  function outline(values, now, place) {
    const { x, base, tall } = place;
    const most = largest(values, 0) || 1;
    const points = values.map((value, i) => `${x(i)},${base - (tall * Math.max(0, value)) / most}`);
    put("polygon", { class: "column", points: `${x(0)},${base} ${points.join(" ")} ${x(values.length - 1)},${base}` });
    put("line", { class: "cursor", x1: x(now), x2: x(now), y1: base - tall - 4, y2: base });
    put("text", { class: "num now", x: x(now), y: base - tall - 10 }, grouped(values[now]));
  }

  return { picture, put, bars, outline };
}

/** Bands from top to bottom, one for each step; pressing one goes there, and the present one is marked. */
function putLanes(plot, count, at, gap, x, height, go) {
  plot.put("rect", { class: "here", x: x(at) - gap / 2, y: 0, width: gap, height, rx: Math.min(8, gap / 2) });
  for (let i = 0; i < count; i++) {
    if (i === at) continue;
    const lane = { class: "lane", x: x(i) - gap / 2, y: 0, width: gap, height, rx: Math.min(8, gap / 2) };
    plot.put("rect", lane).addEventListener("click", () => go(i));
  }
}
