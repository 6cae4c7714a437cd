// The value that a rule of the builder compares with: an option, several of them, a text or a number.

import type { JSX } from "preact";
import type { Question } from "../../nouns/question-types/registry.ts";
import { valuesOf } from "./attributes.tsx";
import {
  hasValues,
  type OfPerson,
  operatorOf,
  ownOperatorOf,
  typedValue,
  withValue,
} from "./drafts/condition-parts.ts";
import { Box, errorAt, NumberField, SelectField, TextField, TypedField, useTyped } from "./inputs.tsx";

interface ValueProps {
  id: string;
  /** Where the errors of the comparison are. */
  at: string;
  comparison: OfPerson;
  /** Undefined: it is about an attribute. */
  question: Question | undefined;
  onEdit: (comparison: OfPerson, mark: string) => void;
}

export function RuleValue({ id, at, comparison, question, onEdit }: ValueProps): JSX.Element | null {
  const { choice, value } = operatorOf(comparison);
  const typed = useTyped(String(value), (text) => typedValue(text, question, choice) === value);
  if (choice.includes(":")) return null;
  const where = `${at}/${choice}`;
  const edit = (next: unknown, mark = "") => onEdit(withValue(comparison, next), mark);
  const own = ownOperatorOf(question, choice);
  const options = question && "options" in question ? question.options : undefined;
  if (own?.given.by === "text")
    return (
      <TypedField id={id} at={where} label="Value" by={own.given} value={value} onValue={(next) => edit(next, id)} />
    );
  if (own?.given.by === "rank")
    return <RankedOption id={id} at={where} value={value} options={options} onEdit={edit} />;
  const values = Array.isArray(value) ? value : [];
  if (hasValues(choice) && options) {
    const wrong = errorAt(where);
    return (
      <fieldset class="choices">
        <legend>Options</legend>
        {wrong && <p class="error">The list {wrong}</p>}
        {options.map((option) => (
          <Box
            key={option.id}
            id={`${id}-${option.id}`}
            label={option.text}
            isTicked={values.includes(option.id)}
            onTick={(isTicked) => edit(isTicked ? [...values, option.id] : values.filter((one) => one !== option.id))}
          />
        ))}
      </fieldset>
    );
  }
  if (hasValues(choice)) {
    return (
      <TextField
        id={id}
        at={where}
        label="One value in each line"
        rows={3}
        value={values.join("\n")}
        onText={(text) =>
          edit(text === "" ? [] : text.split("\n").map((line) => typedValue(line, question, choice)), id)
        }
      />
    );
  }
  if (options) {
    return (
      <SelectField
        id={id}
        at={where}
        label="Option"
        value={String(value)}
        options={choicesIn(options, value)}
        onChoice={(next) => edit(next)}
      />
    );
  }
  const known = "attribute" in comparison ? valuesOf(comparison.attribute) : [];
  return (
    <>
      <TextField
        id={id}
        at={where}
        label="Value"
        {...(known.length > 0 && { list: `${id}-known` })}
        value={typed.current}
        onText={(text) => {
          typed.current = text;
          edit(typedValue(text, question, choice), id);
        }}
      />
      {known.length > 0 && (
        <datalist id={`${id}-known`}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The options of a question; before one is chosen, a line that says so. */
function choicesIn(options: readonly { id: string; text: string }[], value: unknown) {
  const all = options.map(({ id, text }) => [id, text] as const);
  return value === "" ? [["", "Choose an option"] as const, ...all] : all;
}

interface RankedProps {
  id: string;
  at: string;
  value: unknown;
  options: readonly { id: string; text: string }[] | undefined;
  onEdit: (value: object, mark?: string) => void;
}

/** An option, and the rank that it has at worst. */
function RankedOption({ id, at, value, options = [], onEdit }: RankedProps): JSX.Element {
  const operand = value as { optionId: string; rank: number | null };
  return (
    <>
      <SelectField
        id={id}
        at={at}
        label="Option"
        value={operand.optionId}
        options={choicesIn(options, operand.optionId)}
        onChoice={(optionId) => onEdit({ ...operand, optionId })}
      />
      <NumberField
        id={`${id}-rank`}
        at=""
        label="So many"
        value={operand.rank}
        onNumber={(rank) => onEdit({ ...operand, rank }, `${id}-rank`)}
      />
    </>
  );
}
