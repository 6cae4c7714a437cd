// What is wrong with a form: a summary at the top of the page, and a message at the field.

import type { ComponentChildren, VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";

export interface Fault {
  /** The id of the field; without one, it is about all of the form. */
  field?: string;
  message: string;
}

/** The summary, with a link to each field. Nothing without faults. */
export function FaultSummary({ faults }: { faults: readonly Fault[] }): VNode | null {
  if (!faults.length) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus>
      <h2>
        {faults.length === 1 ? "There is a problem" : `There are ${counted(faults.length, "problem", "problems")}`}
      </h2>
      <ul>
        {faults.map(({ field, message }) => (
          <li key={`${field} ${message}`}>{field ? <a href={`#${field}`}>{clean(message)}</a> : clean(message)}</li>
        ))}
      </ul>
    </div>
  );
}

/** A field in which a name is typed, so that nothing grave happens by a slip. Its name is `confirm`. */
export function ConfirmField(props: { label: string; word: string; typed: string; fault: string | undefined }): VNode {
  const { label, word, typed, fault } = props;
  return (
    <LabelledField
      id="confirm"
      label={label}
      hint={
        <>
          Type <bdi class="strong">{clean(word)}</bdi> to confirm.
        </>
      }
      fault={fault}
    >
      {(described) => (
        <input
          class="entry"
          id="confirm"
          name="confirm"
          type="text"
          value={clean(typed)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={described}
          aria-invalid={fault ? "true" : undefined}
        />
      )}
    </LabelledField>
  );
}

interface FieldProps {
  id: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** Gets what describes the field, for `aria-describedby`. */
  children: (described: string | undefined) => VNode;
}

/** A field with its label, its hint and what is wrong with it. */
export function LabelledField({ id, label, hint, fault, children }: FieldProps): VNode {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div class={fault ? "field field-wrong" : "field"}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="note" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="error" id={`${id}-fault`}>
          {clean(fault)}
        </p>
      )}
      {children(described || undefined)}
    </div>
  );
}
