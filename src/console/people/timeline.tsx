// What has happened to a person, from the log of events.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { shown } from "../../languages/counted.ts";
import { type EventInWords, Words } from "../shell/event-words.tsx";
import { inWords } from "../shell/job-words.ts";
import { Time } from "../shell/layout.tsx";
import { statusInWords } from "./page.tsx";

/** The members that say something to people. Others are ids and times. */
const FIELDS: Record<string, string> = {
  externalUid: "Id",
  name: "Name",
  email: "Email",
  "screenerParticipant.status": "Status",
};

export function Timeline({ events, total }: { events: EventInWords[]; total: number }): VNode {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">What has happened</h2>
      {total === 0 && <p>Only imports so far. They are under Jobs.</p>}
      {total > events.length && (
        <p class="note">
          The last {shown(events.length)} of {shown(total)}.
        </p>
      )}
      <ol class="rows">
        {events.map(({ id, words, createdAt, changes, note }) => (
          <li key={id}>
            <div>
              <p>
                <Words pieces={words} />
              </p>
              <Changes changes={changes} />
              {note !== null && <p class="note">“{clean(note)}”</p>}
            </div>
            <p class="note">
              <Time at={createdAt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Changes({ changes }: Pick<EventInWords, "changes">): VNode | null {
  const said = changes.flatMap(({ field, ...values }) => {
    const name = FIELDS[field] ?? (field.startsWith("attributes.") ? field.slice("attributes.".length) : undefined);
    return name === undefined ? [] : [{ name, ...values }];
  });
  return said.length ? <ChangeList changes={said} /> : null;
}

/** What has changed, from what to what. */
export function ChangeList({ changes }: { changes: { name: string; from: unknown; to: unknown }[] }): VNode {
  return (
    <ul class="changes">
      {changes.map(({ name, from, to }) => (
        <li key={name}>
          <span class="note">{clean(name)}:</span> {from !== null && <del>{valueInWords(from)}</del>}
          {from !== null && " → "}
          <bdi>{to === null ? "nothing" : valueInWords(to)}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** A time is said as everywhere, by the clocks of the reader. */
const valueInWords = (value: unknown) =>
  typeof value === "string" && TIMESTAMP.test(value) ? <Time at={value} /> : asText(value);

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value of a member, as people read it. Of one that has members of its own, those that are set. */
export function asText(value: unknown): string {
  if (typeof value === "number") return shown(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(asText).join(", ") || "nothing";
  if (typeof value === "object" && value !== null) {
    const set = Object.entries(value).filter(([, one]) => one !== null);
    return set.map(([name]) => inWords(name).toLowerCase()).join(", ") || "nothing";
  }
  return clean(statusInWords(String(value)));
}
