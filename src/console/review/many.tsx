// Accepting or rejecting many at once: all who wait, or those whom filters of the table of answers find. A plan comes first.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { FilterWords } from "../filters/filtered.tsx";
import type { Faults } from "../shell/faults.ts";
import { fieldsOf, TextField } from "../shell/fields.tsx";
import { Token } from "../shell/layout.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";

export interface ManyView {
  /** As the API takes them, as JSON; and in words. */
  filter: string;
  words: readonly string[];
  /** Of the table of answers, where they are chosen. */
  table: string;
  reason: string;
  key: string;
}

export const MANY_LABELS = { reasonForAll: "Why, for all of them" };

export function Many({ frame, many, faults }: { frame: StudyFrame; many: ManyView; faults: Faults }): VNode {
  const path = `${frame.base}/console/studies/${frame.id}/review`;
  const field = fieldsOf(MANY_LABELS, { reasonForAll: many.reason }, faults);
  return (
    <section class="card" id="many">
      <h2>Many at once</h2>
      {many.words.length > 0 ? (
        <>
          <p>People who wait, and match:</p>
          <FilterWords words={many.words} />
          <p>
            <a href={many.table}>Look at their answers, or change the filters</a>, or{" "}
            <a href={`${path}#many`}>take everybody who waits</a>
          </p>
        </>
      ) : (
        <p>
          Everybody who waits. <a href={many.table}>Choose some of them by their answers</a>
        </p>
      )}
      <form method="post" action={`${path}/many`} novalidate>
        <Token value={frame.signedIn.token} />
        <input type="hidden" name="key" value={many.key} />
        <input type="hidden" name="filter" value={clean(many.filter)} />
        <TextField
          {...field("reasonForAll")}
          hint="Optional. It is kept with each of them. Nothing happens before you have seen who is affected."
        />
        <p>
          <button class="button button-quiet" type="submit" name="decision" value="ACCEPTED">
            See who would be accepted …
          </button>
          <button class="button button-quiet" type="submit" name="decision" value="REJECTED">
            See who would be rejected …
          </button>
        </p>
      </form>
    </section>
  );
}
