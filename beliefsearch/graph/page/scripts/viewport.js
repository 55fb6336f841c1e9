// The part of the plane that is in sight: pan, zoom, fit, and gliding to a place.

const LEAST_SCALE = 0.004;
const MOST_SCALE = 14;

/** A view of a plane; `changed` is called whenever something else is in sight. */
function makeViewport(changed) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const view = { k: 1, ox: 0, oy: 0, width: 0, height: 0 };
  let gliding = 0;

  function stop() {
    cancelAnimationFrame(gliding);
  }

  function zoom(factor, x = view.width / 2, y = view.height / 2) {
    stop();
    const exact = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, view.k * factor)) / view.k;
    view.ox = x - (x - view.ox) * exact;
    view.oy = y - (y - view.oy) * exact;
    view.k *= exact;
    changed();
  }

  function pan(dx, dy) {
    stop();
    view.ox += dx;
    view.oy += dy;
    changed();
  }

  /**
   * Shows a box of the plane, with room at the left for the numbers of the layers: the whole box, or if that would be
   * smaller than `least` and the box is long, its top as large as its width allows.
   */
  function fit(box, most, least = 0) {
    stop();
    const [left, right, top, bottom] = [box.left, box.right, box.top, box.bottom];
    const margin = 34;
    const across = Math.min((view.width - margin - 14) / (right - left), most);
    const whole = Math.min(across, (view.height - 36) / (bottom - top));
    const isLong = whole < least && across > 2 * whole;
    view.k = Math.max(LEAST_SCALE, isLong ? Math.min(across, 2 * least) : whole);
    view.ox = margin + (view.width - margin - 8) / 2 - (view.k * (left + right)) / 2;
    view.oy = view.k > whole ? 18 - view.k * top : view.height / 2 - (view.k * (top + bottom)) / 2;
    changed();
  }

  /** Brings a place into sight, if it is not, without a jump unless less motion is asked for. */
  function reveal(x, y) {
    if (!view.width) return;
    const [px, py] = [x * view.k + view.ox, y * view.k + view.oy];
    const dx = px > 30 && px < view.width - 8 ? 0 : view.width / 2 - px;
    const dy = py > 8 && py < view.height - 8 ? 0 : view.height / 2 - py;
    if (!dx && !dy) return;
    const [fromX, fromY, began] = [view.ox, view.oy, performance.now()];
    stop();
    const glide = () => {
      const part = still.matches ? 1 : Math.min(1, (performance.now() - began) / 300);
      const eased = 1 - (1 - part) ** 3;
      view.ox = fromX + dx * eased;
      view.oy = fromY + dy * eased;
      changed();
      if (part < 1) gliding = requestAnimationFrame(glide);
    };
    glide();
  }

  /** The window of the plane that is in sight, with a margin in pixels. */
  function window(marginX, marginY) {
    return {
      left: (-marginX - view.ox) / view.k,
      right: (view.width + marginX - view.ox) / view.k,
      top: (-marginY - view.oy) / view.k,
      bottom: (view.height + marginY - view.oy) / view.k,
    };
  }

  return { view, zoom, pan, fit, reveal, window };
}
