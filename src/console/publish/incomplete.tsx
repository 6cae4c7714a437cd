// What of a draft is not finished, with links to it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { IncompletePiece } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { inFieldWords, labelsOf } from "../study/field-words.ts";
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
        {pieces.map((piece) => (
          <li key={piece.pointer}>
            <a
              href={`${frame.base}/console/studies/${frame.id}/build#${encodeURI(piece.errors[0]?.pointer ?? piece.pointer)}`}
            >
              {pieceInWords(piece.pointer)}
            </a>
            : {piece.errors.map((error) => faultInWords(piece, error)).join("; ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

const PIECES: Record<string, string> = { questions: "question", quotas: "Quota", assignments: "Arms" };

/** What the builder calls the rules. */
const RULES: Record<string, string> = {
  showWhen: "Show this page only if",
  disqualifyWhen: "Screen out if",
  qualifyWhen: "Qualify only if",
};

/** What the builder calls the fields, by their members. */
const FIELDS: Record<string, string> = {
  prompt: "Question",
  title: "Heading",
  text: "Text",
  name: "Name",
  limit: "Limit",
  options: "Option",
  rows: "Row",
  columns: "Column",
  arms: "Arm",
  thankYou: "Closing text",
  redirect: "Redirect to",
  key: "Heading in tables",
};

/** Where something stands: `Page 1, question 2`. */
function pieceInWords(pointer: string): string {
  const [first = "", second, third = "", fourth] = pointer.slice(1).split("/");
  const number = (index: string | undefined) => shown(Number(index) + 1);
  if (first !== "pages") {
    const end = RULES[first] ? `The end, “${RULES[first]}”` : "The end";
    return second === undefined ? end : `${PIECES[first]} ${number(second)}`;
  }
  const page = `Page ${number(second)}`;
  if (fourth !== undefined) return `${page}, ${PIECES[third]} ${number(fourth)}`;
  return RULES[third] ? `${page}, “${RULES[third]}”` : page;
}

/** What is wrong, with the field's name in the builder, where it has one: `Question is required`, `Option 2 is required`. */
function faultInWords(piece: IncompletePiece, { pointer, message }: { pointer: string; message: string }): string {
  const [member = "", index] = pointer.slice(piece.pointer.length + 1).split("/");
  const labels = labelsOf(piece);
  const field = labels.get(member) ?? FIELDS[member || piece.pointer.split("/").at(-1)!];
  const said = inFieldWords(clean(message), labels);
  if (field === undefined) return said;
  if (!LISTS.has(member)) return `${field} ${said}`;
  return index === undefined ? `${field}s: ${said}` : `${field} ${shown(Number(index) + 1)} ${said}`;
}

const LISTS = new Set(["options", "rows", "columns", "arms"]);
