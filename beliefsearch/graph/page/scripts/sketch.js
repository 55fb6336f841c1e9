// Drawings on a canvas: the shapes of model/drawing.py, read from their text and painted in the colours of the theme.

const TAGS = /<(\/?)([a-z]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>([^<]*)/g;
const ATTRIBUTES = /([\w-]+)="([^"]*)"/g;
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
  });
}

/** The shapes of a fragment, one by one, each with the moves, the scale and the opacity of the groups round it. */
function readShapes(fragment) {
  const shapes = [];
  const groups = [{ x: 0, y: 0, scale: 1, opacity: 1 }];
  for (const [, closes, tag, listed, , text] of fragment.matchAll(TAGS)) {
    const group = groups.at(-1);
    if (closes) {
      if (tag === "g") groups.pop();
      continue;
    }
    const attributes = {};
    for (const [, name, value] of listed.matchAll(ATTRIBUTES)) attributes[name] = unescaped(value);
    if (tag === "g") groups.push(innerGroup(group, attributes));
    else shapes.push({ tag, attributes, group, text: unescaped(text) });
  }
  return shapes;
}

function innerGroup(group, attributes) {
  const moved = attributes.transform || "";
  const [, x = 0, y = 0] = moved.match(/translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)/) || [];
  const [, scale = 1] = moved.match(/scale\(([-\d.e]+)\)/) || [];
  return {
    x: group.x + group.scale * Number(x),
    y: group.y + group.scale * Number(y),
    scale: group.scale * Number(scale),
    opacity: group.opacity * Number(attributes.opacity ?? 1),
  };
}

function numbersIn(text) {
  return (text.match(/-?[\d.]+(?:e-?\d+)?/g) || []).map(Number);
}

function tracePoints(path, text, close) {
  const numbers = numbersIn(text);
  for (let i = 0; i + 1 < numbers.length; i += 2) path.lineTo(numbers[i], numbers[i + 1]);
  if (close) path.closePath();
}

/** Draws the outline of each kind of shape into a path. */
const OUTLINES = {
  circle: (path, at) => path.arc(at.cx, at.cy, at.r, 0, 7),
  ellipse: (path, at) => path.ellipse(at.cx, at.cy, at.rx, at.ry, 0, 0, 7),
  rect: (path, at) => path.roundRect(+at.x || 0, +at.y || 0, +at.width, +at.height, +at.rx || 0),
  line: (path, at) => {
    path.moveTo(at.x1, at.y1);
    path.lineTo(at.x2, at.y2);
  },
  polygon: (path, at) => tracePoints(path, at.points || "", true),
  polyline: (path, at) => tracePoints(path, at.points || "", false),
  path: (path, at) => path.addPath(new Path2D(at.d || "")),
};

/** A colour by its name in a drawing, `var(--NAME)`, or undefined for none. */
function colourOf(value, colours, otherwise) {
  if (value === undefined) return otherwise;
  const name = value.match(/^var\(--([\w-]+)\)$/);
  return name ? colours(name[1]) : undefined;
}

function paintShape(pen, shape, colours) {
  const at = shape.attributes;
  const fill = colourOf(at.fill, colours, colours("ink"));
  pen.globalAlpha = shape.group.opacity * Number(at.opacity ?? 1);
  if (shape.tag === "text") return paintText(pen, shape, fill);
  if (!OUTLINES[shape.tag]) return;
  const outline = new Path2D();
  OUTLINES[shape.tag](outline, at);
  if (fill && shape.tag !== "line") {
    pen.fillStyle = fill;
    pen.fill(outline);
  }
  const stroke = colourOf(at.stroke, colours);
  if (!stroke) return;
  pen.strokeStyle = stroke;
  pen.lineWidth = Number(at["stroke-width"] ?? 1);
  pen.setLineDash(at["stroke-dasharray"] ? numbersIn(at["stroke-dasharray"]) : []);
  pen.lineCap = at["stroke-linecap"] || "butt";
  pen.lineJoin = at["stroke-linejoin"] || "miter";
  pen.stroke(outline);
}

function paintText(pen, shape, fill) {
  const at = shape.attributes;
  pen.font = `${at["font-weight"] || 400} ${at["font-size"] || 12}px ${at["font-family"] || "system-ui, sans-serif"}`;
  pen.textAlign = { middle: "center", end: "right" }[at["text-anchor"]] || "left";
  pen.fillStyle = fill || "transparent";
  pen.fillText(shape.text, at.x, at.y);
}

/** Paints a drawing with its middle at (x, y). */
function paintSketch(pen, [width, height, shapes], x, y, scale, colours) {
  pen.save();
  pen.translate(x - (width * scale) / 2, y - (height * scale) / 2);
  pen.scale(scale, scale);
  for (const shape of shapes) {
    pen.save();
    pen.translate(shape.group.x, shape.group.y);
    pen.scale(shape.group.scale, shape.group.scale);
    paintShape(pen, shape, colours);
    pen.restore();
  }
  pen.restore();
}
