// The story of a word: it opens below the message, one at a time, and gives the focus back.

/** Let the words in a place open their stories. */
export function openStories(place) {
  place.addEventListener("click", (event) => {
    const word = event.target.closest("a.found, a.doubted, mark");
    const close = event.target.closest("a.close");
    if (word) {
      event.preventDefault();
      const link = getLink(place, word);
      const story = getStory(link);
      story.classList.contains("open") ? shut(place) : open(place, link, story);
    } else if (close) {
      event.preventDefault();
      shut(place);
    }
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") shut(place);
  });
  for (const kind of ["mouseover", "focusin"]) {
    place.addEventListener(kind, (event) => {
      const word = event.target.closest("a.found, a.doubted, mark");
      if (word) link(place, getLink(place, word));
      else if (!place.querySelector(".story.open")) unlink(place);
    });
  }
}

function getLink(place, word) {
  return word.matches("mark") ? place.querySelector(`a[href="#${word.dataset.story}"]`) : word;
}

function getStory(link) {
  return document.getElementById(link.hash.slice(1));
}

function open(place, word, story) {
  shut(place);
  story.classList.add("open");
  word.setAttribute("aria-expanded", "true");
  link(place, word);
  story.focus({ preventScroll: true });
  story.scrollIntoView({ block: "nearest" });
}

function shut(place) {
  const story = place.querySelector(".story.open");
  if (!story) return;
  story.classList.remove("open");
  const word = place.querySelector(`a.found[href="#${story.id}"], a.doubted[href="#${story.id}"]`);
  word.removeAttribute("aria-expanded");
  unlink(place);
  word.focus();
}

/** Show which word became which. */
function link(place, word) {
  unlink(place);
  word.classList.add("linked");
  place.querySelector(`mark[data-story="${word.hash.slice(1)}"]`)?.classList.add("linked");
}

function unlink(place) {
  place.querySelectorAll(".linked").forEach((word) => word.classList.remove("linked"));
}
