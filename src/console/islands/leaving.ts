// A link from the builder waits until what was typed last is saved.

import { effect } from "@preact/signals";
import { saveNow, status } from "./saving.ts";

/** Where to go when the draft is saved. */
let next = "";

/** Looks at links from now on. */
export function saveBeforeLeaving(): void {
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || !["waiting", "saving"].includes(status.value)) return;
    // A link within the page leaves nothing.
    if (link.getAttribute("href")!.startsWith("#")) return;
    event.preventDefault();
    next = link.href;
    saveNow();
  });
  effect(() => {
    if (["waiting", "saving"].includes(status.value)) return;
    const to = next;
    next = "";
    // What could not be saved is to be seen first.
    if (to !== "" && status.value === "saved") location.assign(to);
  });
}
