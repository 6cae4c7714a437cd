// The frame of a question, or of a text between questions, in the builder: one line, and below it its fields where it is in work.

import type { ComponentChildren, JSX } from "preact";
import type { Item } from "../../nouns/content/content.ts";
import { moved } from "./drafts/edits.ts";
import { DragHandle } from "./dragging.tsx";
import { ItemTools, MoveToPage } from "./item-tools.tsx";
import { changePage, deadEnds, errors, isFresh } from "./state/draft.ts";
import { moveToPage } from "./state/moving.ts";
import { cardOf, fold, foldOf, unfold } from "./state/unfolding.ts";

/** Where it stands. With the same values, a card is not made anew: so typing is as fast on a page of many questions. */
export interface ItemPlace {
  pageId: string;
  /** Its position on the page. */
  index: number;
  /** How many questions and texts the page has. */
  of: number;
  /** Whether the page shows what is on it in an order by chance. */
  isShuffled: boolean;
  /** The index of the page. */
  page: number;
  isUnfolded: boolean;
}

interface CardProps extends ItemPlace {
  item: Item;
  /** What it is called in the names of buttons: `question 3`. */
  name: string;
  /** The line: `3. How old are you?` */
  line: string;
  kind: string;
  children: ComponentChildren;
}

export function ItemCard({ pageId, item, index, of, isUnfolded, name, line, kind, children }: CardProps): JSX.Element {
  const { id, showWhen } = item;
  const isWrong = !isFresh(`q:${id}`) && [...errors.value.keys()].some((key) => key.startsWith(`q:${id}/`));
  const marks = [
    kind,
    ...(showWhen ? ["Rule"] : []),
    ...(showWhen && deadEnds.value.has(`q:${id}/showWhen`) ? ["Rule never holds"] : []),
  ];
  return (
    <li id={cardOf(id)} class={isWrong ? "card item card-wrong" : "card item"} data-movable>
      <div class="item-head">
        <DragHandle
          about={name}
          {...{ index, of }}
          onMove={(to) => changePage(pageId, (one) => ({ ...one, questions: moved(one.questions, index, to - index) }))}
          onPage={(to) => moveToPage(item, name, to)}
        />
        <h3>
          <button
            type="button"
            id={foldOf(id)}
            class="fold"
            aria-expanded={isUnfolded}
            onClick={() => (isUnfolded ? fold(pageId) : unfold(pageId, id))}
          >
            <span class="fold-line" dir="auto">
              {line}
            </span>
            {marks.map((mark) => (
              <span key={mark} class="fold-mark">
                {" "}
                {mark}
              </span>
            ))}
            {isWrong && <span class="fold-mark fold-wrong"> Incomplete</span>}
          </button>
        </h3>
        <ItemTools {...{ pageId, item, name, index, of, isUnfolded }} />
      </div>
      {isUnfolded && (
        <div class="item-body">
          {children}
          <MoveToPage {...{ pageId, item, name }} />
        </div>
      )}
    </li>
  );
}
