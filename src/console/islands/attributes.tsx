// The attributes that people have, as rules of the builder name them: those that are known, what they are, and what may be meant.

import type { JSX } from "preact";
import { nearestKey } from "../../nouns/content/advice/warnings.ts";
import { quoted } from "../../nouns/question-types/comparisons.ts";
import { Button, TextField } from "./inputs.tsx";

/** As the service knows it. */
interface KnownAttribute {
  key: string;
  label: string | null;
  type?: "TEXT" | "NUMBER" | "DATE" | "BOOLEAN" | "CHOICE";
  values?: string[];
  examples: string[];
  isHad: boolean;
}

const known: readonly KnownAttribute[] = JSON.parse(document.getElementById("builder")?.dataset.attributes ?? "[]");
const keys = known.map(({ key }) => key);

/** Those whose types the workspace declares, with what people call them. If there are any, texts may refer to no others. */
export const declared = known.flatMap(({ key, label, type }) => (type ? [{ key, label: label ?? key }] : []));

const LIST = "known-attributes";

/** What fields with a key offer. */
export function AttributeList(): JSX.Element {
  return (
    <datalist id={LIST}>
      {known.map(({ key, label }) => (
        <option key={key} value={key}>
          {label ?? ""}
        </option>
      ))}
    </datalist>
  );
}

const TYPES = { TEXT: "a text", NUMBER: "a number", DATE: "a date", BOOLEAN: "true or false", CHOICE: "one of a list" };

/** What an attribute is, in words; or that nobody has it. */
function aboutAttribute(key: string): string | undefined {
  if (key === "") return keys.length ? "Choose one that people have, or type another one." : undefined;
  const found = known.find((one) => one.key === key);
  if (!found) return undefined;
  const { label, type, values = [], examples, isHad } = found;
  const said = values.length ? values.slice(0, 5) : examples;
  const parts = [
    [label, type && TYPES[type]].filter(Boolean).join(", "),
    said.length ? `For example: ${said.join(", ")}` : "",
    isHad ? "" : "Nobody has it yet",
  ];
  return (
    parts
      .filter(Boolean)
      .map((part) => `${part}.`)
      .join(" ") || undefined
  );
}

/** The values that an attribute can have, as far as they are known. */
export function valuesOf(key: string): readonly string[] {
  const { type, values, examples = [] } = known.find((one) => one.key === key) ?? {};
  return type === "BOOLEAN" ? ["true", "false"] : (values ?? examples);
}

interface KeyProps {
  id: string;
  at: string;
  value: string;
  onText: (key: string, mark: string) => void;
}

export function AttributeKey({ id, at, value, onText }: KeyProps): JSX.Element {
  const key = value.trim();
  const about = aboutAttribute(key);
  const isUnknown = key !== "" && !keys.includes(key);
  const near = isUnknown ? nearestKey(key, keys) : undefined;
  return (
    <>
      <TextField
        id={id}
        at={at}
        label="Attribute"
        list={LIST}
        {...(about !== undefined && { hint: about })}
        value={value}
        onText={(text) => onText(text, id)}
      />
      {isUnknown && (
        <div class="unknown-attribute" role="status">
          <p class="dead">
            {quoted(key)}: nobody has this.{near !== undefined && ` Did you mean ${quoted(near)}?`}
          </p>
          {near !== undefined && <Button onPress={() => onText(near, "")}>Use {near}</Button>}
        </div>
      )}
    </>
  );
}
