// The page with what the attributes of people are.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";

/** An attribute as it stands in the form. */
export interface TypedAttribute {
  key: string;
  label: string;
  /** Empty: nobody has said it. */
  type: string;
  /** One in each line. */
  values: string;
  /** Some values that people have. */
  about: string;
}

interface AttributesPage {
  rows: readonly TypedAttribute[];
  tag: string;
  /** By the number of the row. */
  faults: ReadonlyMap<number, string>;
  problem: string | undefined;
  isSaved: boolean;
  curl: string;
}

const TYPES = [
  ["", "Not chosen: values stay as they come"],
  ["TEXT", "Text"],
  ["NUMBER", "Number"],
  ["DATE", "Date, such as 1990-02-28"],
  ["BOOLEAN", "True or false"],
  ["CHOICE", "One of a list"],
] as const;

const AT = "/console/attributes";

export function renderAttributes(base: string, signedIn: SignedIn, view: AttributesPage): string {
  const { rows, tag, faults, problem, isSaved, curl } = view;
  const all = [
    ...(problem === undefined ? [] : [{ message: problem }]),
    ...[...faults].map(([row, message]) => ({
      field: `type-${row}`,
      message: `${rows[row]?.key || "A row"}: ${message}`,
    })),
  ];
  return renderPage(
    { base, title: all.length ? "Error – Attributes" : "Attributes", signedIn, at: AT },
    <>
      <FaultSummary faults={all} />
      <h1>Attributes</h1>
      <p class="note">
        What you know of people beside their name and email. If you choose what an attribute is, a row with another kind
        of value is a wrong row of its import. The values that people have already stay.
      </p>
      {isSaved && (
        <div class="done" role="status">
          <p>Saved.</p>
        </div>
      )}
      <form method="post" action={base + AT} novalidate>
        <Token value={signedIn.token} />
        <input type="hidden" name="tag" value={tag} />
        {rows.map((row, at) => (
          <Row key={`${at} ${row.key}`} row={row} at={at} fault={faults.get(at)} />
        ))}
        <p class="apart">
          <button class="button" type="submit">
            Save
          </button>
        </p>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

function Row({ row, at, fault }: { row: TypedAttribute; at: number; fault: string | undefined }): VNode {
  const { key, label, type, values, about } = row;
  const isNew = key === "";
  const name = isNew ? "Another attribute" : clean(key);
  return (
    <fieldset class={fault ? "field field-wrong" : "field"}>
      <legend>
        <bdi>{name}</bdi>
      </legend>
      {about && (
        <p class="note">
          <bdi>{clean(about)}</bdi>
        </p>
      )}
      {fault && (
        <p class="error" id={`type-${at}-fault`}>
          {fault}
        </p>
      )}
      <div class="pair">
        {isNew ? (
          <div class="field">
            <label for={`key-${at}`}>Key, as files and rules have it</label>
            <input class="entry" type="text" id={`key-${at}`} name="key" autocomplete="off" dir="auto" />
          </div>
        ) : (
          <input type="hidden" name="key" value={key} />
        )}
        <div class="field">
          <label for={`label-${at}`}>What people call it</label>
          <input
            class="entry"
            type="text"
            id={`label-${at}`}
            name="label"
            autocomplete="off"
            dir="auto"
            value={clean(label)}
          />
        </div>
        <div class="field">
          <label for={`type-${at}`}>What it is</label>
          <select
            class="entry"
            id={`type-${at}`}
            name="type"
            aria-invalid={fault ? "true" : undefined}
            aria-describedby={fault ? `type-${at}-fault` : undefined}
          >
            {TYPES.map(([value, text]) => (
              <option key={value} value={value} selected={value === type}>
                {text}
              </option>
            ))}
          </select>
        </div>
      </div>
      <details class="more" open={type === "CHOICE"}>
        <summary>The list, where it is one of a list</summary>
        <label for={`values-${at}`}>One value in each line</label>
        <textarea class="entry" id={`values-${at}`} name="values" rows={4} dir="auto" value={clean(values)} />
      </details>
    </fieldset>
  );
}
