// The languages of a study: the state of each translation, and a form for another one.

import type { ScreenerTranslationProgress } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { LanguageName } from "../shell/language-name.tsx";
import { ApiCall, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

interface LanguagesView {
  /** Of the study's own texts. */
  language: string;
  items: readonly ScreenerTranslationProgress[];
  faults: Faults;
  typed: string;
  curl: string;
}

const LABELS = { language: "Language", own: "Language of the study’s own texts" };

const HINT = "Its tag: de, de-AT, ar, zh-Hans.";

export function renderLanguages(frame: StudyFrame, { language, items, faults, typed, curl }: LanguagesView): string {
  const path = `${frame.base}/console/studies/${frame.id}/languages`;
  const field = fieldsOf(LABELS, { language: faults.language && typed, own: faults.own ? typed : language }, faults);
  return renderStudyPage(
    frame,
    { at: "/languages", heading: "Languages", hasFaults: Object.keys(faults).length > 0 },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <p>
        The study’s own texts are in <LanguageName language={language} />. People read the language that they choose, as
        far as it is translated; answers and results are in the study’s own language.
      </p>
      <ul class="cards">
        {items.map((item) => (
          <li class="card" key={item.language}>
            <h2>
              <a href={`${path}/${item.language}`}>
                <LanguageName language={item.language} />
              </a>
            </h2>
            <p>{progressInWords(item)}</p>
          </li>
        ))}
      </ul>
      <p>
        What the pages say beside the study’s texts, such as “Continue”, can be{" "}
        <a href={`${frame.base}/console/studies/${frame.id}/words`}>said in other words</a>, in any language.
      </p>
      <form class="card apart" method="post" action={path} novalidate>
        <h2>Add a language</h2>
        <Token value={frame.signedIn.token} />
        <TextField {...field("language")} hint={HINT} />
        <button class="button" type="submit" name="make" value="language">
          Add the language
        </button>
      </form>
      <form class="card apart" method="post" action={path} novalidate>
        <h2>The study’s own texts</h2>
        <Token value={frame.signedIn.token} />
        <TextField {...field("own")} hint={HINT} />
        <button class="button button-quiet" type="submit" name="make" value="own">
          Save
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

export function progressInWords({
  total,
  translated,
  stale,
  missing,
}: Omit<ScreenerTranslationProgress, "language" | "direction">): string {
  const gaps = [...(missing ? [`${missing} missing`] : []), ...(stale ? [`${stale} stale`] : [])];
  const done = `${translated} of ${counted(total, "text", "texts")} translated`;
  return [done, ...gaps].join(", ");
}
