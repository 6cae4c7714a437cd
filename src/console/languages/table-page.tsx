// One language of a study: its texts side by side with their translations, and files for translators.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";
import type { TranslationPage } from "../../nouns/translations/page.ts";
import type { Entry, State } from "../../nouns/translations/states.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary } from "../shell/fields.tsx";
import { LanguageName } from "../shell/language-name.tsx";
import { ApiCall, Pages, Token } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { Broken, type BrokenFile } from "./broken-file.tsx";
import { type Dry, DryRun, Files } from "./files.tsx";
import { progressInWords } from "./page.tsx";
import { positionInWords } from "./positions.ts";

/** A text as it came back from the page. */
export interface Typed {
  id: string;
  source: string;
  was: string;
  text: string;
  /** Whether a stale translation was said to fit. */
  fits: boolean;
}

interface TableView extends TranslationPage {
  language: string;
  /** What is shown. Null: all. */
  state: State | null;
  offset: number;
  limit: number;
  faults: Faults;
  /** What was typed, if it could not be saved. */
  typed: readonly Typed[] | undefined;
  dry: Dry | undefined;
  /** A file with texts that are wrong. */
  broken: BrokenFile | undefined;
  /** How many texts were saved just now. */
  saved: number | undefined;
  curl: string;
}

const STATE_WORDS: Record<State, [word: string, look: string]> = {
  MISSING: ["missing", "draft"],
  STALE: ["stale", "failed"],
  DONE: ["done", "live"],
};

export function renderTable(frame: StudyFrame, view: TableView): string {
  const { language, base, progress, faults, saved, dry, broken, places, limit, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/languages`;
  const own = `${path}/${language}`;
  const labels = Object.fromEntries([
    ...view.entries.map((_, index) => [`text-${index}`, `Text ${view.offset + index + 1}`]),
    ["file", "The file"],
  ]);
  return renderStudyPage(
    frame,
    { at: "/languages", heading: `Language ${language}`, hasFaults: Object.keys(faults).length > 0, isWide: true },
    <>
      {saved !== undefined && <Done>{`Saved ${counted(saved, "text", "texts")}.`}</Done>}
      <FaultSummary faults={faults} labels={labels} />
      <p>
        <a href={path}>All languages</a>
      </p>
      <h2>
        <LanguageName language={language} />
      </h2>
      <p>
        From <LanguageName language={base.language} />. {progressInWords(progress)}.
      </p>
      {broken && <Broken path={own} {...{ broken, places, limit, base }} />}
      {dry && <DryRun dry={dry} path={own} token={frame.signedIn.token} />}
      <Filter view={view} path={own} />
      <Texts view={view} path={own} token={frame.signedIn.token} />
      <Files path={own} fault={faults.file} token={frame.signedIn.token} />
      <form class="card apart" method="post" action={`${own}/deletion`}>
        <h2>Delete this language</h2>
        <p>All its translations are deleted. Published versions keep theirs.</p>
        <Token value={frame.signedIn.token} />
        <button class="button button-danger" type="submit">
          Delete the language
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

function Filter({ view: { progress, state }, path }: { view: TableView; path: string }): VNode {
  const choices: [State | null, string, number][] = [
    [null, "All", progress.total],
    ["MISSING", "Missing", progress.missing],
    ["STALE", "Stale", progress.stale],
    ["DONE", "Done", progress.translated],
  ];
  return (
    <nav aria-label="Texts">
      <ul class="tabs">
        {choices.map(([one, label, count]) => (
          <li key={label}>
            <a
              href={one ? `${path}?show=${one.toLowerCase()}` : path}
              aria-current={one === state ? "page" : undefined}
            >
              {label} ({count})
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Texts({ view, path, token }: { view: TableView; path: string; token: string }): VNode {
  const { entries, state, offset, limit, found } = view;
  const query = [
    ...(state ? [`show=${state.toLowerCase()}`] : []),
    ...(offset ? [`page=${offset / limit + 1}`] : []),
  ].join("&");
  if (!entries.length) return <p>There are none.</p>;
  return (
    <>
      <form method="post" action={query ? `${path}?${query}` : path} novalidate>
        <Token value={token} />
        <Table columns={["Text", "Translation"]} of="translations">
          {entries.map((entry, index) => (
            <Row key={entry.id} entry={entry} index={index} view={view} />
          ))}
        </Table>
        <p>
          <button class="button" type="submit">
            Save
          </button>
        </p>
      </form>
      <Pages path={state ? `${path}?show=${state.toLowerCase()}` : path} {...{ total: found, limit, offset }} />
    </>
  );
}

function Row({ entry, index, view }: { entry: Entry; index: number; view: TableView }): VNode {
  const { id, text, translated, state, pointer } = entry;
  const { base, language, direction, offset, faults } = view;
  const typed = view.typed?.find((one) => one.id === id);
  const [word, look] = STATE_WORDS[state];
  const name = `text-${index}`;
  const fault = faults[name];
  const label = `Text ${offset + index + 1}`;
  return (
    <tr>
      <td data-label="Text">
        <p class="note">
          {label}: {positionInWords(pointer)} <span class={`state state-${look}`}>{word}</span>
        </p>
        <p class="text" lang={base.language} dir={base.direction} id={`source-of-${index}`}>
          {clean(text)}
        </p>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name={`source-${index}`} value={clean(text)} />
        <input type="hidden" name={`was-${index}`} value={clean(translated ?? "")} />
      </td>
      <td data-label="Translation" class={fault ? "field-wrong" : undefined}>
        {fault && (
          <p class="error" id={`${name}-fault`}>
            {clean(fault)}
          </p>
        )}
        <textarea
          class="entry"
          id={name}
          name={name}
          rows={text.length > 80 || text.includes("\n") ? 4 : 2}
          lang={language}
          dir={direction}
          aria-label={`Translation of ${label.toLowerCase()}`}
          aria-describedby={[fault && `${name}-fault`, `source-of-${index}`].filter(Boolean).join(" ")}
          aria-invalid={fault ? "true" : undefined}
        >
          {clean(typed?.text ?? translated ?? "")}
        </textarea>
        {state === "STALE" && (
          <div class="choice">
            <input type="checkbox" id={`fits-${index}`} name={`fits-${index}`} value="yes" checked={typed?.fits} />
            <label for={`fits-${index}`}>It fits the text as it is now</label>
          </div>
        )}
      </td>
    </tr>
  );
}
