// What a participant must know first on a page: errors, follow-up questions, or that nothing is saved yet.

import { clean } from "../base/clean-text.ts";
import type { AnswerError } from "../nouns/question-types/errors.ts";
import { fieldId } from "../nouns/question-types/form.ts";
import { plainOf } from "../nouns/question-types/markup/plain.ts";
import { pageMessage } from "../nouns/question-types/page-words.ts";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import type { Speech } from "../words/speech.ts";
import { shorten } from "./layout.tsx";
import { authorOfQuestion, type PageView } from "./page-view.ts";

/** What is wrong with an answer, in words for participants. */
export function explain(question: Question, error: AnswerError, speech: Speech): string {
  return pageMessage(inWordsOf(question, error), speech, {
    missing: typeOf(question).missingText(question, speech),
    wrongPattern: "patternMessage" in question ? question.patternMessage : undefined,
  });
}

/** Answers are checked in the words of the content; the person reads those of the question as it is shown. */
function inWordsOf(question: Question, error: AnswerError): AnswerError {
  if (error.code !== "exclusive_option" || !("options" in question)) return error;
  const shown = question.options.find(({ id }) => id === error.optionId);
  return shown ? { ...error, option: shown.text } : error;
}

/** It gets the focus. */
export function Summary({ view }: { view: PageView }) {
  const { speech, errors, followUps, questions, isBusy, isUnsure, update } = view;
  if (isBusy) {
    return (
      <div class="summary summary-wrong" role="alert" tabIndex={-1} autofocus>
        <h2>{speech.say("notSavedHeading")}</h2>
        <p>{speech.say("notSavedText")}</p>
        {update && <Updated update={update} speech={speech} />}
      </div>
    );
  }
  if (update) {
    return (
      <div class="summary" role="alert" tabIndex={-1} autofocus>
        <h2>{speech.say("updatedHeading")}</h2>
        <Updated update={update} speech={speech} />
      </div>
    );
  }
  if (errors.size) {
    return (
      <div class="summary summary-wrong" role="alert" tabIndex={-1} autofocus>
        <h2>{speech.count("problems", errors.size)}</h2>
        <Links
          view={view}
          items={questions.flatMap((question) => {
            const error = errors.get(question.id);
            return error ? { question, error } : [];
          })}
        />
      </div>
    );
  }
  if (isUnsure) {
    return (
      <div class="summary" role="alert" tabIndex={-1} autofocus>
        <h2>{speech.say("checkAgainHeading")}</h2>
        <p>{speech.say("checkAgainText")}</p>
      </div>
    );
  }
  if (!followUps.length) return null;
  const followUpIds = new Set(followUps);
  return (
    <div class="summary" role="status" tabIndex={-1} autofocus>
      <h2>{speech.count("moreQuestions", followUps.length)}</h2>
      <Links view={view} items={questions.filter(({ id }) => followUpIds.has(id)).map((question) => ({ question }))} />
    </div>
  );
}

/** That the page was of another version. */
function Updated({ update, speech }: { update: NonNullable<PageView["update"]>; speech: Speech }) {
  return (
    <>
      <p>{speech.say("updatedText")}</p>
      {update === "PARTLY_KEPT" && <p>{speech.say("updatedCut")}</p>}
    </>
  );
}

/** A list of links to the fields of questions. */
function Links({ items, view }: { items: { question: Question; error?: AnswerError }[]; view: PageView }) {
  const { speech, markup, fill } = view;
  return (
    <ul>
      {items.map(({ question, error }) => (
        <li key={question.id}>
          <a href={`#${fieldId(question.id, error)}`}>
            <bdi class="which" dir={speech.dir} {...authorOfQuestion(view, question.id, "prompt")}>
              {clean(shorten(plainOf(view.asShown(question).prompt, markup, fill)))}
            </bdi>
            {error && (
              <>
                {" – "}
                <bdi>{explain(view.asShown(question), error, speech)}</bdi>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
