// What can be done with the questions and texts of a page in the builder: to add, move, copy and remove them.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Item, isQuestion, type Page } from "../../nouns/content/content.ts";
import { moved, newLabel, newStatement, without, withParts } from "./drafts/edits.ts";
import { Button, MoveButtons } from "./inputs.tsx";
import { type Kind, kindNames, makeQuestion } from "./question-kinds.tsx";
import { changePage, contentAsRead, focusOn, startFresh } from "./state/draft.ts";
import { moveToPage } from "./state/moving.ts";
import { cardOf, foldOf, promptField, unfold } from "./state/unfolding.ts";

interface ToolsProps {
  pageId: string;
  item: Item;
  /** What it is called. */
  name: string;
  /** Its position on the page. */
  index: number;
  /** How many there are on the page. */
  of: number;
  isUnfolded: boolean;
}

export function ItemTools({ pageId, item, name, index, of, isUnfolded }: ToolsProps): JSX.Element {
  const list = (next: (items: Item[]) => Item[]) =>
    changePage(pageId, (one) => ({ ...one, questions: next(one.questions) }));
  return (
    <div class="tools">
      <MoveButtons about={name} {...{ index, of }} onMove={(by) => list((all) => moved(all, index, by))} />
      {isUnfolded && (
        <>
          <Button
            about={name}
            onPress={() => {
              const copy = copyOf(item);
              list((all) => all.toSpliced(index + 1, 0, copy));
              unfold(pageId, copy.id);
              focusOn(promptField(copy.id));
            }}
          >
            Copy
          </Button>
          <Button
            about={name}
            onPress={() => {
              list((all) => {
                const next = all[index + 1] ?? all[index - 1];
                focusOn(next ? foldOf(next.id) : "add-question");
                return without(all, index);
              });
            }}
          >
            Remove
          </Button>
        </>
      )}
    </div>
  );
}

/** The choice of another page. */
export function MoveToPage({ pageId, item, name }: Pick<ToolsProps, "pageId" | "item" | "name">): JSX.Element | null {
  const [chosen, choose] = useState<string>();
  const pages = contentAsRead.value.pages.map(({ id, title }, index) => ({
    id,
    label: `${index + 1}. ${title ?? "Page"}`,
  }));
  const others = pages.filter(({ id }) => id !== pageId);
  const to = others.find(({ id }) => id === chosen) ?? others[0];
  if (!to) return null;
  return (
    <div class="to-page">
      <label>
        <span class="unseen">Another page for {name}</span>
        <select class="entry" value={to.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {others.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Button about={name} onPress={() => moveToPage(item, name, to.id)}>
        Move to this page
      </Button>
    </div>
  );
}

function copyOf(item: Item): Item {
  const id = newLabel();
  if (!isQuestion(item)) return { ...item, id };
  return withParts({ ...item, id, key: null }, (parts) => parts.map((one) => ({ ...one, id: newLabel() })));
}

export function AddItem({ page }: { page: Page }): JSX.Element {
  return (
    <fieldset class="choices add">
      <legend>Add a question</legend>
      <div class="tools">
        {kindNames.map(([kind, name], index) => (
          <Button key={kind} id={index === 0 ? "add-question" : `add-${kind}`} onPress={() => add(page, kind)}>
            {name}
          </Button>
        ))}
        <Button id="add-statement" onPress={() => put(page, newStatement())}>
          Only a text or image
        </Button>
      </div>
    </fieldset>
  );
}

function add(page: Page, kind: Kind): void {
  const question = makeQuestion(kind);
  startFresh(`q:${question.id}`, cardOf(question.id));
  put(page, question);
}

function put(page: Page, item: Item): void {
  changePage(page.id, (one) => ({ ...one, questions: [...one.questions, item] }));
  unfold(page.id, item.id);
  focusOn(promptField(item.id));
}
