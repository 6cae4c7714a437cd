// Fields of forms, with what is wrong with them; and the list of all that is wrong, at the top of a page.

import type { ComponentChildren, VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { type Fault, LabelledField, FaultSummary as Summary } from "./fault-list.tsx";
import type { Faults } from "./faults.ts";

/** What is wrong with a form: links to its fields. @param labels of the fields, by their names */
export function FaultSummary({ faults, labels }: { faults: Faults; labels: Record<string, string> }): VNode {
  const all = Object.entries(faults).map(([name, message]): Fault => {
    const label = labels[name];
    return label === undefined ? { message } : { field: name, message: `${label} ${message}` };
  });
  return <Summary faults={all} />;
}

/** What can be chosen, such as the arms of a study. */
export type Named = readonly { id: string; text: string }[];

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
}

/** What each field of a form has, by its name. */
export function fieldsOf<Name extends string>(
  labels: { readonly [name in Name]: string },
  values: { readonly [name in NoInfer<Name>]?: unknown },
  faults: Faults,
) {
  return (name: Name) => ({ name, label: labels[name], value: String(values[name] ?? ""), fault: faults[name] });
}

/** A label, a hint and what is wrong; the field itself gets the attributes. */
function Labelled({ name, label, hint, fault, children }: FieldProps & { children: VNode }): VNode {
  return (
    <LabelledField id={name} label={label} hint={hint} fault={fault && `${label} ${fault}`}>
      {() => children}
    </LabelledField>
  );
}

function attributesOf({ name, hint, fault }: FieldProps) {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return {
    id: name,
    name,
    "aria-invalid": fault ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
  };
}

export function TextField({ value, ...field }: FieldProps & { value: string }): VNode {
  return (
    <Labelled {...field}>
      <input class="entry" type="text" autocomplete="off" dir="auto" value={clean(value)} {...attributesOf(field)} />
    </Labelled>
  );
}

export function TextArea({ value, rows, ...field }: FieldProps & { value: string; rows: number }): VNode {
  return (
    <Labelled {...field}>
      <textarea class="entry entry-code" rows={rows} spellcheck={false} value={clean(value)} {...attributesOf(field)} />
    </Labelled>
  );
}

export function SelectField({
  value,
  options,
  ...field
}: FieldProps & { value: string; options: readonly string[] }): VNode {
  return (
    <Labelled {...field}>
      <select class="entry" {...attributesOf(field)}>
        {options.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A date and a time. */
export function TimeField({ value, ...field }: FieldProps & { value: string }): VNode {
  return (
    <Labelled {...field}>
      <input class="entry entry-short" type="datetime-local" value={value} {...attributesOf(field)} />
    </Labelled>
  );
}

interface Choice {
  value: string;
  label: string;
  hint: string;
}

export function Choices({
  name,
  label,
  fault,
  value,
  choices,
}: FieldProps & { value: string; choices: Choice[] }): VNode {
  return (
    <fieldset class={fault ? "field field-wrong choices" : "field choices"} aria-describedby={fault && `${name}-fault`}>
      <legend>{label}</legend>
      {fault && (
        <p class="error" id={`${name}-fault`}>
          {label} {fault}
        </p>
      )}
      {choices.map((choice, index) => {
        const id = index === 0 ? name : `${name}-${choice.value}`;
        return (
          <div class="choice" key={choice.value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={choice.value}
              checked={choice.value === value}
              aria-describedby={`${id}-hint`}
            />
            <label for={id}>{choice.label}</label>
            <p class="note" id={`${id}-hint`}>
              {choice.hint}
            </p>
          </div>
        );
      })}
    </fieldset>
  );
}

/** Several of some. */
export function Checks({
  name,
  label,
  options,
  chosen,
  fault,
}: FieldProps & { options: Named; chosen: readonly string[] }): VNode {
  return (
    <fieldset class={fault ? "field field-wrong choices" : "field choices"} aria-describedby={fault && `${name}-fault`}>
      <legend>{label}</legend>
      {fault && (
        <p class="error" id={`${name}-fault`}>
          {label} {clean(fault)}
        </p>
      )}
      {options.map(({ id, text }, index) => {
        const field = index === 0 ? name : `${name}-${id}`;
        return (
          <div class="choice" key={id}>
            <input type="checkbox" id={field} name={name} value={id} checked={chosen.includes(id)} />
            <label for={field} dir="auto">
              {clean(text)}
            </label>
          </div>
        );
      })}
    </fieldset>
  );
}
