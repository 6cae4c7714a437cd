// The search of the documentation, in the browser: what it looks through is loaded when somebody begins to write.

import MiniSearch from "./minisearch.js";

/** So many places are shown. */
const SHOWN = 20;
/** Words that say nothing of what is looked for. */
const SMALL = new Set([
  "a",
  "an",
  "and",
  "are",
  "as",
  "at",
  "by",
  "for",
  "from",
  "how",
  "in",
  "is",
  "it",
  "of",
  "on",
  "or",
  "the",
  "to",
  "with",
]);
/** So many characters of a place are shown. */
const EXCERPT = 160;

const box = document.querySelector("search");
const field = document.getElementById("wanted");
const list = document.getElementById("found");
const count = document.getElementById("found-count");

let searching;

/** The places, and what finds them. Loaded once. */
function load() {
  searching ??= fetch(new URL("search.json", import.meta.url))
    .then((answer) => answer.json())
    .then((places) => {
      const search = new MiniSearch({
        fields: ["title", "page", "text"],
        processTerm: (term) => (SMALL.has(term.toLowerCase()) ? null : term.toLowerCase()),
        searchOptions: {
          boost: { title: 3 },
          prefix: true,
          fuzzy: (term) => (term.length > 4 ? 0.15 : false),
          combineWith: "AND",
          // What is so today comes before what has changed once.
          boostDocument: (id) => (places[id][2] === "Changelog" ? 0.3 : 1),
        },
      });
      search.addAll(places.map(([, title, page, text], id) => ({ id, title, page, text })));
      return { places, search };
    });
  // A network that was away may be back.
  searching.catch(() => {
    searching = undefined;
  });
  return searching;
}

/** The part of a text around the first word that was looked for. */
function excerpt(text, terms) {
  const at = terms.map((term) => text.toLowerCase().indexOf(term)).filter((position) => position >= 0);
  // It begins with a whole word.
  const from = at.length ? text.lastIndexOf(" ", Math.max(0, Math.min(...at) - 40)) + 1 : 0;
  return `${from ? "… " : ""}${text.slice(from, from + EXCERPT)}${from + EXCERPT < text.length ? " …" : ""}`;
}

function entry([address, title, page, text], terms) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = new URL(address, import.meta.url);
  link.textContent = title === page ? title : `${title} (${page})`;
  const shown = document.createElement("p");
  shown.textContent = excerpt(text, terms);
  item.append(link, shown);
  return item;
}

async function look() {
  const wanted = field.value.trim();
  if (!wanted) return show([], "");
  try {
    const { places, search } = await load();
    // Somebody has written on meanwhile.
    if (wanted !== field.value.trim()) return;
    const found = search.search(wanted);
    // The best text of each heading.
    const best = [...new Map(found.toReversed().map((one) => [places[one.id][0], one])).values()].toSorted(
      (one, other) => other.score - one.score,
    );
    const items = best.slice(0, SHOWN).map(({ id, terms }) => entry(places[id], terms));
    const more = best.length > SHOWN ? `, the best ${SHOWN} are shown` : "";
    const counted = `${best.length} ${best.length === 1 ? "place" : "places"}`;
    show(items, best.length === 0 ? "Nothing found" : `${counted} found${more}`);
  } catch {
    show([], "The search could not be loaded. Try again.");
  }
}

function show(items, said) {
  list.replaceChildren(...items);
  count.textContent = said;
}

box.hidden = false;
field.addEventListener("focus", () => void load().catch(() => {}), { once: true });
field.addEventListener("input", look);
field.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") {
    field.value = "";
    show([], "");
  }
});
