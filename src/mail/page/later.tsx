// What the page of questions has for "Email me my link". It is a part of the page's form, so that what was entered is saved with it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { ErrorMark } from "../../nouns/question-types/field.tsx";
import { FORMAT_NAMES } from "../../nouns/question-types/values/text-formats.ts";
import type { Speech } from "../../words/speech.ts";
import type { Later } from "./my-link.ts";

/** The field with the address, and the button beside it. */
export const MAIL_TO_FIELD = "mail-to";
export const MAIL_FIELD = "mail-link";

interface Props {
  later: Later;
  speech: Speech;
}

/** What has become of it, at the top of the page. It gets the focus. */
export function LaterNotice({ later: { state, typed }, speech }: Props): VNode | null {
  if (state !== "SENT" && state !== "OFTEN") return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus>
      <h2>{speech.say(state === "SENT" ? "confirmSentHeading" : "goOnLater")}</h2>
      <p>
        {state === "SENT" ? speech.say("linkMailedText", { address: clean(typed) }) : speech.say("linkMailedOften")}
      </p>
    </div>
  );
}

export function GoOnLater({ later: { state, typed }, speech }: Props): VNode {
  const isWrong = state === "WRONG";
  const described = ["mail-to-hint", isWrong && "mail-to-error"].filter(Boolean).join(" ");
  return (
    <details class="later" open={isWrong}>
      <summary>{speech.say("goOnLater")}</summary>
      <div class={isWrong ? "later-field question-wrong" : "later-field"}>
        <label class="prompt" for={MAIL_TO_FIELD}>
          {speech.say("yourEmail")}
        </label>
        <p class="note" id="mail-to-hint">
          {speech.say("goOnLaterText")}
        </p>
        {isWrong && (
          <p class="error" id="mail-to-error">
            <ErrorMark speech={speech} />
            {speech.say("enterEmail", { example: FORMAT_NAMES.EMAIL.example })}
          </p>
        )}
        <input
          class="entry"
          type="email"
          id={MAIL_TO_FIELD}
          name={MAIL_TO_FIELD}
          value={isWrong ? clean(typed) : ""}
          autocomplete="email"
          dir="ltr"
          aria-invalid={isWrong ? "true" : undefined}
          aria-describedby={described}
          autofocus={isWrong}
        />
      </div>
      <button class="button button-back" type="submit" name={MAIL_FIELD}>
        {speech.say("mailMyLink")}
      </button>
    </details>
  );
}
