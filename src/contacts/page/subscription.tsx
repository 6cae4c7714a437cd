// What a personal link shows where people stop the mail about a study, or all of it, and have it again. To look changes nothing, because programs
// open the links of mail; a button does, and so does a mail program that unsubscribes by itself (RFC 8058).

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Speech } from "../../words/speech.ts";
import type { MailScope, Unsubscribed } from "../unsubscriptions.ts";

/** The fields of its forms: about what. The first one is also what the link of the page has in its query. */
export const UNSUBSCRIBE_FIELD = "unsubscribe";
export const SUBSCRIBE_FIELD = "subscribe";
/** The field, and its value, that mail programs send. What they show names the sender and no study: so it stops everything. */
export const ONE_CLICK = ["List-Unsubscribe", "One-Click"] as const;

/** What a page shows of it. */
export interface SubscriptionView {
  unsubscribed: Unsubscribed;
  speech: Speech;
}

export function subscriptionHeading({ unsubscribed: { everything }, speech }: SubscriptionView): string {
  return speech.say(everything === undefined ? "unsubscribeHeading" : "unsubscribedHeading");
}

interface Props {
  view: SubscriptionView;
  /** The workspace's name. */
  sender: string;
  /** Where its forms are sent. */
  action: string | undefined;
}

export function SubscriptionPart({ view: { unsubscribed, speech }, sender: name, action }: Props): VNode {
  const { study, everything } = unsubscribed;
  const sender = clean(name);
  if (everything !== undefined)
    return (
      <>
        <p class="text">{speech.say("unsubscribedAllText", { sender })}</p>
        <p class="note">{speech.say("unsubscribeOwnText")}</p>
        <Choice
          action={action}
          name={SUBSCRIBE_FIELD}
          scope="everything"
          text={speech.say("subscribeAll", { sender })}
        />
      </>
    );
  const [text, field, choice] =
    study === undefined
      ? ([speech.say("unsubscribeText", { sender }), UNSUBSCRIBE_FIELD, "unsubscribeStudy"] as const)
      : ([speech.say("unsubscribedStudyText"), SUBSCRIBE_FIELD, "subscribeStudy"] as const);
  return (
    <>
      <p class="text">{text}</p>
      <p class="note">{speech.say("unsubscribeOwnText")}</p>
      <Choice action={action} name={field} scope="study" text={speech.say(choice)} />
      <Choice
        action={action}
        name={UNSUBSCRIBE_FIELD}
        scope="everything"
        text={speech.say("unsubscribeAll", { sender })}
      />
    </>
  );
}

interface ChoiceProps {
  action: string | undefined;
  name: string;
  scope: MailScope;
  text: string;
}

function Choice({ action, name, scope, text }: ChoiceProps): VNode {
  return (
    <form method="post" action={action}>
      <div class="buttons">
        <button class="button" type="submit" name={name} value={scope}>
          {text}
        </button>
      </div>
    </form>
  );
}
