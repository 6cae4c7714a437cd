// What publishing has to say of languages: which lack something, and whether that matters.

import type { VNode } from "preact";
import type { ScreenerTranslationProgress } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import type { ContentChange } from "../../nouns/content/advice/changes.ts";
import type { LanguageChange } from "../../nouns/publications/draft-wording.ts";
import { progressInWords } from "../languages/page.tsx";
import { LanguageName, nameOf } from "../shell/language-name.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";

interface Languages {
  languages: readonly ScreenerTranslationProgress[];
}

/** The languages that lack something. */
export function Untranslated({ frame, languages }: Languages & { frame: StudyFrame }): VNode | null {
  const incomplete = languages.filter(({ missing, stale }) => missing + stale > 0);
  if (!incomplete.length) return null;
  return (
    <section class="card card-warning">
      <h2>Not all is translated</h2>
      <ul class="differences">
        {incomplete.map((one) => (
          <li key={one.language}>
            <a href={`${frame.base}/console/studies/${frame.id}/languages/${one.language}`}>
              <LanguageName language={one.language} />
            </a>
            : {progressInWords(one)}
          </li>
        ))}
      </ul>
      <p>What is missing is shown in the study’s own language.</p>
    </section>
  );
}

export function Translated({ languages }: Languages): VNode {
  return (
    <div class="choice">
      <input type="checkbox" id="translated" name="translated" value="yes" />
      <label for="translated">
        Only if all texts are translated to {languages.map(({ language }) => language).join(", ")}
      </label>
    </div>
  );
}

const KINDS = { ADDED: "Language added", REMOVED: "Language removed", CHANGED: "Translations changed" };

/** How the translations of the draft differ from those of the live version. */
export function changesInWords(languages: readonly LanguageChange[]): ContentChange[] {
  return languages.map(({ language, kind, added, changed, removed }) => {
    const numbers = [
      [added, "new"],
      [changed, "changed"],
      [removed, "gone"],
    ] as const;
    const details = numbers.flatMap(([count, what]) => (count ? [`${counted(count, "text", "texts")} ${what}`] : []));
    return { text: `${KINDS[kind]}: ${nameOf(language)}`, details };
  });
}
