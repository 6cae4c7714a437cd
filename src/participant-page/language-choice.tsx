// The languages that a participant can choose from, at the top of a page.

import { clean } from "../base/clean-text.ts";
import { directionOf } from "../languages/tags.ts";
import type { Speech } from "../words/speech.ts";
import type { Offered } from "./ending.ts";
import { LANGUAGE_FIELD } from "./input.ts";
import type { PageView } from "./page-view.ts";

/** The id of the page's form. Its buttons for languages stand before it. */
export const FORM = "page";

/** So many stand side by side. More of them open on demand. */
const MAX_SHOWN = 4;

export function Languages({ view: { languages, language, speech } }: { view: PageView }) {
  if (languages.length === 1) return null;
  return (
    <>
      {/* What the enter key presses: the first button of the form. */}
      <button class="unseen" type="submit" form={FORM} tabIndex={-1} aria-hidden="true" />
      <Choice offered={{ languages, language }} speech={speech} form={FORM} />
    </>
  );
}

/** Where the languages of a page without a form of its own are sent. */
export interface LanguageForm {
  /** GET where nothing is kept. */
  method: "get" | "post";
  path: string;
  /** What goes along. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** The same for a page that ends, which has no other form. */
export function EndLanguages({
  offered,
  form: { method, path, fields },
  speech,
}: {
  offered: Offered;
  form: LanguageForm;
  speech: Speech;
}) {
  if (offered.languages.length < 2) return null;
  return (
    <form class="language-form" method={method} action={path} target={method === "post" ? "_top" : undefined}>
      {fields.map(([name, value]) => (
        <input type="hidden" key={name} name={name} value={clean(value)} />
      ))}
      <Choice offered={offered} speech={speech} />
    </form>
  );
}

function Choice({
  offered: { languages, language },
  speech,
  form,
}: {
  offered: Offered;
  speech: Speech;
  form?: string;
}) {
  const names = languages.map((one) =>
    one === language ? (
      <span class="language" key={one} lang={one} dir={directionOf(one)} aria-current="true">
        {nameOf(one)}
      </span>
    ) : (
      <button
        class="language"
        key={one}
        type="submit"
        form={form}
        name={LANGUAGE_FIELD}
        value={one}
        lang={one}
        dir={directionOf(one)}
      >
        {nameOf(one)}
      </button>
    ),
  );
  return languages.length <= MAX_SHOWN ? (
    <fieldset class="languages" aria-label={speech.say("language")}>
      {names}
    </fieldset>
  ) : (
    <details class="languages-more">
      <summary>
        {speech.say("language")}: <bdi lang={language}>{nameOf(language)}</bdi>
      </summary>
      <div class="languages">{names}</div>
    </details>
  );
}

const names = new Map<string, string>();

/** What a language calls itself. */
function nameOf(language: string): string {
  let name = names.get(language);
  if (name === undefined) {
    const own = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
    name = clean(own.charAt(0).toLocaleUpperCase(language) + own.slice(1));
    if (names.size >= MAX_KEPT) names.clear();
    names.set(language, name);
  }
  return name;
}

const MAX_KEPT = 1000;
