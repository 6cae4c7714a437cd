// Of the page of a person: every message that was written to them, or waits.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ParticipantMessage } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { type SignedIn, Time } from "../shell/layout.tsx";
import { STATES, whyNot } from "./mailing-words.ts";

export interface MessageOfPerson extends ParticipantMessage {
  /** The mailing's. Null: it is none of a mailing, or that was deleted. */
  name: string | null;
  /** The study's. */
  title: string | null;
}

interface Props {
  base: string;
  signedIn: SignedIn;
  /** The last ones, the newest first; and how many there are. */
  messages: readonly MessageOfPerson[];
  messagesTotal: number;
}

export function Messages({ base, signedIn, messages, messagesTotal }: Props): VNode {
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {messagesTotal === 0 && <p>Nobody has written to this person from here.</p>}
      {messagesTotal > messages.length && (
        <p class="note">
          The last {shown(messages.length)} of {shown(messagesTotal)}. All are in the download.
        </p>
      )}
      <ul class="rows">
        {messages.map((one) => (
          <Message key={one.id} base={base} signedIn={signedIn} message={one} />
        ))}
      </ul>
    </section>
  );
}

function Message({ base, signedIn, message }: { base: string; signedIn: SignedIn; message: MessageOfPerson }): VNode {
  const { name, title, mailingId, screenerId, step, state, reply, createdAt, endedAt } = message;
  const path = `${base}/console/studies/${screenerId}/messages/${mailingId}`;
  const why = state === "SENT" ? undefined : whyNot({ reason: state === "DROPPED" ? reply : null, reply });
  const word = STATES.find(([one]) => one === state)?.[1] ?? state;
  const what = name === null ? "A message that they asked for" : clean(name);
  return (
    <li>
      <div>
        <p>
          {mailingId !== null && includesRole(signedIn.role, "researcher") ? (
            <a href={path}>
              <bdi>{what}</bdi>
            </a>
          ) : (
            <bdi>{what}</bdi>
          )}
          {step !== null && step > 0 && `, reminder ${step}`}
        </p>
        <p class="note">
          {title !== null && (
            <>
              <bdi>{clean(title)}</bdi>,{" "}
            </>
          )}
          <Time at={endedAt ?? createdAt} />
          {why !== undefined && `. ${clean(why)}`}
        </p>
      </div>
      <span class="state">{word}</span>
    </li>
  );
}
