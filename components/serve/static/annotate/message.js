// A message to annotate. The server keeps what is marked, and cuts the text into words: offsets are its
// own, in characters as Python counts them. Here is only what is selected.

const says = document.querySelector("#says");
const alarm = document.querySelector("#alarm");
const help = document.querySelector("#help");
const doubt = document.querySelector("#doubt");
const guidelines = document.querySelector("#guidelines");
const extend = document.querySelector("[data-do=extend]");
const LABELS = [...document.querySelectorAll("[data-do=mark]")].map((button) => button.dataset.label);
const KEYS = new Map(
  [...document.querySelectorAll("[data-do=mark]")].map((button) => [
    button.querySelector("kbd").textContent,
    button.dataset.label,
  ]),
);
// Addresses, and what is said, in the language of the page.
const given = document.querySelector("#desk").dataset;

// Milliseconds until somebody has seen that something was refused.
const TO_SEE = 1000;

let words = [];
let marks = [];
let anchor = 0;
let focus = 0;
// A selection by letters: [start, end]; null while whole words are selected.
let letters = null;
let pending = 0;
let queue = Promise.resolve();
let refused = -Infinity;
let leaving = false;
let looked = 0;
let told = 0;
let since = performance.now();
// Whether the end of the message was on screen.
let wholly = false;
const lastWord = new IntersectionObserver((seen) => {
  wholly ||= seen.some((each) => each.isIntersecting);
});

const work = () => document.querySelector("#work");
const text = () => document.querySelector("#text");

function read() {
  words = [];
  for (const piece of text().querySelectorAll(".w")) {
    const number = Number(piece.dataset.word);
    const word = (words[number] ??= { pieces: [], start: Number(piece.dataset.start), end: 0 });
    word.pieces.push(piece);
    word.end = Number(piece.dataset.end);
  }
  marks = [...text().querySelectorAll("mark")].map((mark) => ({
    start: Number(mark.dataset.start),
    end: Number(mark.dataset.end),
    name: mark.dataset.name,
  }));
  for (const button of document.querySelectorAll("[data-do=accept]")) button.disabled = !text().querySelector(".suggested");
  lastWord.disconnect();
  lastWord.observe(words.at(-1)?.pieces.at(-1) ?? text());
}

function selected() {
  if (letters) return letters;
  if (!words.length) return [0, 0];
  return [words[Math.min(anchor, focus)].start, words[Math.max(anchor, focus)].end];
}

// Select the mark that a word is in, else the word.
function take(number) {
  if (!words.length) return;
  const word = words[Math.max(0, Math.min(number, words.length - 1))];
  const mark = marks.find((each) => each.start < word.end && word.start < each.end);
  select(mark ? [mark.start, mark.end] : [word.start, word.end]);
}

function select([start, end]) {
  const inside = words.flatMap((word, n) => (word.start < end && start < word.end ? [n] : []));
  if (!inside.length) return;
  anchor = inside[0];
  focus = inside[inside.length - 1];
  letters = words[anchor].start === start && words[focus].end === end ? null : [start, end];
  show();
}

// UTF-16 units of so many characters.
const units = (string, count) => Array.from(string).slice(0, count).join("").length;

function show() {
  const [start, end] = selected();
  const ranges = [];
  for (const { pieces } of words) {
    for (const piece of pieces) {
      const from = Number(piece.dataset.start);
      const overlaps = from < end && start < Number(piece.dataset.end);
      piece.classList.toggle("here", overlaps);
      if (overlaps && letters && piece.firstChild) {
        const node = piece.firstChild;
        const range = new Range();
        range.setStart(node, units(node.data, Math.max(start - from, 0)));
        range.setEnd(node, units(node.data, Math.max(end - from, 0)));
        ranges.push(range);
      }
    }
  }
  const can = typeof Highlight === "function" && letters;
  text().classList.toggle("letters", Boolean(can));
  globalThis.CSS?.highlights?.delete("letters");
  if (can) CSS.highlights.set("letters", new Highlight(...ranges));
  words[focus]?.pieces[0].scrollIntoView?.({ block: "nearest" });
  const here = marks.filter((each) => each.start < end && start < each.end);
  const name = here.map((each) => each.name).join(", ") || given.notMarked;
  says.textContent = words.length ? `${quote(start, end)}: ${name}` : given.noWords;
}

// What a stretch of the message says, with a space between its words where there is any gap.
function quote(start, end) {
  const parts = [];
  let before = null;
  for (const piece of words.flatMap((word) => word.pieces)) {
    const [from, to] = [Number(piece.dataset.start), Number(piece.dataset.end)];
    if (from < end && start < to) {
      if (before !== null && before < from) parts.push(" ");
      parts.push(...Array.from(piece.textContent).slice(Math.max(start - from, 0), end - from));
      before = to;
    }
  }
  return parts.join("");
}

