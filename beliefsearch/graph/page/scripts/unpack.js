// Page data as the rest of the script knows them, from the short way in which they are written (packed.py).

/** A column from its runs or its differences. */
function unpackedColumn({ runs, steps }) {
  const values = [];
  if (runs) {
    for (let i = 0; i < runs.length; i += 2) for (let left = runs[i + 1]; left > 0; left--) values.push(runs[i]);
    return values;
  }
  let value = 0;
  for (const step of writtenOut(steps)) values.push((value += step));
  return values;
}

/** The same value with all columns in it written out. */
function writtenOut(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.length && isRecord(value[0]) ? value.map(writtenOut) : value;
  if (value.runs || value.steps) return unpackedColumn(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, writtenOut(inner)]));
}

function isRecord(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Page data with columns, texts and drawings written out. */
function unpacked(packed) {
  const { shapes, ...data } = writtenOut(packed);
  const { names } = data.states;
  for (const { nodes } of data.graphs) {
    nodes.members = nodes.members.map((members) => (typeof members === "number" ? [members] : members));
    const written = [(node) => names[nodes.members[node][0]], (node) => `${grouped(nodes.size[node])} states`];
    nodes.text = nodes.text.map((text, node) => (typeof text === "number" ? written[text](node) : text));
  }
  data.drawings = data.drawings.map(([width, height, parts]) => [width, height, parts.map((i) => shapes[i]).join("")]);
  return data;
}
