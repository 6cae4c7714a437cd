// The translations of a study for its copy. The copy's texts have other ids, and the same positions.

import type { Calls } from "../shell/calls.ts";

/** A translation of a former text is not copied: nobody knows that text. */
export async function copyTranslations(calls: Calls, from: string, to: string): Promise<void> {
  const { items } = await calls.get("listScreenerTranslations", { id: from });
  for (const { language } of items) {
    const { strings } = await calls.get("getScreenerTranslation", { id: from, language });
    const copy = await calls.get("getScreenerTranslation", { id: to, language });
    const ids = new Map(copy.strings.map(({ path, id }) => [path, id]));
    const copied = strings.flatMap(({ path, source, text, state }) => {
      const id = ids.get(path);
      return id !== undefined && state === "DONE" ? [{ id, source, text, state }] : [];
    });
    await calls.send("putScreenerTranslation", { id: to, language, body: { strings: copied } });
  }
}
