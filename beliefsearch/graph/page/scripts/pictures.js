// Pictures of states and beliefs, from the pool of drawings.

const MOST_LAID_OVER = 48; // states laid over each other in one picture
const MOST_SIDE_BY_SIDE = 12;
const WIDEST_NAME = 400; // a broader one is shown smaller than the others
const MOST_IN_GROUND = 150; // shapes below the marks of a button

/** Pictures as elements and as shapes for the canvas; each drawing is read once. */
function makePictures(data) {
  const shapes = new Map();
  const parts = new Map();
  const parser = new DOMParser();

  /** A drawing for the canvas: its width, its height and its shapes. */
  function sketch(index) {
    if (!shapes.has(index)) {
      const [width, height, fragment] = data.drawings[index];
      shapes.set(index, [width, height, readShapes(fragment)]);
    }
    return shapes.get(index);
  }

  /** The elements of a drawing, to be copied before they are put anywhere. */
  function elements(index) {
    if (!parts.has(index)) {
      const text = `<svg xmlns="${SVG}">${data.drawings[index][2]}</svg>`;
      const read = parser.parseFromString(text, "image/svg+xml").documentElement;
      parts.set(index, read.localName === "svg" ? [...read.children] : []);
    }
    return parts.get(index);
  }

  function copies(index) {
    return elements(index).map((element) => document.importNode(element, true));
  }

  function boxOf(index) {
    const [width, height] = data.drawings[index];
    return `0 0 ${width} ${height}`;
  }

  /** A small picture of a state. */
  function ofState(state) {
    const index = data.states.drawing[state];
    if (index < 0) return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
    return svg("svg", { viewBox: boxOf(index), "aria-hidden": "true" }, ...copies(index));
  }

  /** Whether a state's picture is no more than its name in a box, which may be cut. */
  function isName(state) {
    const index = data.states.drawing[state];
    if (index < 0 || elements(index).length !== 2) return false;
    const written = elements(index)[1].textContent;
    return written !== "" && data.states.names[state].startsWith(written.replace(/…$/, ""));
  }

  /** The width of the broadest name: all names are shown in as much room, so that letters keep their size. */
  const nameWidth = once(() => {
    const names = data.states.names.map((_, state) => state).filter(isName);
    return Math.min(WIDEST_NAME, largest(names.map((state) => data.drawings[data.states.drawing[state]][0])));
  });

  /** The box of a state's picture where it is shown large. */
  function roomFor(state) {
    const [width, height] = data.drawings[data.states.drawing[state]];
    const room = isName(state) ? Math.max(width, nameWidth()) : width;
    return `${(width - room) / 2} 0 ${room} ${height}`;
  }

  /** Whether a drawing is so broad that it would become too small to be read. */
  function isBroad(state) {
    const index = data.states.drawing[state];
    return index >= 0 && data.drawings[index][0] > 1.4 * data.drawings[index][1];
  }

  /** A small picture of what an action marks, faintly on what is shown large if that fits; null if it has none. */
  function ofAction(action, shown) {
    const index = data.actions.marks[action] ?? -1;
    if (index < 0 || elements(index).every((element) => element.localName === "text")) return null;
    const under = shown && shown.getAttribute("viewBox") === boxOf(index) ? groundOf(shown) : [];
    return svg("svg", { viewBox: boxOf(index), "aria-hidden": "true" }, ...under, ...copies(index));
  }

  /** What is shown large without its marks, as a faint ground for a small picture. */
  function groundOf(shown) {
    const ground = [...shown.children].filter((element) => !element.classList.contains("marks"));
    if (!ground.length || ground.length > MOST_IN_GROUND) return [];
    return [svg("g", { class: "ground" }, ...ground.map((element) => element.cloneNode(true)))];
  }

  /** Fills an element with what is known, and what the action marks drawn over it. */
  function fill(target, belief, size, own, action) {
    const marks = action >= 0 ? data.actions.marks[action] ?? -1 : -1;
    const isState = size === 1 && own >= 0 && own === data.states.drawing[belief[0]];
    let known = own >= 0 && !isState ? { box: boxOf(own), inside: copies(own) } : composed(belief, size);
    if (marks >= 0 && boxOf(marks) !== known.box && own >= 0) known = composed(belief, size);
    if (marks >= 0 && !belief.length) known.box = boxOf(marks);
    const fits = marks >= 0 && boxOf(marks) === known.box;
    target.setAttribute("viewBox", known.box);
    target.replaceChildren(...known.inside, ...(fits ? [svg("g", { class: "marks" }, ...copies(marks))] : []));
    const [, , width, height] = known.box.split(" ").map(Number);
    target.classList.toggle("broad", width > 1.6 * height);
    return marks < 0 || fits;
  }

  /** A picture of a belief out of the pictures of its states. */
  function composed(belief, size) {
    const drawn = belief.map((state) => data.states.drawing[state]).filter((index) => index >= 0);
    if (!drawn.length) return { box: "0 0 100 100", inside: [] };
    if (size === 1) return { box: roomFor(belief[0]), inside: copies(drawn[0]) };
    return laidOver(drawn, size) || sideBySide(drawn, size);
  }

  /** What all states have in common as it is, and the rest as faintly as it is unlikely; null if only words differ. */
  function laidOver(drawn, size) {
    if (drawn.some((index) => boxOf(index) !== boxOf(drawn[0]))) return null;
    const step = Math.max(1, Math.ceil(drawn.length / MOST_LAID_OVER));
    const some = drawn.filter((_, i) => i % step === 0);
    const counts = new Map();
    for (const index of some) {
      for (const element of elements(index)) {
        const entry = counts.get(element.outerHTML) || { element, count: 0 };
        entry.count++;
        counts.set(element.outerHTML, entry);
      }
    }
    const unsure = [...counts.values()].filter((entry) => entry.count < some.length);
    if (!unsure.some((entry) => entry.element.localName !== "text")) return null;
    const labels = labelsOf(counts.values());
    const inside = [];
    for (const { element, count } of counts.values()) {
      const copy = labels.has(element)
        ? labelCopy(element, labels.get(element) / some.length)
        : overlay(element, count / some.length);
      if (copy) inside.push(copy);
    }
    return { box: boxOf(drawn[0]), inside, size };
  }

  /** The texts that say the same wherever they stand, such as the number of a cell: how many drawings have them. */
  function labelsOf(entries) {
    const places = new Map();
    for (const { element, count } of entries) {
      if (element.localName !== "text") continue;
      const place = `${element.getAttribute("x")} ${element.getAttribute("y")}`;
      const known = places.get(place) || { words: element.textContent, most: { count: 0 }, sum: 0, others: [] };
      known.others.push(element);
      known.sum = known.words === element.textContent ? known.sum + count : NaN;
      if (count > known.most.count) known.most = { element, count };
      places.set(place, known);
    }
    const labels = new Map();
    for (const { most, sum, others } of places.values()) {
      for (const other of others) labels.set(other, sum && other === most.element ? sum : 0);
    }
    return labels;
  }

  /** A label, unless most drawings have none there. */
  function labelCopy(element, share) {
    return share < 0.5 ? null : document.importNode(element, true);
  }

  function overlay(element, share) {
    const copy = document.importNode(element, true);
    if (share >= 1) return copy;
    for (const text of copy.querySelectorAll("text")) text.remove();
    copy.setAttribute("opacity", Math.max(0.12, share * Number(copy.getAttribute("opacity") ?? 1)));
    return copy;
  }

  function sideBySide(drawn, size) {
    const some = drawn.slice(0, MOST_SIDE_BY_SIDE);
    const boxes = some.map((index) => data.drawings[index]);
    const wide = 1.06 * largest(boxes.map((box) => box[0]));
    const high = 1.06 * largest(boxes.map((box) => box[1]));
    const columns = Math.max(1, Math.round(Math.sqrt((some.length * high) / wide)));
    const rows = Math.ceil(some.length / columns);
    const inside = some.map((index, i) => {
      const [width, height] = data.drawings[index];
      const x = (i % columns) * wide + (wide - width) / 2;
      const y = Math.floor(i / columns) * high + (high - height) / 2;
      return svg("g", { transform: `translate(${x} ${y})` }, ...copies(index));
    });
    const more = size - some.length;
    const room = more ? 0.09 * rows * high : 0;
    const [middle, base] = [(columns * wide) / 2, rows * high + 0.75 * room];
    const note = { x: middle, y: base, "font-size": 0.8 * room, "text-anchor": "middle", fill: "var(--soft)" };
    if (more) inside.push(svg("text", note, `and ${grouped(more)} more`));
    return { box: `0 0 ${columns * wide} ${rows * high + room}`, inside };
  }

  return { sketch, ofState, ofAction, isName, isBroad, fill };
}
