// A text or an image between questions in the builder, or a line.

import type { JSX } from "preact";
import type { Statement } from "../../nouns/content/content.ts";
import { plainOf } from "../../nouns/question-types/markup/plain.ts";
import { questionsBefore, withFlag, withItem } from "./drafts/edits.ts";
import { Box } from "./inputs.tsx";
import { ItemCard, type ItemPlace } from "./item-card.tsx";
import { Rule } from "./rule.tsx";
import { changePage, contentAsRead, isMarkdown } from "./state/draft.ts";
import { promptField } from "./state/unfolding.ts";
import { ImageField } from "./statement-image.tsx";
import { MarkedField, signsHint } from "./texts.tsx";

interface CardProps extends ItemPlace {
  statement: Statement;
}

export function StatementCard({ statement, ...place }: CardProps): JSX.Element {
  const { text, image } = statement;
  const read = text === null ? "" : plainOf(text, isMarkdown.value ? "MARKDOWN" : "PLAIN");
  return (
    <ItemCard
      {...place}
      item={statement}
      name={`the text at position ${place.index + 1}`}
      line={read || image?.alternativeText || (image ? "An image" : "A line")}
      kind={image ? "Image" : "Text"}
    >
      {place.isUnfolded && <Fields statement={statement} {...place} />}
    </ItemCard>
  );
}

function Fields({ statement, pageId, index, isShuffled, page }: CardProps): JSX.Element {
  const { id, text, showWhen, fixed } = statement;
  const edit = (next: Statement, mark = "") =>
    changePage(pageId, (one) => ({ ...one, questions: withItem(one.questions, index, next) }), mark);
  return (
    <>
      <MarkedField
        position={{ page }}
        id={promptField(id)}
        at={`q:${id}/text`}
        label="Text"
        hint={["People read it, and answer nothing. Without a text and an image it is a line.", signsHint()].join(" ")}
        rows={2}
        value={text}
        onText={(typed) => edit({ ...statement, text: typed || null }, promptField(id))}
      />
      <ImageField statement={statement} onEdit={edit} />
      {isShuffled && (
        <Box
          id={`${id}-fixed`}
          label="Keeps its position on the page"
          isTicked={fixed ?? false}
          onTick={(isTicked) => edit(withFlag(statement, "fixed", isTicked))}
        />
      )}
      <details class="more" open={showWhen !== null}>
        <summary>When it is shown</summary>
        <Rule
          id={`${id}-shown`}
          at={`q:${id}/showWhen`}
          start="Show it only if"
          none="It is shown in any case."
          condition={showWhen}
          questions={() => questionsBefore(contentAsRead.value, pageId, id)}
          onEdit={(condition, mark) => edit({ ...statement, showWhen: condition }, mark)}
        />
      </details>
    </>
  );
}
