// A question in the builder: its text, its type with what that needs, and when it is shown.

import type { JSX } from "preact";
import { plainOf } from "../../nouns/question-types/markup/plain.ts";
import type { Question } from "../../nouns/question-types/registry.ts";
import { questionsBefore, withFlag, withItem } from "./drafts/edits.ts";
import { Box, SelectField, TextField } from "./inputs.tsx";
import { ItemCard, type ItemPlace } from "./item-card.tsx";
import { type Kind, KindFields, kindNames, makeQuestion, nameOfKind } from "./question-kinds.tsx";
import { Rule } from "./rule.tsx";
import { changePage, contentAsRead, errors, isMarkdown } from "./state/draft.ts";
import { promptField } from "./state/unfolding.ts";
import { MarkedField, signsHint } from "./texts.tsx";

interface CardProps extends ItemPlace {
  question: Question;
  /** Of all questions of the draft. */
  number: number;
}

export function QuestionCard({ question, number, ...place }: CardProps): JSX.Element {
  const prompt = plainOf(question.prompt, isMarkdown.value ? "MARKDOWN" : "PLAIN");
  return (
    <ItemCard
      {...place}
      item={question}
      name={`question ${number}`}
      line={`${number}. ${prompt || "A question without a text"}`}
      kind={nameOfKind(question._type)}
    >
      {place.isUnfolded && <Fields question={question} {...place} />}
    </ItemCard>
  );
}

function Fields({ question, pageId, index, isShuffled, page }: Omit<CardProps, "number">): JSX.Element {
  const { id } = question;
  const edit = (next: Question, mark = "") =>
    changePage(pageId, (one) => ({ ...one, questions: withItem(one.questions, index, next) }), mark);
  return (
    <>
      <MarkedField
        position={{ page }}
        id={promptField(id)}
        at={`q:${id}/prompt`}
        label="Question"
        // Once a page is enough.
        hint={index === 0 ? signsHint() : undefined}
        rows={2}
        value={question.prompt}
        onText={(prompt) => edit({ ...question, prompt }, promptField(id))}
      />
      <SelectField
        id={`${id}-type`}
        at=""
        label="Answer"
        value={question._type}
        options={kindNames}
        onChoice={(kind) => edit(makeQuestion(kind as Kind, question))}
      />
      <KindFields question={question} onEdit={edit} />
      <Box
        id={`${id}-required`}
        label="An answer is required"
        isTicked={question.required}
        onTick={(required) => edit({ ...question, required })}
      />
      {isShuffled && (
        <Box
          id={`${id}-fixed`}
          label="Keeps its position on the page"
          isTicked={question.fixed ?? false}
          onTick={(isTicked) => edit(withFlag(question, "fixed", isTicked))}
        />
      )}
      <More pageId={pageId} question={question} page={page} edit={edit} />
    </>
  );
}

/** What few questions need. It is open where something is wrong in it. */
function More({
  pageId,
  question,
  page,
  edit,
}: Pick<CardProps, "pageId" | "question" | "page"> & { edit: (next: Question, mark?: string) => void }): JSX.Element {
  const { id, helpText, key, showWhen } = question;
  const isOpen = showWhen !== null || ["key", "helpText"].some((member) => errors.value.has(`q:${id}/${member}`));
  return (
    <details class="more" open={isOpen}>
      <summary>Help text, heading in tables, and when it is shown</summary>
      <MarkedField
        position={{ page }}
        id={`${id}-help`}
        at={`q:${id}/helpText`}
        label="Help text"
        hint={["It stands below the question.", signsHint()].join(" ")}
        rows={2}
        value={helpText}
        onText={(text) => edit({ ...question, helpText: text || null }, `${id}-help`)}
      />
      <TextField
        id={`${id}-key`}
        at={`q:${id}/key`}
        label="Heading in tables"
        hint="For the answers as a table: letters, digits, - and _. People who answer do not see it."
        value={key}
        onText={(text) => edit({ ...question, key: text.trim() || null }, `${id}-key`)}
      />
      <Rule
        id={`${id}-shown`}
        at={`q:${id}/showWhen`}
        start="Ask only if"
        none="It is asked in any case."
        condition={showWhen}
        questions={() => questionsBefore(contentAsRead.value, pageId, id)}
        onEdit={(condition, mark) => edit({ ...question, showWhen: condition }, mark)}
      />
    </details>
  );
}
