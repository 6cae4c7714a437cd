// The pages with what participants' pages say by themselves.

import type { ComponentChildren, VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { shown } from "../../languages/counted.ts";
import type { Direction } from "../../languages/tags.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { LanguageName, nameOf } from "../shell/language-name.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

/** What is around the words. */
export interface Shell {
  base: string;
  /** Of the page with the languages. */
  path: string;
  signedIn: SignedIn;
  /** Missing: they are the workspace's. */
  frame?: StudyFrame;
}

function render(
  { base, signedIn, frame }: Shell,
  title: string,
  hasFaults: boolean,
  children: ComponentChildren,
): string {
  if (frame) return renderStudyPage(frame, { at: "/languages", heading: title, hasFaults }, children);
  return renderPage({ base, title: hasFaults ? `Error – ${title}` : title, signedIn, at: "/console/words" }, children);
}

interface LanguagesView {
  languages: readonly { language: string; isBuiltIn: boolean; own: number }[];
  faults: Faults;
  typed: string;
  curl: string;
}

const LABELS = { language: "Language" };

export function renderLanguages(shell: Shell, { languages, faults, typed, curl }: LanguagesView): string {
  const field = fieldsOf(LABELS, { language: typed }, faults);
  const Heading = shell.frame ? "h2" : "h1";
  return render(
    shell,
    "Words of the pages",
    Object.keys(faults).length > 0,
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <Heading>Words of the pages</Heading>
      <p class="note">
        What {shell.frame ? "this study’s pages say" : "the pages of all studies say"} beside the texts of their
        authors: buttons, limits, errors, endings.
        {shell.frame && " What you leave out here is as in the words of the workspace."}
      </p>
      <ul class="cards">
        {languages.map(({ language, isBuiltIn, own }) => (
          <li class="card" key={language}>
            <p>
              <a href={`${shell.path}/${language}`}>
                <LanguageName language={language} />
              </a>
              {own > 0 && `: ${shown(own)} of your own`}
              {!isBuiltIn && ". The service has no words for it: what is missing is said in English"}
            </p>
          </li>
        ))}
      </ul>
      <form class="card apart" method="post" action={shell.path} novalidate>
        <Token value={shell.signedIn.token} />
        <TextField {...field("language")} hint="Any: its tag, such as sv, de-AT or zh-Hant." />
        <button class="button" type="submit">
          Open its words
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

interface Word {
  key: string;
  /** The name of its field, and what is in it. */
  field: string;
  typed: string;
  source: string;
  default: string;
  isMissing: boolean;
}

interface WordsView {
  language: string;
  direction: Direction;
  words: readonly Word[];
  etag: string;
  faults: Faults;
  isSaved: boolean;
  curl: string;
}

export function renderWords(shell: Shell, view: WordsView): string {
  const { language, words, etag, faults, isSaved, curl } = view;
  const missing = words.filter((word) => word.isMissing).length;
  const Heading = shell.frame ? "h2" : "h1";
  const labels = Object.fromEntries(words.map(({ field, key }) => [field, key]));
  return render(
    shell,
    `Words of the pages in ${nameOf(language)}`,
    Object.keys(faults).length > 0,
    <>
      <FaultSummary faults={faults} labels={labels} />
      {isSaved && <Done>Saved. The pages that people open from now on say it so.</Done>}
      <Heading>
        Words of the pages: <LanguageName language={language} />
      </Heading>
      <p>
        <a href={shell.path}>All languages</a>
      </p>
      {missing > 0 && (
        <p class="state">
          {shown(missing)} of {shown(words.length)} are missing: people read them in English.
        </p>
      )}
      <p class="note">
        An empty field: people read the text above it. What stands in braces, such as {"{count}"}, is replaced by a
        value and must stay. A language has a text for each of its plural forms, such as “one” and “other”.
      </p>
      <form method="post" action={`${shell.path}/${language}`} novalidate>
        <Token value={shell.signedIn.token} />
        <input type="hidden" name="etag" value={clean(etag)} />
        {words.map((word) => (
          <WordField key={word.key} word={word} view={view} />
        ))}
        <p class="apart">
          <button class="button" type="submit">
            Save
          </button>
        </p>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

function WordField({ word, view: { language, direction, faults } }: { word: Word; view: WordsView }): VNode {
  const { key, field, typed, source, isMissing } = word;
  const fault = faults[field];
  const own = { lang: language, dir: direction };
  const isOther = word.default !== source;
  return (
    <LabelledField
      id={field}
      label={key}
      hint={
        <>
          {isMissing && <strong>Missing: </strong>}
          {isMissing ? <bdi lang="en">{clean(source)}</bdi> : <bdi {...own}>{clean(word.default)}</bdi>}
          {isOther && (
            <>
              {" "}
              · English: <bdi lang="en">{clean(source)}</bdi>
            </>
          )}
        </>
      }
      fault={fault && `${key} ${fault}`}
    >
      {() => (
        <input
          class="entry"
          type="text"
          autocomplete="off"
          id={field}
          name={field}
          {...own}
          value={clean(typed)}
          aria-invalid={fault ? "true" : undefined}
          aria-describedby={fault ? `${field}-hint ${field}-fault` : `${field}-hint`}
        />
      )}
    </LabelledField>
  );
}
