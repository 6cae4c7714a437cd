// What the page of a file's columns asks about how the file is read: the sheet of a workbook, signs that are not English, decimals and dates.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { Token } from "../shell/layout.tsx";
import { READING } from "./columns.ts";

/** A chosen file, and how it is read. */
export interface HowRead {
  token: string;
  chosen: {
    id: string;
    name: string;
    screenerId: string;
    workbook?: { sheets: readonly string[]; sheet: string };
    examples?: readonly string[];
  };
  preview: { columns: { heading: string }[]; rows: string[][] };
  choice: {
    importMode: "UPDATES_ONLY" | "FULL_SYNC";
    includesJoined?: boolean;
    targets: string[];
    decimals?: string | undefined;
    dates?: string | undefined;
    isReadRightly?: boolean;
  };
  /** The attributes that have a type. */
  typed: readonly { key: string; type: string }[];
  /** By the number of the column; -1: of all of them; READING: how the file is read. */
  faults: ReadonlyMap<number, string>;
}

const DECIMALS = [
  ["POINT", "With a point: 72.5"],
  ["COMMA", "With a comma: 72,5"],
] as const;

const DATES = [
  ["YMD", "Year first: 1990-02-28"],
  ["DMY", "Day first: 28.02.1990"],
  ["MDY", "Month first: 02/28/1990"],
] as const;

interface NotationProps {
  view: HowRead;
  type: string;
  id: "decimals" | "dates";
  label: string;
  hint: string;
  choices: readonly (readonly [value: string, text: string])[];
}

export function Decimals({ view }: { view: HowRead }): VNode | null {
  const hint = "What is no number is a wrong row.";
  return NotationField({
    view,
    type: "NUMBER",
    id: "decimals",
    label: "How the file writes decimals",
    hint,
    choices: DECIMALS,
  });
}

export function Dates({ view }: { view: HowRead }): VNode | null {
  const hint = "What is no date is a wrong row.";
  return NotationField({ view, type: "DATE", id: "dates", label: "How the file writes dates", hint, choices: DATES });
}

/** Asked where an attribute of the workspace has this type. */
function NotationField({
  view: { typed, preview, choice },
  type,
  id,
  label,
  hint,
  choices,
}: NotationProps): VNode | null {
  const keys = typed.filter((one) => one.type === type).map(({ key }) => key);
  const found = preview.columns
    .map(({ heading }) => heading.replace(/^attributes\./, ""))
    .filter((heading) => keys.includes(heading));
  if (!found.length) return null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="note" id={`${id}-hint`}>
        For <bdi>{clean(found.join(", "))}</bdi>. {hint}
      </p>
      <select class="entry" id={id} name={id} aria-describedby={`${id}-hint`}>
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === choice[id]}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Which sheet of a workbook is read, where it has several. */
export function Sheets({ base, view: { chosen, token } }: { base: string; view: HowRead }): VNode | null {
  const { id, workbook } = chosen;
  if (!workbook || workbook.sheets.length < 2) return null;
  return (
    <form method="post" action={`${base}/console/files/${id}/sheet`} class="field">
      <Token value={token} />
      <label for="sheet">The sheet of the workbook</label>
      <select class="entry" id="sheet" name="sheet">
        {workbook.sheets.map((sheet) => (
          <option key={sheet} value={sheet} selected={sheet === workbook.sheet}>
            {clean(sheet)}
          </option>
        ))}
      </select>
      <p>
        <button class="button button-quiet" type="submit">
          Read this sheet
        </button>
      </p>
    </form>
  );
}

/** Of a table that was not in UTF-8: whether it was read rightly. */
export function Words({ view: { chosen, choice, faults } }: { view: HowRead }): VNode | null {
  const { examples } = chosen;
  if (!examples) return null;
  const fault = faults.get(READING);
  return (
    <fieldset class={fault ? "modes field-wrong" : "modes"}>
      <legend>Are these words right?</legend>
      <p class="note" id="words-hint">
        The file is not in UTF-8. Read as Windows-1252 (Latin-1), it has these words. If they look wrong, save the file
        as “CSV UTF-8” or as a workbook, and choose it again.
      </p>
      <ul class="words">
        {examples.map((word) => (
          <li key={word}>
            <bdi>{clean(shortened(word))}</bdi>
          </li>
        ))}
      </ul>
      {fault && (
        <p class="error" id="is-read-rightly-fault">
          {fault}
        </p>
      )}
      <div class="mode">
        <input
          type="checkbox"
          id="is-read-rightly"
          name="isReadRightly"
          value="yes"
          checked={choice.isReadRightly}
          aria-describedby={`words-hint${fault ? " is-read-rightly-fault" : ""}`}
          aria-invalid={fault ? "true" : undefined}
        />
        <label for="is-read-rightly">Yes, they are right</label>
      </div>
    </fieldset>
  );
}

const MAX_EXAMPLE = 40;

export function shortened(cell: string): string {
  return cell.length > MAX_EXAMPLE ? `${cell.slice(0, MAX_EXAMPLE)}…` : cell;
}
