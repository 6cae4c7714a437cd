// What of a draft is not finished, with links to it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { IncompletePiece } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import type { StudyFrame } from "../study/study-frame.tsx";

/** What keeps the draft from being published. */
export function IncompletePieces({
  frame,
  pieces,
}: {
  frame: StudyFrame;
  pieces: readonly IncompletePiece[];
}): VNode | null {
  if (!pieces.length) return null;
  return (
    <section class="card card-warning">
      <h2>{counted(pieces.length, "thing is incomplete", "things are incomplete")}</h2>
      <ul class="differences">
        {pieces.map(({ pointer, errors }) => (
          <li key={pointer}>
            <a href={`${frame.base}/console/studies/${frame.id}/build#${encodeURI(errors[0]?.pointer ?? pointer)}`}>
              {pieceInWords(pointer)}
            </a>
            : {errors.map(({ message }) => clean(message)).join("; ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

const PIECES: Record<string, string> = { questions: "question", quotas: "Quota", assignments: "Arms" };

/** Where something stands: `Page 1, question 2`. */
function pieceInWords(pointer: string): string {
  const [first = "", second, third, fourth] = pointer.slice(1).split("/");
  const number = (index: string | undefined) => shown(Number(index) + 1);
  if (first !== "pages") return second === undefined ? "The end" : `${PIECES[first]} ${number(second)}`;
  const page = `Page ${number(second)}`;
  return fourth === undefined ? page : `${page}, ${PIECES[third!]} ${number(fourth)}`;
}
