// The page with what was written to people of a study, and the form of a new message.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Mailing, MailTest } from "../../client/types.ts";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf, TextArea, TextField, TimeField } from "../shell/fields.tsx";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Pages, Time, Token } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { KINDS, STATUSES } from "./words.ts";

const LABELS = {
  kind: "What it is",
  name: "Name",
  subject: "Subject",
  body: "Text",
  status: "To whom",
  limit: "At most so many people",
  at: "Begins at",
  reminderDays: "Days until the reminder",
  reminderSubject: "Subject of the reminder",
  reminderBody: "Text of the reminder",
  person: "As whom",
  to: "Your address",
};

export const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** What was typed, by the names of the fields. */
export type Typed = { readonly [name in keyof typeof LABELS]?: string };

/** A message as one person gets it. */
export interface Preview {
  language: string;
  subject: string;
  text: string;
}

interface MessagesView {
  mailings: readonly Mailing[];
  total: number;
  limit: number;
  offset: number;
  /** Whether the service can send mail. */
  canMail: boolean;
  timeZone: string;
  typed: Typed;
  faults: Faults;
  preview?: Preview;
  tested?: MailTest;
  curl: string;
  /** Of a form that is sent twice, the second one changes nothing. */
  key: string;
}

const FIRST = {
  kind: "INVITATION",
  status: "NOT_STARTED,IN_PROGRESS",
  subject: "Your invitation",
  body: "Dear {{name|participant}},\n\nplease answer our questions. This is your own link:\n\n{{link}}\n\nThank you!",
};

export function renderMessages(frame: StudyFrame, view: MessagesView): string {
  const { mailings, total, limit, offset, canMail, faults, curl } = view;
  const path = `${frame.base}/console/studies/${frame.id}/messages`;
  return renderStudyPage(
    frame,
    { at: "/messages", heading: "Messages", hasFaults: Object.keys(faults).length > 0 },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      {canMail ? (
        <Compose frame={frame} path={path} view={view} />
      ) : (
        <p class="notice">
          The service can’t send mail yet. The page <a href={`${frame.base}/console/mail`}>Mail</a> says how to set it
          up.
        </p>
      )}
      <section class="apart" aria-labelledby="written">
        <h2 id="written">What was written</h2>
        {total === 0 && <p class="note">Nothing yet.</p>}
        {mailings.length > 0 && <List path={path} mailings={mailings} />}
        <Pages path={path} total={total} limit={limit} offset={offset} />
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

function List({ path, mailings }: { path: string; mailings: readonly Mailing[] }): VNode {
  return (
    <Table columns={["Name", "Kind", "State", "Sent", "Waiting", "Made"]}>
      {mailings.map(({ id, name, kind, status, messages, createdAt }) => {
        const [word, look] = STATUSES[status];
        return (
          <tr key={id}>
            <td data-label="Name">
              <a href={`${path}/${id}`}>
                <bdi>{clean(name)}</bdi>
              </a>
            </td>
            <td data-label="Kind">{KINDS[kind]}</td>
            <td data-label="State">
              <span class={`state state-${look}`}>{word}</span>
            </td>
            <td data-label="Sent">{shown(messages.SENT!)}</td>
            <td data-label="Waiting">{shown(messages.READY! + messages.DEFERRED!)}</td>
            <td data-label="Made">
              <Time at={createdAt!} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Compose({ frame, path, view }: { frame: StudyFrame; path: string; view: MessagesView }): VNode {
  const { typed, faults, key, timeZone, preview, tested } = view;
  const values = Object.keys(typed).length ? typed : FIRST;
  const field = fieldsOf(LABELS, values, faults);
  return (
    <section aria-labelledby="new">
      <h2 id="new">Write a message</h2>
      {tested && <Tested result={tested} />}
      {preview && <Shown preview={preview} />}
      <form class="card" method="post" action={path} novalidate>
        <Token value={frame.signedIn.token} />
        <input type="hidden" name="key" value={key} />
        <Choices
          {...field("kind")}
          choices={[
            { value: "INVITATION", label: "Invitation", hint: "Who has no link gets one." },
            { value: "REMINDER", label: "Reminder", hint: "To people who have a link." },
            {
              value: "MESSAGE",
              label: "Another message",
              hint: "Also to people who have finished, and with a link or without.",
            },
          ]}
        />
        <TextField {...field("name")} hint="For you and your colleagues. Nobody else sees it." />
        <TextField {...field("subject")} hint="With {{name|you}}, if you like." />
        <TextArea
          {...field("body")}
          rows={12}
          hint={
            "Markdown. {{name|friend}} is the name, or “friend” where there is none; {{attribute:KEY|…}} an attribute. {{link}}, on a line of its own, is the person’s own link."
          }
        />
        <Choices
          {...field("status")}
          choices={[
            {
              value: "NOT_STARTED,IN_PROGRESS",
              label: "Who has not finished",
              hint: "Not begun, or begun and not finished.",
            },
            { value: "NOT_STARTED", label: "Who has not begun", hint: "Nobody who has answered anything." },
            { value: "QUALIFIED", label: "Who has qualified", hint: "For another message: they have finished." },
            { value: "", label: "Everybody of the study", hint: "The plan says who is left out, and why." },
          ]}
        />
        <TextField {...field("limit")} hint="Leave it empty for no limit." />
        <TimeField
          {...field("at")}
          hint={`In the time zone of the study, ${timeZone}. Leave it empty to begin at once.`}
        />
        <fieldset class="field">
          <legend>A reminder</legend>
          <p class="note">To those who have not finished by then. Leave the days empty for none.</p>
          <TextField {...field("reminderDays")} />
          <TextField {...field("reminderSubject")} />
          <TextArea {...field("reminderBody")} rows={6} />
        </fieldset>
        <fieldset class="field">
          <legend>Look at it first</legend>
          <TextField {...field("person")} hint="The id of a person, or nothing." />
          <button class="button button-quiet" type="submit" name="make" value="preview">
            Show it
          </button>
          <TextField {...field("to")} hint="One message goes there, at once." />
          <button class="button button-quiet" type="submit" name="make" value="test">
            Send it to me
          </button>
        </fieldset>
        <button class="button" type="submit" name="make" value="plan">
          Plan it
        </button>
        <p class="note">The plan says to whom it goes and to whom not. Nothing is sent before you say so there.</p>
      </form>
    </section>
  );
}

function Shown({ preview: { language, subject, text } }: { preview: Preview }): VNode {
  return (
    <section class="card" aria-labelledby="preview">
      <h3 id="preview">As that person gets it</h3>
      <p class="strong" dir="auto" lang={language}>
        {clean(subject)}
      </p>
      <pre class="wrapped" dir="auto" lang={language}>
        {clean(text)}
      </pre>
    </section>
  );
}

function Tested({ result: { status, reply } }: { result: MailTest }): VNode {
  if (status === "SENT") return <Done>Sent. The relay said: {clean(reply)}</Done>;
  return (
    <p class="warning" role="status">
      It was not sent. {clean(reply)}
    </p>
  );
}
