// The page that asks whom of many people to remove from a study, or to erase.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { titleOf } from "../imports/import-page.tsx";
import { type Fault, FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import type { StudyChoice } from "./page.tsx";

interface ManyView {
  /** One a line; undefined: they are too many to be shown again. */
  names: string | undefined;
  study: string;
  skips: boolean;
  faults: Fault[];
  studies: StudyChoice[];
  mayErase: boolean;
  key: string;
  curl: string;
}

export function renderMany(base: string, signedIn: SignedIn, view: ManyView): string {
  const { faults, mayErase, key, curl } = view;
  const heading = mayErase ? "Remove or erase many people" : "Remove many people from a study";
  return renderPage(
    { base, title: `${faults.length ? "Error – " : ""}${heading}`, signedIn, at: "/console/people" },
    <>
      <p class="back">
        <a href={`${base}/console/people`}>People</a>
      </p>
      <FaultSummary faults={faults} />
      <h1>{heading}</h1>
      <p>Nothing happens before you have seen who is affected.</p>
      <form method="post" action={`${base}/console/people/many`} enctype="multipart/form-data" novalidate>
        <Token value={signedIn.token} />
        <input type="hidden" name="key" value={key} />
        <Who view={view} />
        <div class="field">
          <label for="file">Or a file: text or CSV, one person a line, the first cell counts</label>
          <input class="entry" type="file" id="file" name="file" accept=".txt,.csv,text/plain,text/csv" />
        </div>
        <Study view={view} />
        <p>
          <button class="button button-quiet" type="submit" name="act" value="remove">
            See who would be removed …
          </button>
        </p>
        <p class="note">Their links to the study stop working. You can take it back for 30 days.</p>
        {mayErase && (
          <>
            <p>
              <button class="button button-quiet" type="submit" name="act" value="erase">
                See who would be erased …
              </button>
            </p>
            <p class="note">From all studies, with their answers. They can’t be brought back. At most 1,000 at once.</p>
          </>
        )}
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

function Who({ view: { names, skips, faults } }: { view: ManyView }): VNode {
  const fault = faults.find(({ field }) => field === "names")?.message;
  return (
    <>
      <LabelledField id="names" label="Who" hint="Ids or emails, one a line" fault={fault}>
        {(described) => (
          <textarea
            class="entry entry-code"
            id="names"
            name="names"
            rows={10}
            spellcheck={false}
            value={clean(names ?? "")}
            aria-describedby={described}
            aria-invalid={fault ? "true" : undefined}
          />
        )}
      </LabelledField>
      {(fault !== undefined || skips) && (
        <p class="choice">
          <input type="checkbox" id="skips" name="skips" value="yes" checked={skips} />{" "}
          <label for="skips">Leave out those who are not there</label>
        </p>
      )}
    </>
  );
}

function Study({ view: { study, studies, faults } }: { view: ManyView }): VNode {
  const fault = faults.find(({ field }) => field === "study")?.message;
  return (
    <LabelledField id="study" label="Study that they are removed from" fault={fault}>
      {(described) => (
        <select class="entry" id="study" name="study" aria-describedby={described}>
          <option value="">None</option>
          {studies.map(({ id, title }) => (
            <option key={id} value={id} selected={id === study}>
              {titleOf(title)}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}
