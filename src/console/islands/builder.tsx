// The builder: a study's draft, which is saved while it is changed.

import { type JSX, render } from "preact";
import { counted } from "../../languages/counted.ts";
import { ArmsEditor } from "./arms.tsx";
import { AttributeList } from "./attributes.tsx";
import { Conflict } from "./conflict.tsx";
import { moved, newPage } from "./drafts/edits.ts";
import { DragHandle } from "./dragging.tsx";
import { Button, errorAt } from "./inputs.tsx";
import { EndEditor, PageEditor } from "./page-editor.tsx";
import { Preview } from "./preview.tsx";
import { QuotasEditor } from "./quotas.tsx";
import { showAsked } from "./state/asked.ts";
import {
  ARMS,
  canRedo,
  canUndo,
  change,
  content,
  contentAsRead,
  END,
  endFresh,
  errors,
  focusOn,
  QUOTAS,
  redo,
  shownPage,
  TEXTS,
  undo,
} from "./state/draft.ts";
import { mergeWhereClear } from "./state/merging.ts";
import { said } from "./state/moving.ts";
import { type Status, saveBeforeLeaving, saveNow, start, status } from "./state/saving.ts";
import { keepUnfolded } from "./state/unfolding.ts";
import { TextsEditor } from "./texts.tsx";

const words: Record<Status, string> = {
  loading: "Loading …",
  saved: "Saved",
  waiting: "Changed",
  saving: "Saving …",
  refused: "Not saved yet: something is wrong",
  conflict: "Not saved: somebody else has changed the draft",
  failed: "Not saved: the service does not answer. It is tried again",
  signedOut: "Not saved: you are signed out. Sign in in another tab, then save",
};

function Builder({ path }: { path: string }): JSX.Element {
  const page = content.value.pages.find(({ id }) => id === shownPage.value);
  return (
    <div class="builder">
      <AttributeList />
      <div class="builder-bar" ref={keepBelow}>
        <div class="tools">
          <Button isOff={!canUndo.value} onPress={undo}>
            Undo
          </Button>
          <Button isOff={!canRedo.value} onPress={redo}>
            Redo
          </Button>
          <Button onPress={saveNow} isOff={["saved", "saving", "conflict"].includes(status.value)}>
            Save
          </Button>
        </div>
        <p role="status" class={`saving saving-${status.value}`}>
          {words[status.value]}
        </p>
        {status.value === "saved" && <Incomplete />}
        <p class="unseen" aria-live="polite">
          {said.value}
        </p>
      </div>
      <Conflict />
      <div class="builder-columns">
        <PageList />
        <div class="builder-editor">
          {content.value.pages.length === 0 && (
            <section class="card">
              <h2>Begin with a page</h2>
              <p>
                A page has a heading and questions. People who do not fit can be screened out when the page is answered.
              </p>
              <Button onPress={addPage}>Add the first page</Button>
            </section>
          )}
          {page && <PageEditor key={page.id} page={page} />}
          {shownPage.value === END && <EndEditor />}
          {shownPage.value === QUOTAS && <QuotasEditor path={path} />}
          {shownPage.value === ARMS && <ArmsEditor />}
          {shownPage.value === TEXTS && <TextsEditor />}
        </div>
        <Preview path={path} />
      </div>
    </div>
  );
}

/** Controls that are lower than this need no event to come out from below the bar. */
const CONTROL_PX = 96;

/** What gets the focus by the keyboard is never below the bar, however high that is. */
function keepBelow(bar: HTMLElement | null): void {
  if (!bar) return;
  new ResizeObserver(() => {
    // Firefox scrolls to a control only when all of it is in the padding: a part that is out of it is enough to be seen.
    // Of a low window half is left.
    const padding = Math.min(bar.offsetHeight + CONTROL_PX, Math.max(innerHeight / 2, bar.offsetHeight));
    document.documentElement.style.scrollPaddingTop = `${padding}px`;
  }).observe(bar);
  // Of a field of several lines, browsers only bring the line with the cursor into view.
  bar.parentElement!.addEventListener("focusin", ({ target }) => {
    const focused = target as Element;
    const hidden = bar.getBoundingClientRect().bottom - focused.getBoundingClientRect().top;
    if (hidden > 0 && !bar.contains(focused) && focused.matches(":focus-visible")) scrollBy(0, -hidden);
  });
}

/** How much is to be finished before the draft can be published. */
function Incomplete(): JSX.Element | null {
  const count = new Set([...errors.value.keys()].map((key) => key.split("/")[0])).size;
  if (count === 0) return null;
  return <p class="note">{counted(count, "thing is incomplete", "things are incomplete")}</p>;
}

/** The pages and the end: the one that is pressed is shown. */
function PageList(): JSX.Element {
  const { pages, quotas, assignments } = contentAsRead.value;
  const go = (id: string) => {
    shownPage.value = id;
    focusOn("shown-page");
  };
  const isWrong = (prefixes: string[]) =>
    [...errors.value.keys()].some(
      (key) => errorAt(key) !== undefined && prefixes.some((prefix) => key.startsWith(prefix)),
    );
  const all = [
    ...pages.map(({ id, title, questions }, index) => ({
      id,
      name: `${index + 1}. ${title ?? "Page"}`,
      isWrong: isWrong([`p:${id}/`, ...questions.map((question) => `q:${question.id}/`)]),
    })),
    { id: END, name: "The end", isWrong: isWrong(["end/"]) },
    {
      id: ARMS,
      name: assignments ? `Arms (${assignments.length})` : "Arms",
      isWrong: isWrong(["a:", "r:", "end/assignments"]),
    },
    { id: QUOTAS, name: quotas ? `Quotas (${quotas.length})` : "Quotas", isWrong: isWrong(["c:", "end/quotas"]) },
    { id: TEXTS, name: "Texts", isWrong: isWrong(["end/markup"]) },
  ];
  return (
    <nav class="page-list" aria-label="Pages of the study">
      <ul>
        {all.map(({ id, name, isWrong: isMarked }, index) => (
          <li
            key={id}
            data-movable={index < pages.length || undefined}
            data-page={index < pages.length && id !== shownPage.value ? id : undefined}
          >
            {index < pages.length && pages.length > 1 && (
              <DragHandle
                about={`page ${index + 1}`}
                {...{ index, of: pages.length }}
                onMove={(to) => change({ ...content.value, pages: moved(content.value.pages, index, to - index) })}
              />
            )}
            <button
              type="button"
              class="page-choice"
              aria-current={id === shownPage.value ? "true" : undefined}
              onClick={() => go(id)}
            >
              <span dir="auto">{name}</span>
              {isMarked && <span class="error"> (needs fixing)</span>}
            </button>
          </li>
        ))}
      </ul>
      <Button onPress={addPage}>Add a page</Button>
    </nav>
  );
}

function addPage(): void {
  const page = newPage();
  change({ ...content.value, pages: [...content.value.pages, page] });
  shownPage.value = page.id;
  focusOn(`${page.id}-title`);
}

/** Ctrl+Z and Ctrl+Y, on a Mac with the command key: also in fields, where typing is undone as a whole. */
function onKey(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

const root = document.getElementById("builder")!;
const { path = "", token = "" } = root.dataset;
addEventListener("keydown", onKey);
addEventListener("focusin", ({ target }) => endFresh(target as Node));
saveBeforeLeaving();
mergeWhereClear();
start(path, token, JSON.parse(document.getElementById("draft")!.textContent));
keepUnfolded(path);
showAsked(location.hash.slice(1));
addEventListener("hashchange", () => showAsked(location.hash.slice(1)));
render(<Builder path={path} />, root);
