// Light or dark: as the system has it, until somebody chooses; and the colours by name, for the canvas.

/** The theme; `changed` is called after every change. */
function makeTheme(changed) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let cache = new Map();

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  }

  function colour(name) {
    if (!cache.has(name)) cache.set(name, getComputedStyle(root).getPropertyValue(`--${name}`).trim());
    return cache.get(name);
  }

  function update() {
    cache = new Map();
    byId("theme").setAttribute("aria-label", isDark() ? "Switch to light" : "Switch to dark");
    changed();
  }

  byId("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    update();
  });
  system.addEventListener("change", update);
  return { colour, update };
}
