// Mouse, fingers and keys on the graph.

/** Listens on the canvas; `act` has point(x, y), leave(), press(x, y) and key(event). */
function listenOnCanvas(canvas, viewport, act) {
  const held = new Map(); // where each finger, or the mouse, is
  let travelled = 0;

  function place(event) {
    return [event.offsetX, event.offsetY];
  }

  function pinch(event, was, other) {
    const [px, py] = place(event);
    const before = Math.max(1, Math.hypot(was[0] - other[0], was[1] - other[1]));
    viewport.zoom(Math.hypot(px - other[0], py - other[1]) / before, other[0], other[1]);
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, place(event));
    if (held.size === 1) travelled = 0;
    canvas.classList.add("held");
  });
  canvas.addEventListener("pointermove", (event) => {
    const was = held.get(event.pointerId);
    if (!was) return act.point(...place(event));
    const now = place(event);
    const [other] = [...held].filter(([id]) => id !== event.pointerId);
    travelled += Math.abs(now[0] - was[0]) + Math.abs(now[1] - was[1]);
    if (other) pinch(event, was, other[1]);
    else if (travelled > 4) viewport.pan(now[0] - was[0], now[1] - was[1]);
    held.set(event.pointerId, now);
    return act.leave();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => {
      held.delete(event.pointerId);
      canvas.classList.remove("held");
      if (end === "pointerup" && travelled <= 5) act.press(...place(event));
    });
  }
  canvas.addEventListener("pointerleave", () => {
    if (!held.size) act.leave();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      viewport.zoom(Math.exp(-event.deltaY / 450), ...place(event));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const zooms = { "+": 1.3, "=": 1.3, "-": 1 / 1.3 };
    const pans = { ArrowUp: [0, 60], ArrowDown: [0, -60], ArrowLeft: [60, 0], ArrowRight: [-60, 0] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (zooms[event.key]) viewport.zoom(zooms[event.key]);
    else if (event.shiftKey && pans[event.key]) viewport.pan(...pans[event.key]);
    else if (event.key === "0") act.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
