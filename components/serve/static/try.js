// What the page does beyond a form: every control acts at once, files may be dropped, and the story of a
// word opens where it is. Without this file each of them works by the button.
import { openStories } from "./stories.js";

const form = document.getElementById("try");
const shown = document.getElementById("shown");
const working = document.getElementById("working");
const file = document.getElementById("file");
const threshold = document.getElementById("threshold");
const slider = document.getElementById("slider");
const PAUSE = 300; // milliseconds without a key before a text is sent

let timer = 0;
let running = null;

function schedule(pause = PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(run, pause);
}

/** Ask for the result of what the form holds, and show it. What was asked before is given up. */
async function run(page = 1) {
  clearTimeout(timer);
  running?.abort();
  const own = (running = new AbortController());
  const data = new FormData(form);
  data.set("page", page);
  shown.setAttribute("aria-busy", "true");
  working.hidden = false;
  try {
    const answer = await fetch("/result", { method: "POST", body: data, signal: own.signal });
    const isPage = answer.headers.get("content-type")?.startsWith("text/html");
    const html = isPage ? await answer.text() : null;
    if (running === own) isPage ? (shown.innerHTML = html) : fail(tell(answer.status));
  } catch (error) {
    if (error.name !== "AbortError" && running === own) fail(form.dataset.unreachable);
  }
  if (running === own) {
    running = null;
    shown.removeAttribute("aria-busy");
    working.hidden = true;
  }
}

function tell(status) {
  if (status === 413) return form.dataset.large;
  return status === 429 ? form.dataset.busy : form.dataset.failed.replace("{status}", status);
}

function fail(text) {
  const line = document.createElement("p");
  line.className = "error";
  line.setAttribute("role", "alert");
  line.textContent = text;
  shown.replaceChildren(line);
}

function showFile() {
  const isThere = file.files.length > 0;
  document.getElementById("file-off").hidden = !isThere;
  document.querySelector(".pasted").hidden = isThere;
}

function changeFile() {
  // The columns are those of the file before.
  shown.querySelector(".columns")?.remove();
  showFile();
  schedule(0);
}

// Controls

document.addEventListener("input", (event) => {
  if (event.target === slider) threshold.value = slider.value;
  if (event.target === threshold) slider.value = threshold.value.replace(",", ".");
  const isOurs = event.target.form === form && event.target !== file;
  if (isOurs && event.target.name !== "with_spans") schedule();
});
form.addEventListener("submit", async (event) => {
  const name = event.submitter?.name;
  if (name === "format" || name === "to") return;
  event.preventDefault();
  await run(name === "page" ? event.submitter.value : 1);
  document.getElementById("result").focus();
});

// Files

file.addEventListener("change", changeFile);
document.getElementById("file-off").addEventListener("click", () => {
  file.value = "";
  changeFile();
  file.focus();
});
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  const one = new DataTransfer();
  one.items.add(event.dataTransfer.files[0]);
  file.files = one.files;
  changeFile();
});

// Participants

const known = document.getElementById("known");
const add = document.getElementById("add-participant");
add.hidden = false;
add.addEventListener("click", () => {
  const copy = known.querySelector("template").content.cloneNode(true);
  copy.querySelector("legend span").textContent = known.querySelectorAll(":scope > fieldset").length + 1;
  add.before(copy);
  known.querySelector(":scope > fieldset:last-of-type input").focus();
});

slider.hidden = false;
slider.value = threshold.value;
openStories(shown);
// What the browser has put back into the form, after a reload or the back button.
window.addEventListener("pageshow", () => {
  showFile();
  if (file.files.length || (form.elements.text.value.trim() && !shown.querySelector("article"))) run();
});
