// The page that compares two versions of a study.

import type { VNode } from "preact";
import type { ScreenerPublication } from "../../client/types.ts";
import type { ContentChange } from "../../nouns/content/advice/changes.ts";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { ChangeList } from "./changes.tsx";

/** What stands for the draft in the address, beside numbers of versions. */
export const DRAFT = "draft";

interface Comparison {
  /** The newest first. */
  versions: readonly ScreenerPublication[];
  from: string;
  to: string;
  /** Null: they are too long to be compared. */
  changes: readonly ContentChange[] | null;
}

const nameOf = (one: string) => (one === DRAFT ? "the draft" : `version ${one}`);

export function renderComparison(frame: StudyFrame, { versions, from, to, changes }: Comparison): string {
  const path = `${frame.base}/console/studies/${frame.id}`;
  return renderStudyPage(
    frame,
    { at: "/publish", heading: "Compare versions" },
    <>
      <section class="card">
        <h2>Compare versions</h2>
        <form class="filters" action={`${path}/versions`}>
          <Choice name="from" label="From" chosen={from} versions={versions} />
          <Choice name="to" label="To" chosen={to} versions={versions} />
          <button class="button compare" type="submit">
            Compare
          </button>
        </form>
        <p>
          <a href={`${path}/publish`}>Back to Publish</a>
        </p>
      </section>
      <section class="card">
        <h2>
          From {nameOf(from)} to {nameOf(to)}
        </h2>
        {changes === null && <p>They are too long to be compared.</p>}
        {changes?.length === 0 && <p>They are the same.</p>}
        {changes && <ChangeList changes={changes} />}
      </section>
    </>,
  );
}

function Choice({
  name,
  label,
  chosen,
  versions,
}: Pick<Comparison, "versions"> & { name: string; label: string; chosen: string }): VNode {
  const all = [[DRAFT, "Draft"], ...versions.map(({ version }) => [String(version), `Version ${version}`])] as const;
  return (
    <div>
      <label for={name}>{label}</label>
      <select class="entry" id={name} name={name}>
        {all.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