function move(by, extending) {
  if (extending) {
    letters = null;
    focus = Math.max(0, Math.min(words.length - 1, focus + by));
    show();
  } else {
    take((by < 0 ? Math.min(anchor, focus) : Math.max(anchor, focus)) + by);
  }
}

function moveLetter(by, atEnd) {
  let [start, end] = selected();
  if (atEnd) end += by;
  else start += by;
  const most = words.length ? words[words.length - 1].end : 0;
  if (start < 0 || end > most || start >= end) return;
  letters = [start, end];
  const inside = words.flatMap((word, n) => (word.start < end && start < word.end ? [n] : []));
  if (inside.length) {
    anchor = inside[0];
    focus = inside[inside.length - 1];
  }
  show();
}

function jump(by) {
  const [start, end] = selected();
  const ahead = by > 0 ? marks.find((each) => each.start >= end) : marks.findLast((each) => each.end <= start);
  if (ahead) select([ahead.start, ahead.end]);
}

// Seconds that the page was looked at.
const look = () => (looked + (document.hidden ? 0 : performance.now() - since)) / 1000;

// The same since this was last asked.
function takeSeconds() {
  const seconds = look() - told;
  told += seconds;
  return seconds;
}

// Whether the whole message was on screen; else what is below comes up.
function seen() {
  if (!wholly) words.at(-1)?.pieces.at(-1).scrollIntoView({ block: "nearest" });
  return wholly && look() >= Number(given.seen);
}

document.addEventListener("visibilitychange", () => {
  const now = performance.now();
  if (document.hidden) looked += now - since;
  since = now;
});

async function send(change) {
  const asked = { revision: Number(work().dataset.revision), seconds: takeSeconds(), ...change };
  let response;
  try {
    response = await fetch(given.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(asked),
    });
  } catch {
    alarm.textContent = `${given.notSaved} ${given.unreachable}`;
    return false;
  }
  if (![200, 409, 422].includes(response.status) || !response.headers.get("content-type")?.startsWith("text/html")) {
    const why = response.status === 401 ? given.restarted : given.refused.replace("{status}", response.status);
    alarm.textContent = `${given.notSaved} ${why}`;
    return false;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const held = text().contains(document.activeElement) || work().contains(document.activeElement);
  work().replaceWith(document.adoptNode(page.querySelector("#work")));
  alarm.textContent = response.ok ? "" : `${given.notSaved} ${document.querySelector("#work .notice").textContent}`;
  read();
  if (held) text().focus({ preventScroll: true });
  return response.ok;
}

// One after the other: each change is made on what the one before has left. What was asked for before a
// refusal could be seen is not done: it was meant for what was shown then.
function enqueue(step) {
  const asked = performance.now();
  pending += 1;
  queue = queue.then(async () => {
    if (refused < asked - TO_SEE) await step();
    pending -= 1;
  });
}

function change(asked, then) {
  const [start, end] = selected();
  const kept = letters;
  enqueue(async () => {
    const done = await send({ start, end, exact: Boolean(kept), ...asked });
    if (!done) refused = performance.now();
    if (done && then) go(then);
    else select(kept ?? selected());
  });
}

function go(address) {
  leaving = true;
  location.assign(address);
}

const status = (name, more) => change({ action: "status", status: name, ...more }, given.next);

function askDoubt() {
  doubt.returnValue = "";
  doubt.showModal();
  doubt.querySelector("textarea").focus();
}

doubt.addEventListener("close", () => {
  text().focus();
  if (doubt.returnValue !== "keep") return;
  change({ action: "comment", comment: doubt.querySelector("textarea").value });
  status("doubtful");
});
doubt.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) doubt.close("keep");
});
help.addEventListener("close", () => text().focus());

async function load(address, from, to) {
  const response = await fetch(address);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  to.replaceChildren(...page.querySelector(from).childNodes);
}

guidelines.addEventListener("toggle", () => {
  const here = document.querySelector("#guidelines-here");
  if (guidelines.open && !here.childNodes.length) load("/annotate/guidelines", "#guidelines-text", here);
});

