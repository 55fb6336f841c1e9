// The frame of the page: the title, the story, the answer, the proof's reason and the notes; and the keys.

const LONG_STORY = 480; // letters

/** Writes what does not change. */
function writeFrame(world) {
  const { data } = world;
  const [name, ...options] = data.title.split(" ");
  byId("title").append(name, ...(options.length ? [" ", html("small", {}, options.join(" "))] : []));
  byId("summary").textContent = data.summary;
  byId("summary").hidden = Boolean(data.story);
  writeStory(data.story);
  byId("answer").textContent = data.answer.text;
  byId("answer").classList.add(data.answer.status);
  if (data.certificate) setTimeout(() => checkHere(data), 0);
  byId("why-box").hidden = !data.why.length;
  byId("why-box").open = data.answer.status === "unsolvable";
  byId("why-head").textContent = data.answer.status === "unsolvable" ? "Why there is no plan" : "Why nothing is better";
  byId("why").append(...data.why.map((text) => html("p", {}, text)));
  byId("notes").append(...data.notes.map((text) => html("p", { class: "note" }, text)));
  byId("notes").hidden = !data.notes.length;
  writeTabs(world);
}

/** Checks the page's own certificate, and says so in the badge. */
function checkHere({ answer, certificate }) {
  const badge = byId("answer");
  try {
    const claims = certificates.check(certificate.game, certificate.tables).map(([, , value]) => value);
    const said = answer.cost === null ? "infinity" : String(answer.cost);
    if (claims.some((value) => certificates.text(value) !== said)) throw new Error("it proves something else");
    badge.append(html("small", {}, " · checked in your browser"));
    badge.title = "The page brings a proof with a hint for each step; its script has just checked all of them.";
  } catch (error) {
    badge.classList.add("wrong");
    badge.append(html("small", {}, ` · the page's own proof does not hold: ${error.message}`));
  }
}

/** The story; of a long one the first lines, and a button for the rest. */
function writeStory(story) {
  const text = story.replace(/\s*\n(?!\s*\n)\s*/g, " ").replace(/`([^`]*)`/g, "$1");
  byId("story").textContent = text;
  byId("story").hidden = !text;
  if (text.length <= LONG_STORY) return;
  byId("story").classList.add("short");
  byId("more").hidden = false;
  byId("more").addEventListener("click", () => {
    const short = byId("story").classList.toggle("short");
    byId("more").textContent = short ? "more" : "less";
    byId("more").setAttribute("aria-expanded", String(!short));
  });
}

function writeTabs(world) {
  const { data, puzzle } = world;
  const watched = world.plan ? "Watch the plan" : data.policy ? "Watch the policy" : "Look at it";
  byId("watch").textContent = watched;
  byId("play").textContent = world.seesAll ? "Play it" : "Play it blindfolded";
  if (data.kind === "contingent" && !world.seesAll) byId("play").textContent = "Play it";
  byId("play").disabled = !puzzle.playable || !puzzle.start.length;
  byId("play-note").hidden = !byId("play").disabled;
  byId("play-note").textContent = "It cannot be played here; the notes below say why.";
}

/** Keys for the whole page. */
function listenToKeys(show, stepper) {
  const jumps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const presses = /^(BUTTON|SUMMARY)$/.test(target.tagName);
    if (jumps[key]) stepper.stepTo(show.at + jumps[key]);
    else if (key === " " && !presses && show.mode === "watch" && show.last > 0) stepper.run();
    else if (key === "/") byId("find").focus();
    else return;
    event.preventDefault();
  });
}
