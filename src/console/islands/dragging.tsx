// The handle by which a question or a page is moved: it is dragged, or moved with the arrow keys. Up and Down do the same.

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
}

/** Elements of one list: those around the handle's own. */
const itemsAround = (handle: Element): Element[] => [
  ...handle.closest("ol, ul")!.querySelectorAll(":scope > [data-movable]"),
];

export function DragHandle({ about, index, of, onMove }: HandleProps): JSX.Element {
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
        if (event.button === 0) drag(event.currentTarget, event.pointerId, index, move);
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

/** Follows the pointer until it is let go, and marks where the element would come. Escape ends it without a change. */
function drag(
  handle: HTMLElement,
  pointerId: number,
  index: number,
  onDrop: (to: number, handle: HTMLElement) => void,
): void {
  const items = itemsAround(handle);
  const ending = new AbortController();
  const { signal } = ending;
  let to = index;
  const mark = (at: number) => {
    for (const item of items) item.removeAttribute("data-drop");
    to = at;
    if (to !== index) items[to]?.setAttribute("data-drop", to < index ? "before" : "after");
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
      mark(nearest(items, clientX, clientY));
    },
    { signal },
  );
  handle.addEventListener(
    "pointerup",
    () => {
      const at = to;
      end();
      onDrop(at, handle);
    },
    { signal },
  );
  handle.addEventListener("pointercancel", end, { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal });
}

/** The index of the element that is under a point, or next to it. */
function nearest(items: readonly Element[], x: number, y: number): number {
  const distances = items.map((item) => {
    const { left, right, top, bottom } = item.getBoundingClientRect();
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  });
  return distances.indexOf(Math.min(...distances));
}
