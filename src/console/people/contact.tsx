// Of the page of a person: whether they may be written to, and the form by which staff say that nobody may.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { MailSuppression, Participant } from "../../client/types.ts";
import { titleOf } from "../imports/import-page.tsx";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { inWords, type Known } from "../shell/known-words.ts";
import { type SignedIn, Time, Token } from "../shell/layout.tsx";

const LABELS = { doNotContact: "Reason" };

const WHY: Record<Known<MailSuppression["reason"]>, string> = {
  BOUNCED: "The address takes no mail.",
  COMPLAINED: "The address’s owner has complained about mail.",
  BY_HAND: "The address was taken out by hand.",
  UNSUBSCRIBED: "Somebody who was erased, and had this address, had unsubscribed.",
  DO_NOT_CONTACT: "Somebody who was erased, and had this address, was not to be contacted.",
};

/** What somebody wants no mail about. */
export interface UnsubscriptionOfPerson {
  /** The study's. Null: it has none. */
  title: string | null;
  /** Null: it is about all mail. */
  screenerId: string | null;
  createdAt: string;
}

interface Props {
  base: string;
  signedIn: SignedIn;
  person: Participant;
  suppression: MailSuppression | undefined;
  unsubscriptions: readonly UnsubscriptionOfPerson[];
  reason: string;
  faults: Faults;
}

export function Contact({ base, signedIn, person, suppression, unsubscriptions, reason, faults }: Props): VNode {
  const { doNotContact: marked } = person;
  const path = `${base}/console/people/${person.id}/contact`;
  const field = fieldsOf(LABELS, { doNotContact: reason }, faults);
  return (
    <section aria-labelledby="contact">
      <h2 id="contact">Contact</h2>
      <FaultSummary faults={faults} labels={LABELS} />
      {marked && (
        <p class="notice">
          <strong>Do not contact:</strong> <bdi>{clean(marked.reason)}</bdi>{" "}
          <span class="note">
            by <bdi>{clean(marked.by.name)}</bdi>, <Time at={marked.at} />
          </span>
        </p>
      )}
      {suppression && (
        <p class="notice">
          {inWords(WHY, suppression.reason)} Nothing is sent there, since <Time at={suppression.createdAt} />.
          {suppression.detail !== null && (
            <>
              {" "}
              <bdi class="note">{clean(suppression.detail)}</bdi>
            </>
          )}
        </p>
      )}
      {suppression && signedIn.role === "admin" && (
        <form method="post" action={path}>
          <Token value={signedIn.token} />
          <input type="hidden" name="suppression" value={suppression.id} />
          <button class="button button-quiet" type="submit" name="mark" value="address">
            Write to this address again
          </button>
        </form>
      )}
      {unsubscriptions.length > 0 && (
        <ul class="rows">
          {unsubscriptions.map(({ title, screenerId, createdAt }) => (
            <li key={screenerId ?? ""}>
              <p>
                {screenerId === null ? (
                  "Has stopped all emails"
                ) : (
                  <>
                    Has stopped emails about <bdi class="strong">{titleOf(title)}</bdi>
                  </>
                )}
                , <Time at={createdAt} />. Only the person can take that back, at a link.
              </p>
            </li>
          ))}
        </ul>
      )}
      {person.email === null && <p>This person has no email, and can’t be written to.</p>}
      {!marked && !suppression && !unsubscriptions.length && person.email !== null && (
        <p>This person may be written to.</p>
      )}
      {signedIn.role !== "viewer" && (
        <form class={marked ? undefined : "card"} method="post" action={path} novalidate>
          <Token value={signedIn.token} />
          {marked ? (
            <button class="button button-quiet" type="submit" name="mark" value="end">
              Allow contact again
            </button>
          ) : (
            <>
              <TextField
                {...field("doNotContact")}
                hint="For example: asked us by phone. Then the person gets no mailing."
              />
              <button class="button button-quiet" type="submit" name="mark" value="set">
                Do not contact
              </button>
            </>
          )}
        </form>
      )}
    </section>
  );
}
