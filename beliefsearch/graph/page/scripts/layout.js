// Where the nodes of a graph stand: layers run downwards, and wide ones are broken into rows.

const SMALL = 120; // nodes of a graph that has room for labels

/**
 * Places for all nodes. `widths` are the widths of the nodes' boxes, `shape` has the height of a box, the gaps
 * between boxes and between layers, whether the plan is to run down the middle, and whether there are labels; `room`
 * is what is to be filled.
 * The rows are sorted from top to bottom, and the nodes in each from left to right, so that what is in sight is found
 * by bisection.
 */
function layOut(graph, widths, shape, room) {
  const layers = orderedLayers(graph, shape.spine);
  const widest = layers.map((nodes) => rowWidth(nodes, widths, shape.gap));
  const limit = bestWidth(widest, layers, widths, shape, room);
  const laid = { x: new Float32Array(graph.count), y: new Float32Array(graph.count), bands: [] };
  const rows = { y: [], from: [0], order: new Int32Array(graph.count) };
  let y = 0;
  let placed = 0;
  layers.forEach((nodes, layer) => {
    const top = y;
    const spine = shape.spine ? nodes.findIndex((node) => graph.planned[node]) : -1;
    const parts = Math.max(1, Math.ceil(widest[layer] / limit));
    for (const row of cutIntoRows(nodes, parts, spine)) {
      placeRow(row, widths, shape, spine < 0 ? -1 : nodes[spine], laid, y);
      rows.order.set(row, placed);
      placed += row.length;
      rows.y.push(y);
      rows.from.push(placed);
      y += shape.height + shape.rowGap;
    }
    const bottom = y - shape.height - shape.rowGap;
    laid.bands.push({ layer: graph.layers[layer], top, bottom, count: nodes.length });
    y += shape.between;
  });
  const laidOut = { ...laid, rows, limit };
  stretch(laidOut, widths, shape, room);
  return { ...laidOut, box: boundingBox(laidOut, widths, shape) };
}

function rowWidth(nodes, widths, gap) {
  let sum = 0;
  for (const node of nodes) sum += widths[node] + gap;
  return sum;
}

/** The nodes of each layer, each under its parents as far as that goes. */
function orderedLayers(graph, spine) {
  const byLayer = rowsByKey(graph.layerOf, graph.layers.length);
  const place = new Float32Array(graph.count);
  const keys = new Float32Array(graph.count);
  const layers = graph.layers.map((_, layer) => Array.from(byLayer.of(layer)));
  const sweeps = graph.edgeCount < 20000 ? ["down", "up", "down"] : ["down"];
  for (const sweep of sweeps) {
    const order = sweep === "down" ? layers : [...layers].reverse();
    for (const nodes of order) {
      for (const node of nodes) keys[node] = meanPlace(graph, node, sweep, place);
      nodes.sort((a, b) => keys[a] - keys[b] || a - b);
      if (spine) centrePlan(nodes, graph);
      nodes.forEach((node, i) => (place[node] = (i + 0.5) / nodes.length - 0.5));
    }
  }
  return layers;
}

/** The mean place of a node's neighbours in the layers before it, or after it. */
function meanPlace(graph, node, sweep, place) {
  const edges = sweep === "down" ? graph.into.of(node) : graph.out.of(node);
  const ends = sweep === "down" ? graph.from : graph.to;
  let sum = 0;
  let count = 0;
  for (const edge of edges) {
    const other = ends[edge];
    if (sweep === "down" ? graph.layerOf[other] >= graph.layerOf[node] : graph.layerOf[other] <= graph.layerOf[node]) {
      continue;
    }
    sum += place[other];
    count++;
  }
  return count ? sum / count : place[node];
}

function centrePlan(nodes, graph) {
  const at = nodes.findIndex((node) => graph.planned[node]);
  if (at >= 0) nodes.splice(nodes.length >> 1, 0, ...nodes.splice(at, 1));
}

/** How wide rows may be, so that everything is shown as large as possible. */
function bestWidth(widest, layers, widths, shape, room) {
  const most = largest(widest, 1);
  const step = shape.height + shape.rowGap;
  const scaleAt = (limit) => {
    let high = 0;
    for (const width of widest) high += Math.max(1, Math.ceil(width / limit)) * step + shape.between;
    return Math.min(room.width / limit, room.height / high);
  };
  let best = most;
  for (let limit = largest(widths, 1) + shape.gap; limit < most; limit *= 1.08) {
    if (scaleAt(limit) > scaleAt(best)) best = limit;
  }
  const whole = shape.labelled && scaleAt(most) >= Math.min(0.6 * scaleAt(best), 0.8);
  return whole ? most : best;
}

/** The nodes of a layer in rows of about the same length; the one of the plan in the middle of the middle row. */
function cutIntoRows(nodes, parts, spine) {
  const others = spine < 0 ? nodes : nodes.filter((_, i) => i !== spine);
  const rows = Array.from({ length: parts }, (_, part) => {
    const [from, to] = [part, part + 1].map((cut) => Math.round((others.length * cut) / parts));
    return others.slice(from, to);
  });
  const middle = rows[parts >> 1];
  if (spine >= 0) middle.splice(middle.length >> 1, 0, nodes[spine]);
  return rows;
}

/** Puts the nodes of a row side by side, round its middle or round the node of the plan. */
function placeRow(row, widths, shape, spine, laid, y) {
  let x = -rowWidth(row, widths, shape.gap) / 2;
  for (const node of row) {
    laid.x[node] = x + (widths[node] + shape.gap) / 2;
    laid.y[node] = y;
    x += widths[node] + shape.gap;
  }
  if (!row.includes(spine)) return;
  const shift = laid.x[spine];
  for (const node of row) laid.x[node] -= shift;
}

/** Draws a small graph out, up to twice as high, where there is room. */
function stretch(laid, widths, shape, room) {
  const box = boundingBox(laid, widths, shape);
  if (laid.x.length > SMALL || laid.bands.length < 2) return;
  const scale = Math.min(1.25, room.width / (box.right - box.left + 60));
  const factor = Math.max(1, Math.min(2, (room.height - 40) / scale / (box.bottom - box.top)));
  laid.y.forEach((y, node) => (laid.y[node] = y * factor));
  laid.rows.y = laid.rows.y.map((y) => y * factor);
  for (const band of laid.bands) {
    band.top *= factor;
    band.bottom *= factor;
  }
}

function boundingBox(laid, widths, shape) {
  let [left, right, bottom] = [0, 0, 0];
  for (let node = 0; node < laid.x.length; node++) {
    left = Math.min(left, laid.x[node] - widths[node] / 2);
    right = Math.max(right, laid.x[node] + widths[node] / 2);
    bottom = Math.max(bottom, laid.y[node]);
  }
  return { left, right, top: -shape.height / 2, bottom: bottom + shape.height / 2 + shape.below };
}

/** Calls `visit` for every node in a window of the plane, row by row. */
function eachInWindow(laid, window, visit) {
  const { rows, x } = laid;
  const first = firstAtLeast(window.top, 0, rows.y.length, (row) => rows.y[row]);
  for (let row = first; row < rows.y.length && rows.y[row] <= window.bottom; row++) {
    const end = rows.from[row + 1];
    let i = firstAtLeast(window.left, rows.from[row], end, (place) => x[rows.order[place]]);
    for (; i < end && x[rows.order[i]] <= window.right; i++) visit(rows.order[i]);
  }
}