const escapeRegex = (string) => string.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const ACTIONS = {
  mark: (data) => change({ action: "mark", label: data.label }),
  erase: (data) =>
    change({ action: "erase", ...(data.start ? { start: Number(data.start), end: Number(data.end) } : {}) }),
  select: (data) => select([Number(data.start), Number(data.end)]),
  // On a message that nothing was done to: back to the one that was finished before it.
  undo: () => (given.came && !pending && work().dataset.revision === "0" ? leave(given.came) : change({ action: "undo" })),
  redo: () => change({ action: "redo" }),
  accept: () => change({ action: "accept" }),
  done: () => seen() && status("done"),
  skip: () => seen() && status("skipped"),
  doubtful: askDoubt,
  open: () => change({ action: "status", status: "open" }),
  extend: () => extend.setAttribute("aria-pressed", String(extend.getAttribute("aria-pressed") !== "true")),
  before: () => leave(given.before),
  behind: () => leave(given.behind),
  help: () => help.showModal(),
  history: () =>
    load(
      `${given.word}?words=${encodeURIComponent(quote(...selected()))}`,
      "#history",
      document.querySelector("#history"),
    ),
  guidelines: () => {
    guidelines.open = !guidelines.open;
  },
  find: () => leave(`${given.search}?whole=true&q=${encodeURIComponent(escapeRegex(quote(...selected())))}`),
};

const leave = (address) => address && enqueue(() => go(address));

const SIMPLE = {
  Delete: "erase", Backspace: "erase", 0: "erase", z: "undo", y: "redo", c: "accept", Enter: "done",
  x: "skip", q: "doubtful", r: "open", b: "before", n: "behind", h: "history", g: "guidelines", f: "find", "?": "help",
};

function press(event) {
  const { key } = event;
  const control = event.ctrlKey || event.metaKey;
  if (control && !event.altKey) {
    if (key.toLowerCase() === "z") return event.shiftKey ? ACTIONS.redo() : ACTIONS.undo();
    if (key.toLowerCase() === "y") return ACTIONS.redo();
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const by = key === "ArrowLeft" ? -1 : 1;
    return control || event.altKey ? moveLetter(by, event.shiftKey) : move(by, event.shiftKey);
  }
  if (control || event.altKey) return false;
  if (key === "ArrowUp" || key === "ArrowDown") return jump(key === "ArrowUp" ? -1 : 1);
  if (key === "Home") return take(0);
  if (key === "End") return take(words.length - 1);
  const label = KEYS.get(key.toLowerCase()) ?? LABELS[Number(key) - 1];
  if (label) return ACTIONS.mark({ label });
  const name = SIMPLE[key] ?? SIMPLE[key.toLowerCase()];
  // What has no button here cannot be done here.
  const offered = name === "guidelines" || document.querySelector(`[data-do=${name}]:enabled`);
  if (!name || !offered) return false;
  ACTIONS[name]({});
}

document.addEventListener("keydown", (event) => {
  // A key that is held moves, and does nothing else.
  if (event.repeat && !event.key.startsWith("Arrow") && !event.target.closest("input, textarea")) {
    event.preventDefault();
    return;
  }
  const within = event.target.closest("dialog, input, textarea, select, a, summary, .said");
  const button = event.target.closest("button");
  // What has the focus keeps the keys that work it.
  if (leaving || within || (button && ["Enter", " "].includes(event.key))) return;
  if (press(event) !== false) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button || leaving) return;
  ACTIONS[button.dataset.do](button.dataset);
  if (!["extend", "help", "doubtful"].includes(button.dataset.do)) text().focus({ preventScroll: true });
});

const wordAt = (target) => target?.closest?.("#text .w");
// The word at which the mouse began to drag, and whether it has left it since.
let dragged = null;
let hasMoved = false;

document.addEventListener("pointerdown", (event) => {
  const piece = wordAt(event.target);
  if (!piece || event.button !== 0) return;
  const number = Number(piece.dataset.word);
  if (event.shiftKey || extend.getAttribute("aria-pressed") === "true") {
    letters = null;
    focus = number;
    show();
    extend.setAttribute("aria-pressed", "false");
  } else {
    take(number);
    dragged = event.pointerType === "mouse" ? number : null;
    hasMoved = false;
  }
});
document.addEventListener("pointermove", (event) => {
  if (dragged === null) return;
  const piece = wordAt(document.elementFromPoint(event.clientX, event.clientY));
  if (!piece) return;
  const number = Number(piece.dataset.word);
  hasMoved ||= number !== dragged;
  if (hasMoved) {
    letters = null;
    anchor = dragged;
    focus = number;
    show();
  }
});
document.addEventListener("pointerup", () => {
  dragged = null;
});

addEventListener("beforeunload", (event) => {
  if (pending && !leaving) event.preventDefault();
});
// What the browser has kept may be old.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

read();
take(0);
text().focus({ preventScroll: true });
document.querySelector(".said")?.scrollTo(0, 1e6);
