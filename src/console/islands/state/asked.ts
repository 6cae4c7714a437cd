// What a link into the builder asks for: a question or a quota by its id, or anything by where it stands in the draft, as errors say it.

import { ARMS, content, END, focusOn, keyOf, QUOTAS, shownPage, TEXTS } from "./draft.ts";
import { promptField, unfold } from "./unfolding.ts";

/** @param hash of the address, without its sign: an id, or a JSON pointer */
export function showAsked(hash: string): void {
  if (!hash) return;
  if (hash.startsWith("/")) {
    const key = keyOf(decodeURIComponent(hash), content.value);
    showPageOf(key);
    focusField(key);
    return;
  }
  showPageOf(`q:${hash}/`);
  if (content.value.quotas?.some(({ id }) => id === hash)) shownPage.value = QUOTAS;
  else focusOn(promptField(hash));
}

/** Shows the page that has what stands there, and unfolds the question. @param key as `keyOf` gives it */
function showPageOf(key: string): void {
  const [of = "", id = ""] = key.split("/", 1)[0]!.split(":");
  const { pages } = content.value;
  if (of === "q") {
    const page = pages.find(({ questions }) => questions.some((item) => item.id === id));
    if (!page) return;
    shownPage.value = page.id;
    unfold(page.id, id);
  } else if (of === "p") shownPage.value = id;
  else if (of === "c") shownPage.value = QUOTAS;
  else if (of === "a" || of === "r") shownPage.value = ARMS;
  else shownPage.value = key === "end/markup" ? TEXTS : END;
}

/** The focus goes to the field for what stands there; to the nearest one, where it has none of its own. */
function focusField(key: string): void {
  // The page is made first.
  requestAnimationFrame(() =>
    setTimeout(() => {
      const fields = [...document.querySelectorAll<HTMLElement>("[data-at]")];
      const around = (at: string) => key.startsWith(`${at}/`) || at.startsWith(`${key}/`);
      const field =
        fields.find(({ dataset }) => dataset.at === key) ?? fields.find(({ dataset }) => around(dataset.at!));
      const folded = field?.closest("details");
      if (folded) folded.open = true;
      (field ?? document.getElementById("shown-page"))?.focus();
    }),
  );
}
