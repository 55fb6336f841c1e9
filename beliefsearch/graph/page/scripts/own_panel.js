// The box in which one writes a plan of one's own.

/** Wires the box; it is there where a plan is a mere sequence of actions. */
function makeOwnPlan(world, show) {
  const { data, puzzle } = world;
  const field = byId("own-plan");
  byId("own-box").hidden = !(puzzle.playable && puzzle.start.length && /^(plain|sensorless)$/.test(data.kind));
  const names = data.actions.names.slice(0, 2);
  field.placeholder = names.join("; ");

  function attempt() {
    const { steps, said } = tryPlan(world, field.value);
    show.enter("watch");
    show.follow(steps, steps.length - 1);
    byId("own-said").replaceChildren(...spoken(said));
  }

  field.addEventListener("keydown", (event) => event.key === "Enter" && attempt());
  byId("own-try").addEventListener("click", attempt);
}
