// Elements of the page. Text always goes in as text, so a state called <script> is a word like any other.

const SVG = "http://www.w3.org/2000/svg";

function byId(id) {
  return document.getElementById(id);
}

function filled(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...inside);
  return element;
}

function html(tag, attributes = {}, ...inside) {
  return filled(document.createElement(tag), attributes, inside);
}

function svg(tag, attributes = {}, ...inside) {
  return filled(document.createElementNS(SVG, tag), attributes, inside);
}

function button(attributes, act, ...inside) {
  const element = html("button", { type: "button", ...attributes }, ...inside);
  element.addEventListener("click", act);
  return element;
}

/** Parts of a sentence (see words.js) as nodes. */
function spoken(parts) {
  return parts.map((part) => (part.strong === undefined ? part : html("b", {}, part.strong)));
}

/** Does something at most once before each picture of the screen. */
function oncePerFrame(act) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      act();
    });
  };
}
