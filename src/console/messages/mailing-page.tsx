// The page of one mailing: how far it is, and the buttons that pause, resume and stop it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Mailing, MailingReminder, MailingTranslation, MailingWindow } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { KINDS, STATES, STATUSES } from "../people/mailing-words.ts";
import { Choices } from "../shell/fields.tsx";
import { inWords } from "../shell/known-words.ts";
import { nameOf } from "../shell/language-name.tsx";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

interface MailingView {
  mailing: Mailing;
  /** Whether the browser asks again. */
  isWatched: boolean;
  curl: string;
}

export function renderMailing(frame: StudyFrame, { mailing, isWatched, curl }: MailingView): string {
  const {
    id,
    name,
    kind,
    status,
    messages,
    subject,
    body,
    createdAt,
    createdBy,
    pausedBecause,
    nextAt,
    reminders,
    window,
    perMinute,
  } = mailing;
  const path = `${frame.base}/console/studies/${frame.id}/messages`;
  const [word, look] = STATUSES[status];
  return renderStudyPage(
    frame,
    { at: "/messages", heading: clean(name) },
    <>
      <p class="back">
        <a href={path}>Messages</a>
      </p>
      <h2>
        <bdi>{clean(name)}</bdi>
      </h2>
      <p class="states">
        <span class={`state state-${look}`}>{word}</span>
        <span>
          {inWords(KINDS, kind)}, <Time at={createdAt!} />, by <bdi>{clean(createdBy!.name)}</bdi>
        </span>
      </p>
      {pausedBecause === "RESTORED" && (
        <p class="warning">
          The workspace was restored from a backup. What was due since the backup was taken may have been sent already:
          it is uncertain.
        </p>
      )}
      <dl class="figures">
        {STATES.filter(([state]) => state === "SENT" || messages[state]! > 0).map(([state, label]) => (
          <Figure key={state} name={label} value={shown(messages[state]!)} />
        ))}
        {nextAt !== null && status === "SCHEDULED" && <Figure name="Begins" value={<Time at={nextAt} />} />}
        {reminders.length > 0 && <Figure name="Reminders" value={shown(reminders.length)} />}
        {nextAt !== null && status === "SENDING" && <Figure name="Next one" value={<Time at={nextAt} />} />}
        {window !== null && <Figure name="Only" value={hoursInWords(window as MailingWindow)} />}
        {perMinute !== null && <Figure name="In a minute, at most" value={shown(perMinute)} />}
      </dl>
      {isWatched && (
        <p class="note">
          This page looks again by itself. <a href={`${path}/${id}?watch=off`}>Stop that</a>
        </p>
      )}
      {includesRole(frame.signedIn.role, "researcher") && <Buttons frame={frame} path={path} mailing={mailing} />}
      <p>
        <a href={`${path}/${id}/messages.csv`} download>
          Download what became of each message (CSV)
        </a>
      </p>
      <section class="apart" aria-labelledby="text">
        <h3 id="text">What it says</h3>
        <Said {...{ subject, body }} />
        {(mailing.translations as MailingTranslation[]).map((one) => (
          <details class="more" key={one.language}>
            <summary>{nameOf(one.language)}</summary>
            <Said {...one} />
          </details>
        ))}
        {(reminders as MailingReminder[]).map((one, index) => (
          <details class="more" key={`reminder ${index + 1}`}>
            <summary>
              Reminder {index + 1}, {one.afterDays === 1 ? "a day" : `${one.afterDays} days`} later
            </summary>
            <Said {...one} />
          </details>
        ))}
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

function Said({ subject, body }: { subject: string; body: string }): VNode {
  return (
    <>
      <p class="strong" dir="auto">
        {clean(subject)}
      </p>
      <pre class="wrapped" dir="auto">
        {clean(body)}
      </pre>
    </>
  );
}

const hoursInWords = ({ days, from, to, timeZone }: MailingWindow): string =>
  `${days.map((day) => day[0] + day.slice(1).toLowerCase()).join(", ")}, ${from} to ${to} (${timeZone})`;

function Buttons({ frame, path, mailing }: { frame: StudyFrame; path: string; mailing: Mailing }): VNode | null {
  const { id, status, messages, resendUncertain } = mailing;
  const uncertain = messages.UNCERTAIN!;
  if (status === "SENT" || status === "STOPPED") return null;
  const isPaused = status === "PAUSED";
  return (
    <form class="card" method="post" action={`${path}/${id}`}>
      <Token value={frame.signedIn.token} />
      {isPaused && uncertain > 0 && (
        <Choices
          name="resend"
          label={`Nobody knows whether ${counted(uncertain, "message has", "messages have")} left`}
          value={resendUncertain ? "yes" : "no"}
          choices={[
            { value: "no", label: "Do not send them again", hint: "Some people may have got nothing." },
            { value: "yes", label: "Send them again", hint: "Some people may get the same message twice." },
          ]}
        />
      )}
      <button class="button" type="submit" name="act" value={isPaused ? "resume" : "pause"}>
        {isPaused ? "Go on" : "Pause"}
      </button>
      <details class="more">
        <summary>Stop for good</summary>
        <p>{stopQuestion(messages.READY! + messages.DEFERRED!, isPaused)}</p>
        <button class="button button-danger" type="submit" name="act" value="stop">
          Yes, stop it for good
        </button>
      </details>
    </form>
  );
}

function stopQuestion(waiting: number, isPaused: boolean): string {
  const what =
    waiting === 1
      ? "The message that waits is not sent"
      : `The ${counted(waiting, "message", "messages")} that wait are not sent`;
  const whole = waiting === 0 ? "No reminder follows" : `${what}, and no reminder follows`;
  return `Stop this mailing? ${whole}. It cannot go on again.${isPaused ? "" : " To stop it for a while, pause it."}`;
}
