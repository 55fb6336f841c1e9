// Small pictures for the canvas, painted once for each size and theme, and only so many in a frame.

const SPRITE_TIME = 10; // milliseconds for new sprites in one frame

/** Sprites of drawings; `again` is called when some had to wait for the next frame. */
function makeSprites(pictures, theme, again) {
  let cache = new Map();
  let until = 0;
  let waiting = false;

  function begin() {
    until = performance.now() + SPRITE_TIME;
    waiting = false;
  }

  function forget() {
    cache = new Map();
  }

  function made(index, pixels) {
    const [width, height] = pictures.sketch(index);
    const scale = pixels / Math.max(width, height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.ceil(width * scale));
    canvas.height = Math.max(1, Math.ceil(height * scale));
    const pen = canvas.getContext("2d");
    paintSketch(pen, pictures.sketch(index), canvas.width / 2, canvas.height / 2, scale, theme.colour);
    return canvas;
  }

  /** Paints a drawing with its middle at (x, y) into a box, both in pixels of the pen; false if it has to wait. */
  function paint(pen, index, x, y, boxWidth, boxHeight, ratio) {
    const [width, height] = pictures.sketch(index);
    const scale = Math.min(boxWidth / width, boxHeight / height);
    const wanted = Math.max(width, height) * scale * ratio;
    const bucket = bucketed(wanted);
    const key = index * 64 + bucket.rank;
    if (!cache.has(key)) {
      if (performance.now() > until) {
        if (!waiting) again();
        waiting = true;
        return false;
      }
      cache.set(key, made(index, bucket.pixels));
    }
    pen.drawImage(cache.get(key), x - (width * scale) / 2, y - (height * scale) / 2, width * scale, height * scale);
    return true;
  }

  return { begin, forget, paint };
}

/** Sizes go in steps by a factor of the square root of two, so that zooming makes few sprites. */
function bucketed(wanted) {
  const rank = Math.max(8, Math.min(20, Math.ceil(2 * Math.log2(wanted))));
  return { rank, pixels: 2 ** (rank / 2) };
}
