// The page of one mailing: how far it is, and the buttons that pause, resume and stop it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Mailing } from "../../client/types.ts";
import { includesRole } from "../../workspaces/console-users.ts";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { KINDS, STATES, STATUSES } from "./words.ts";

interface MailingView {
  mailing: Mailing;
  /** Whether the browser asks again. */
  isWatched: boolean;
  curl: string;
}

export function renderMailing(frame: StudyFrame, { mailing, isWatched, curl }: MailingView): string {
  const { id, name, kind, status, messages, subject, body, createdAt, createdBy, pausedBecause, nextAt, reminders } =
    mailing;
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
          {KINDS[kind]}, <Time at={createdAt!} />, by <bdi>{clean(createdBy!.name)}</bdi>
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
        <p class="strong" dir="auto">
          {clean(subject)}
        </p>
        <pre class="wrapped" dir="auto">
          {clean(body)}
        </pre>
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

function Buttons({ frame, path, mailing }: { frame: StudyFrame; path: string; mailing: Mailing }): VNode | null {
  const { id, status, messages } = mailing;
  if (status === "SENT" || status === "STOPPED") return null;
  const isPaused = status === "PAUSED";
  return (
    <form class="card" method="post" action={`${path}/${id}`}>
      <Token value={frame.signedIn.token} />
      {isPaused && messages.UNCERTAIN! > 0 && (
        <div class="choice">
          <input type="checkbox" id="resend" name="resend" value="yes" />
          <label for="resend">Send the uncertain ones again: some people may get it twice</label>
        </div>
      )}
      <button class="button" type="submit" name="act" value={isPaused ? "resume" : "pause"}>
        {isPaused ? "Go on" : "Pause"}
      </button>{" "}
      <button class="button button-quiet" type="submit" name="act" value="stop">
        Stop for good
      </button>
    </form>
  );
}
