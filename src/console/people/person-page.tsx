// The page of one person: what is known, studies and links, and what has happened.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type {
  Actor,
  MailSuppression,
  Participant,
  ParticipantNote,
  ParticipantRequest,
  ScreenerParticipant,
  ScreenerSession,
} from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { titleOf } from "../imports/import-page.tsx";
import type { EventInWords } from "../shell/event-words.tsx";
import type { Faults } from "../shell/faults.ts";
import { ApiCall, Copyable, Figure, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import { Contact, type UnsubscriptionOfPerson } from "./contact.tsx";
import { type MessageOfPerson, Messages } from "./messages.tsx";
import { Notes, type TypedNote } from "./notes.tsx";
import { statusInWords } from "./page.tsx";
import { Requests } from "./requests.tsx";
import { Timeline } from "./timeline.tsx";

export type Assignment = ScreenerParticipant & {
  title: string | null;
  session: ScreenerSession | undefined;
  /** The names of the quotas without room, if that decided. */
  fullQuotas: string | null;
};

interface PersonView {
  person: Participant;
  assignments: Assignment[];
  /** In how many studies the person is. */
  assignmentsTotal: number;
  messages: MessageOfPerson[];
  messagesTotal: number;
  unsubscriptions: UnsubscriptionOfPerson[];
  /** What the person asks for. */
  requests: ParticipantRequest[];
  notes: ParticipantNote[];
  /** The note that is being written; and the key of its form. */
  note: TypedNote;
  key: string;
  /** The last ones, the newest first; and how many there are. */
  events: EventInWords[];
  total: number;
  /** That of the person's address. */
  suppression: MailSuppression | undefined;
  /** What was typed as the reason not to contact the person. */
  reason: string;
  faults: Faults;
  curl: string;
}

export function renderPerson(base: string, signedIn: SignedIn, view: PersonView): string {
  const { person, assignments, curl } = view;
  const { id, externalUid, name, email, attributes } = person;
  const all = Object.entries(attributes);
  const isRefused = view.note.fault !== undefined || Object.keys(view.faults).length > 0;
  return renderPage(
    {
      base,
      title: `${isRefused ? "Error – " : ""}${name ?? externalUid}`,
      signedIn,
      at: "/console/people",
    },
    <>
      <p class="back">
        <a href={`${base}/console/people`}>People</a>
      </p>
      <h1>
        <bdi>{clean(name ?? externalUid)}</bdi>
      </h1>
      <dl class="facts">
        <Figure name="Id" value={<bdi>{clean(externalUid)}</bdi>} />
        <Figure name="Email" value={<bdi>{clean(email ?? "–")}</bdi>} />
        {all.map(([key, value]) => (
          <Figure key={key} name={clean(key)} value={<bdi>{clean(String(value))}</bdi>} />
        ))}
      </dl>
      <p class="note">
        <Audit word="Made" at={person.createdAt} by={person.createdBy} />{" "}
        <Audit word="Last changed" at={person.updatedAt} by={person.updatedBy} />
      </p>
      {signedIn.role !== "viewer" && <Requests base={base} requests={view.requests} />}
      <section aria-labelledby="studies">
        <h2 id="studies">Studies</h2>
        {assignments.length === 0 && <p>This person is in no study.</p>}
        {view.assignmentsTotal > assignments.length && (
          <p class="note">
            The first {shown(assignments.length)} of {shown(view.assignmentsTotal)}. All are in the download.
          </p>
        )}
        <ul class="rows">
          {assignments.map((one) => (
            <Study key={one.id} base={base} signedIn={signedIn} personId={id} assignment={one} />
          ))}
        </ul>
      </section>
      <Contact base={base} signedIn={signedIn} {...view} />
      <Messages base={base} signedIn={signedIn} {...view} />
      <Notes base={base} signedIn={signedIn} view={view} />
      <Timeline events={view.events} total={view.total} />
      {signedIn.role !== "viewer" && (
        <section aria-labelledby="data">
          <h2 id="data">This person’s data</h2>
          <p>
            <a href={`${base}/console/people/${id}/export.json`} download>
              Download everything about this person (JSON)
            </a>
          </p>
          {signedIn.role === "admin" && (
            <p>
              <a href={`${base}/console/people/${id}/erase`}>Erase this person …</a>
            </p>
          )}
        </section>
      )}
      <ApiCall curl={curl} />
    </>,
  );
}

function Audit({ word, at, by }: { word: string; at: string | null; by: Actor | null }): VNode | null {
  if (at === null) return null;
  return (
    <>
      {word} <Time at={at} />
      {by && (
        <>
          , by <bdi>{clean(by.name)}</bdi>
        </>
      )}
      .
    </>
  );
}

interface StudyProps {
  base: string;
  signedIn: SignedIn;
  personId: string;
  assignment: Assignment;
}

function Study({
  base,
  signedIn,
  personId,
  assignment: { id, screenerId, title, status, session, fullQuotas },
}: StudyProps): VNode {
  const hasLink = session?.status === "ACTIVE";
  const withdrawnAt = session?.withdrawnAt ?? null;
  const path = `${base}/console/people/${personId}`;
  return (
    <li>
      <div>
        <bdi class="strong">{titleOf(title)}</bdi>
        {hasLink ? (
          // A link lets its reader answer for the person.
          <p>{signedIn.role === "viewer" ? "Has a link" : <Copyable text={shortLink(session)} what="the link" />}</p>
        ) : (
          <p class="note">No open link</p>
        )}
        {session && withdrawnAt !== null && <Withdrawal session={session} at={withdrawnAt} />}
        {hasLink && signedIn.role === "admin" && (
          <p class="action">
            <a href={`${path}/links/${session.reference}/revoke`}>Revoke this link …</a>
          </p>
        )}
        {fullQuotas !== null && <p class="note">Full: no place was left in {fullQuotas}</p>}
        {session && session.startedAt !== null && (
          <p class="action">
            <a href={`${base}/console/studies/${screenerId}/answers/${session.reference}`}>Answers</a>
          </p>
        )}
        {!hasLink && signedIn.role !== "viewer" && (
          <form method="post" action={`${path}/links`}>
            <Token value={signedIn.token} />
            <input type="hidden" name="assignment" value={id} />
            <button class="button button-quiet" type="submit" aria-label={`Create a link to ${titleOf(title)}`}>
              Create a link
            </button>
          </form>
        )}
      </div>
      {withdrawnAt === null ? (
        <span class={`state state-${status.toLowerCase()}`}>{statusInWords(status)}</span>
      ) : (
        <span class="state">Withdrawn</span>
      )}
    </li>
  );
}

/** When somebody has withdrawn, and from what. */
function Withdrawal({ session, at }: { session: ScreenerSession; at: string }): VNode {
  return (
    <>
      <p class="note">
        Withdrew <Time at={at} />
        {session.answersErasedAt !== null && (
          <>
            ; answers erased <Time at={session.answersErasedAt} />
          </>
        )}
      </p>
      <Consents session={session} />
    </>
  );
}

/** What somebody had agreed to who has withdrawn: the proof, which stays. */
export function Consents({ session: { withdrawnConsents } }: { session: ScreenerSession }): VNode | null {
  if (!withdrawnConsents.length) return null;
  return (
    <ul class="note">
      {withdrawnConsents.map(({ screenerQuestionId, at, version, language, textHash }) => (
        <li key={screenerQuestionId}>
          Had agreed <Time at={at} />
          {version !== null && (
            <>
              {" "}
              to version <bdi>{clean(version)}</bdi>
            </>
          )}{" "}
          ({language}). SHA-256 of the text: <code>{textHash}</code>
        </li>
      ))}
    </ul>
  );
}

/** What leads to a session's link. */
export function shortLink({ screenerSessionLink, linkSlug }: ScreenerSession): string {
  return `${screenerSessionLink.slice(0, screenerSessionLink.indexOf("/screeners/"))}/s/${linkSlug}`;
}
