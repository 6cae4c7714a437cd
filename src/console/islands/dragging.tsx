// The handle by which a question or a page is moved: it is dragged, or moved with the arrow keys. Up and Down do the same. A question is
// dragged to another page by letting it go on that page in the list of pages.

import type { JSX } from "preact";
import { announceMove, keepFocus } from "./state/moving.ts";

/** How near to an edge of the window it scrolls while something is dragged, and by how much. */
const EDGE_PX = 72;
const SCROLL_PX = 16;

interface HandleProps {
  /** What is moved. */
  about: string;
  index: number;
  /** How many there are. */
  of: number;
  onMove: (to: number) => void;
  /** What is done when it is let go on another page. Missing: it stays in its list. */
  onPage?: (pageId: string) => void;
}

/** Elements of one list: those around the handle's own. */
const itemsAround = (handle: Element): Element[] => [
  ...handle.closest("ol, ul")!.querySelectorAll(":scope > [data-movable]"),
];

export function DragHandle({ about, index, of, onMove, onPage }: HandleProps): JSX.Element {
  const move = (to: number, handle: HTMLElement) => {
    if (to === index || to < 0 || to >= of) return;
    onMove(to);
    announceMove(about, to, of);
    keepFocus(handle);
  };
  return (
    <button
      type="button"
      class="handle"
      onPointerDown={(event) => {
        if (event.button === 0) drag(event.currentTarget, event.pointerId, { index, onDrop: move, onPage });
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        move(index + by, event.currentTarget);
      }}
    >
      <span aria-hidden="true">⠿</span>
      <span class="unseen">Move {about}: drag it, or press the arrow keys</span>
    </button>
  );
}

interface Dragged {
  /** Where it began. */
  index: number;
  onDrop: (to: number, handle: HTMLElement) => void;
  onPage: HandleProps["onPage"];
}

/** Follows the pointer until it is let go, and marks where the element would come. Escape ends it without a change. */
function drag(handle: HTMLElement, pointerId: number, { index, onDrop, onPage }: Dragged): void {
  const items = itemsAround(handle);
  const pages = onPage ? [...document.querySelectorAll<HTMLElement>("[data-page]")] : [];
  const ending = new AbortController();
  const { signal } = ending;
  let to = index;
  let page: HTMLElement | undefined;
  const mark = (at: number, onto?: HTMLElement) => {
    for (const item of [...items, ...pages]) item.removeAttribute("data-drop");
    [to, page] = [at, onto];
    if (page) page.setAttribute("data-drop", "into");
    else if (to !== index) items[to]?.setAttribute("data-drop", to < index ? "before" : "after");
  };
  const end = () => {
    mark(index);
    items[index]?.removeAttribute("data-dragged");
    ending.abort();
  };
  handle.setPointerCapture(pointerId);
  items[index]?.setAttribute("data-dragged", "");
  handle.addEventListener(
    "pointermove",
    ({ clientX, clientY }) => {
      if (clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
      else if (clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
      const onto = pages.find((one) => distanceTo(one, clientX, clientY) === 0);
      mark(onto ? index : nearest(items, clientX, clientY), onto);
    },
    { signal },
  );
  handle.addEventListener(
    "pointerup",
    () => {
      const [at, onto] = [to, page?.dataset.page];
      end();
      if (onto === undefined) onDrop(at, handle);
      else onPage?.(onto);
    },
    { signal },
  );
  handle.addEventListener("pointercancel", end, { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal });
}

/** The index of the element that is under a point, or next to it. */
function nearest(items: readonly Element[], x: number, y: number): number {
  const distances = items.map((item) => distanceTo(item, x, y));
  return distances.indexOf(Math.min(...distances));
}

/** In pixels. 0: the point is on the element. */
function distanceTo(element: Element, x: number, y: number): number {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
