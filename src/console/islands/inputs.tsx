// Fields of the builder: each with its label, and with what the service finds wrong with it.

import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { TypedValue } from "../../nouns/question-types/comparisons.ts";
import { errors, isFresh } from "./state/draft.ts";
import { announceMove, keepFocus } from "./state/moving.ts";

/** What is wrong at a pointer. In what is just being added, nothing is wrong yet. */
export function errorAt(key: string): string | undefined {
  const message = errors.value.get(key);
  return message === undefined || isFresh(key) ? undefined : message;
}

interface FieldProps {
  id: string;
  label: string;
  /** Where its error is. */
  at: string;
  hint?: string | undefined;
}

function Field({ id, label, at, hint, children }: FieldProps & { children: ComponentChildren }): JSX.Element {
  const error = errorAt(at);
  return (
    <div class={error ? "field field-wrong" : "field"}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="note" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-fault`}>
          {label} {error}
        </p>
      )}
      {children}
    </div>
  );
}

function attributesOf({ id, at, hint }: FieldProps) {
  const error = errorAt(at);
  return {
    id,
    "data-at": at || undefined,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": [hint && `${id}-hint`, error && `${id}-fault`].filter(Boolean).join(" ") || undefined,
  };
}

export interface TextProps extends FieldProps {
  value: string | null;
  onText: (text: string) => void;
  rows?: number;
  /** The id of a list of what can be chosen instead of typing. */
  list?: string;
}

export function TextField({ value, onText, rows, list, ...field }: TextProps): JSX.Element {
  const attributes = {
    class: "entry",
    dir: "auto" as const,
    autocomplete: "off" as const,
    value: value ?? "",
    ...attributesOf(field),
  };
  return (
    <Field {...field}>
      {rows === undefined ? (
        <input type="text" list={list} {...attributes} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      ) : (
        <textarea rows={rows} {...attributes} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      )}
    </Field>
  );
}

interface NumberProps extends FieldProps {
  value: number | null;
  onNumber: (number: number | null) => void;
}

/** What was typed, as long as it means the value: otherwise the field would change the text while a person types, such as 0.0 before 0.05. */
export function useTyped(shown: string, isMeant: (typed: string) => boolean): { current: string } {
  const typed = useRef(shown);
  if (!isMeant(typed.current)) typed.current = shown;
  return typed;
}

export function NumberField({ value, onNumber, ...field }: NumberProps): JSX.Element {
  const numberOf = (text: string) => (text === "" ? null : Number(text));
  const typed = useTyped(String(value ?? ""), (text) => numberOf(text) === value);
  return (
    <Field {...field}>
      <input
        type="number"
        step="any"
        class="entry entry-number"
        value={typed.current}
        {...attributesOf(field)}
        onInput={({ currentTarget }) => {
          typed.current = currentTarget.value;
          onNumber(numberOf(typed.current));
        }}
      />
    </Field>
  );
}

interface TypedProps extends FieldProps {
  by: TypedValue;
  value: unknown;
  onValue: (value: unknown) => void;
}

/** A value of a type's own, typed as a text. */
export function TypedField({ by, value, onValue, ...field }: TypedProps): JSX.Element {
  const typed = useTyped(by.show(value), (text) => JSON.stringify(by.read(text)) === JSON.stringify(value));
  return (
    <TextField
      {...field}
      hint={by.hint}
      value={typed.current}
      onText={(text) => {
        typed.current = text;
        onValue(by.read(text));
      }}
    />
  );
}

interface SelectProps extends FieldProps {
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoice: (value: string) => void;
}

export function SelectField({ value, options, onChoice, ...field }: SelectProps): JSX.Element {
  return (
    <Field {...field}>
      <select
        class="entry"
        value={value}
        {...attributesOf(field)}
        onChange={({ currentTarget }) => onChoice(currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface BoxProps {
  id: string;
  label: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

export function Box({ id, label, isTicked, onTick }: BoxProps): JSX.Element {
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        checked={isTicked}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

interface ButtonProps {
  id?: string;
  /** Its subject, for people who use a screen reader. */
  about?: string;
  isOff?: boolean;
  onPress: (button: HTMLButtonElement) => void;
  children: ComponentChildren;
}

export function Button({ id, about, isOff = false, onPress, children }: ButtonProps): JSX.Element {
  return (
    <button
      class="button button-quiet button-small"
      type="button"
      id={id}
      // Not disabled: the focus would be lost when a button is pressed for the last time.
      aria-disabled={isOff ? "true" : undefined}
      onClick={({ currentTarget }) => {
        if (!isOff) onPress(currentTarget);
      }}
    >
      {children}
      {about && <span class="unseen"> {about}</span>}
    </button>
  );
}

interface MoveButtonsProps {
  about: string;
  index: number;
  /** How many there are. */
  of: number;
  /** By one position, up or down. */
  onMove: (by: 1 | -1) => void;
}

export function MoveButtons({ about, index, of, onMove }: MoveButtonsProps): JSX.Element {
  const move = (by: 1 | -1) => (button: HTMLButtonElement) => {
    onMove(by);
    announceMove(about, index + by, of);
    keepFocus(button);
  };
  return (
    <>
      <Button about={about} isOff={index === 0} onPress={move(-1)}>
        Up
      </Button>
      <Button about={about} isOff={index === of - 1} onPress={move(1)}>
        Down
      </Button>
    </>
  );
}
