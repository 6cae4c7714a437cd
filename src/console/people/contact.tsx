// Of the page of a person: whether they may be written to, and the form by which staff say that nobody may.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { MailSuppression, Participant } from "../../client/types.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { type SignedIn, Time, Token } from "../shell/layout.tsx";

const LABELS = { doNotContact: "Reason" };

const WHY: Record<MailSuppression["reason"], string> = {
  BOUNCED: "The address takes no mail.",
  COMPLAINED: "The address’s owner has complained about mail.",
  BY_HAND: "The address was taken out by hand.",
  UNSUBSCRIBED: "Somebody who was erased, and had this address, had unsubscribed.",
  DO_NOT_CONTACT: "Somebody who was erased, and had this address, was not to be contacted.",
};

interface Props {
  base: string;
  signedIn: SignedIn;
  person: Participant;
  suppression: MailSuppression | undefined;
  reason: string;
  faults: Faults;
}

export function Contact({ base, signedIn, person, suppression, reason, faults }: Props): VNode {
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
          {WHY[suppression.reason]} Nothing is sent there, since <Time at={suppression.createdAt} />.
          {suppression.detail !== null && (
            <>
              {" "}
              <bdi class="note">{clean(suppression.detail)}</bdi>
            </>
          )}
        </p>
      )}
      {!marked && !suppression && (
        <p>This person may be written to, if they have an email and have not unsubscribed.</p>
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
              <TextField {...field("doNotContact")} hint="Such as: rang us up. No mailing reaches the person then." />
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
