// The page as people see it, at the width of a phone, as it was saved last.

import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isLabel } from "./drafts/edits.ts";
import { content, END, isOfAll, shownPage, TEXTS } from "./state/draft.ts";
import { knownId, saves } from "./state/saving.ts";

const html = signal("");

/** The language of the preview. Empty: the draft's own. */
const language = signal("");

/** Where there is no page to preview, what is nearest to it. */
function previewed(shown: string): string {
  if (shown === TEXTS) return content.peek().pages[0]?.id ?? END;
  return isOfAll(shown) ? END : shown;
}

export function Preview({ path }: { path: string }): JSX.Element {
  useEffect(
    () =>
      effect(() => {
        // After each save.
        if (saves.value === 0) return undefined;
        const shown = knownId(previewed(shownPage.value));
        if (isLabel(shown)) return undefined;
        const abort = new AbortController();
        fetch(`${path}/preview?page=${encodeURIComponent(shown)}&lang=${language.value}`, {
          signal: abort.signal,
          redirect: "manual",
        })
          .then((reply) => (reply.ok ? reply.text() : undefined))
          .then((text) => {
            if (text !== undefined) html.value = text;
          })
          // The next save tries again.
          .catch(() => {});
        return () => abort.abort();
      }),
    [path],
  );
  return (
    <aside class="preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p class="note">As saved, at the width of a phone.</p>
      <Languages />
      {/* Its forms send nothing. */}
      <iframe class="phone" title="Preview of the page" sandbox="allow-same-origin" srcDoc={html.value} />
    </aside>
  );
}

/** Those that the draft was translated to when the builder was opened. */
function Languages(): JSX.Element | null {
  const languages: [string, string][] = JSON.parse(document.getElementById("builder")!.dataset.languages!);
  if (languages.length < 2) return null;
  return (
    <p>
      <label for="preview-language">Language</label>{" "}
      <select
        class="entry"
        id="preview-language"
        value={language.value}
        onChange={({ currentTarget }) => {
          language.value = currentTarget.value;
        }}
      >
        {languages.map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}
