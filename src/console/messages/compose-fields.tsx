// Fields that the form of a new message has besides those of other forms: choices of several, short entries, and conditions on people.

import type { ComponentChildren, VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { type FilterField, LISTED } from "../filters/filter-words.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import type { Faults } from "../shell/faults.ts";
import type { Named } from "../shell/fields.tsx";
import type { TypedCondition } from "./conditions.ts";

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
}

const faultOf = ({ label, fault }: FieldProps) => fault && `${label} ${fault}`;

interface FoldProps {
  id?: string;
  name: string;
  note?: string;
  isOpen: boolean;
  children: ComponentChildren;
}

/** What is rare, folded. */
export function Fold({ id, name, note, isOpen, children }: FoldProps): VNode {
  return (
    <details class="more" id={id} open={isOpen}>
      <summary>{name}</summary>
      {note && <p class="note">{note}</p>}
      {children}
    </details>
  );
}

/** A short entry: a number, a day, a time. */
export function PlainField({
  type = "text",
  value,
  ...field
}: FieldProps & { value: string; type?: "text" | "date" | "time" }): VNode {
  const { name, label, hint } = field;
  return (
    <LabelledField id={name} label={label} hint={hint} fault={faultOf(field)}>
      {(described) => (
        <input
          class="entry entry-short"
          id={name}
          name={name}
          type={type as "text"}
          autocomplete="off"
          value={clean(value)}
          aria-describedby={described}
          aria-invalid={field.fault ? "true" : undefined}
        />
      )}
    </LabelledField>
  );
}

export function Select({ value, options, ...field }: FieldProps & { value: string; options: Named }): VNode {
  const { name, label, hint } = field;
  return (
    <LabelledField id={name} label={label} hint={hint} fault={faultOf(field)}>
      {(described) => (
        <select class="entry" id={name} name={name} aria-describedby={described}>
          <Options options={options} value={value} />
        </select>
      )}
    </LabelledField>
  );
}

function Options({ options, value }: { options: Named; value: string }): VNode {
  return (
    <>
      {options.map(({ id, text }) => (
        <option key={id} value={clean(id)} selected={id === value}>
          {clean(text)}
        </option>
      ))}
    </>
  );
}

const MAX_LABEL = 60;

function shortened(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL).toWellFormed().trimEnd()}…` : label;
}

/** One list for all conditions: of numbers and of days the same operator has words of its own. */
function operatorsOf(filters: readonly FilterField[]): (readonly [operator: string, words: string])[] {
  const words = new Map<string, Set<string>>();
  for (const [operator, said] of [...LISTED, ...filters.flatMap((one) => one.operators)])
    words.set(operator, (words.get(operator) ?? new Set()).add(said));
  return [...words].map(([operator, said]) => [operator, [...said].join(", or ")]);
}

interface ConditionProps {
  conditions: readonly TypedCondition[];
  filters: readonly FilterField[];
  faults: Faults;
  /** Where the form goes for a place for one more. */
  again: string;
}

/** Those that were typed, and an empty one: what, how it compares, and the value. */
export function ConditionRows({ conditions, filters, faults, again }: ConditionProps): VNode | null {
  if (!filters.length) return null;
  const groups = [...Map.groupBy(filters, ({ group }) => group)];
  const operators = operatorsOf(filters);
  return (
    <fieldset class="field">
      <legend>Attributes, answers, and what became of people</legend>
      <p class="note">
        Several values of “is one of” have commas between them, days are like 2026-01-31. All but attributes is known
        only of people who have begun.
      </p>
      {[...conditions, { field: "", operator: "eq", value: "" }].map(({ field, operator, value }, index) => {
        const fault = faults[`value-${index}`];
        const of = `of condition ${index + 1}`;
        return (
          <div key={`condition ${index}`} class={fault ? "field field-wrong" : "field"}>
            {fault && (
              <p class="error" id={`value-${index}-fault`}>
                Condition {index + 1} {clean(fault)}
              </p>
            )}
            <select class="entry" id={`field-${index}`} name="field" aria-label={`What, ${of}`}>
              <option value="">Nothing</option>
              {groups.map(([group, ofIt]) => (
                <optgroup key={group} label={group}>
                  <Options options={ofIt.map((one) => ({ id: one.field, text: shortened(one.label) }))} value={field} />
                </optgroup>
              ))}
            </select>
            <select class="entry" id={`operator-${index}`} name="operator" aria-label={`How it compares, ${of}`}>
              <Options options={operators.map(([id, text]) => ({ id, text }))} value={operator} />
            </select>
            <input
              class="entry"
              type="text"
              autocomplete="off"
              dir="auto"
              id={`value-${index}`}
              name="value"
              value={clean(value)}
              aria-label={`Value, ${of}`}
              aria-describedby={fault && `value-${index}-fault`}
              aria-invalid={fault ? "true" : undefined}
            />
          </div>
        );
      })}
      {conditions.length > 0 && (
        <button class="button button-quiet" type="submit" name="make" value="more" formaction={again}>
          One more condition
        </button>
      )}
    </fieldset>
  );
}
