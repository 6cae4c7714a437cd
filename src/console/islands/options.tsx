// The options of a select in the builder: typed one by one, or pasted as a list.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { SelectQuestion } from "../../nouns/question-types/select.ts";
import { moved, newLabel, pastedOptions, withFlag, withItem, without } from "./edits.ts";
import { Box, Button, errorAt, MoveButtons, TextField } from "./inputs.tsx";
import { focusOn } from "./state.ts";

interface OptionsProps<Q extends SelectQuestion> {
  question: Q;
  /** Whether people may choose several of them. */
  isSeveral: boolean;
  /** Whether people may write one of their own. */
  hasWriteIn: boolean;
  onEdit: (question: Q, mark: string) => void;
}

const fieldOf = (optionId: string) => `option-${optionId}`;

export function Options<Q extends SelectQuestion>({
  question,
  isSeveral,
  hasWriteIn,
  onEdit,
}: OptionsProps<Q>): JSX.Element {
  const { id, options, allowsWriteIn } = question;
  const edit = (next: SelectQuestion["options"], mark = "") => onEdit({ ...question, options: next }, mark);
  const add = () => {
    const option = { id: newLabel(), text: "" };
    edit([...options, option]);
    focusOn(fieldOf(option.id));
  };
  const missing = errorAt(`q:${id}/options`);
  return (
    <fieldset class="field choices">
      <legend>Options</legend>
      {missing && <p class="error">The list of options {missing}</p>}
      <ol class="options">
        {options.map((option, index) => {
          const name = option.text || `option ${index + 1}`;
          return (
            <li key={option.id}>
              <TextField
                id={fieldOf(option.id)}
                at={`q:${id}/options/${index}/text`}
                label={`Option ${index + 1}`}
                value={option.text}
                onText={(text) => edit(withItem(options, index, { ...option, text }), option.id)}
              />
              {isSeveral && (
                <Box
                  id={`exclusive-${option.id}`}
                  label="Excludes all others, as “None of these”"
                  isTicked={option.exclusive ?? false}
                  onTick={(isTicked) => edit(withItem(options, index, withFlag(option, "exclusive", isTicked)))}
                />
              )}
              {question.shuffle && (
                <Box
                  id={`fixed-${option.id}`}
                  label="Keeps its position"
                  isTicked={option.fixed ?? false}
                  onTick={(isTicked) => edit(withItem(options, index, withFlag(option, "fixed", isTicked)))}
                />
              )}
              <div class="tools">
                <MoveButtons
                  about={name}
                  index={index}
                  isLast={index === options.length - 1}
                  onMove={(by) => edit(moved(options, index, by))}
                />
                <Button
                  about={name}
                  onPress={() => {
                    const next = options[index + 1] ?? options[index - 1];
                    edit(without(options, index));
                    focusOn(next ? fieldOf(next.id) : `${id}-add-option`);
                  }}
                >
                  Remove
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      <Button id={`${id}-add-option`} onPress={add}>
        Add an option
      </Button>
      <Paste
        id={id}
        onPaste={(text) => {
          const kept = options.filter((option) => option.text.trim() !== "");
          const texts = pastedOptions(
            text,
            kept.map((option) => option.text),
          );
          edit([...kept, ...texts.map((one) => ({ id: newLabel(), text: one }))]);
        }}
      />
      <Box
        id={`${id}-shuffle`}
        label="Shuffle the options: each person sees them in an order by chance"
        isTicked={question.shuffle ?? false}
        onTick={(isTicked) => onEdit(withFlag(question, "shuffle", isTicked), "")}
      />
      {hasWriteIn && (
        <Box
          id={`${id}-write-in`}
          label="People can also write an answer of their own"
          isTicked={allowsWriteIn}
          onTick={(isTicked) => onEdit({ ...question, allowsWriteIn: isTicked }, "")}
        />
      )}
    </fieldset>
  );
}

function Paste({ id, onPaste }: { id: string; onPaste: (text: string) => void }): JSX.Element {
  const text = useSignal("");
  return (
    <details class="more">
      <summary>Paste a list of options</summary>
      <TextField
        id={`${id}-paste`}
        at=""
        label="One option in each line"
        hint="They come after the options that are there. What is there already is left out."
        rows={5}
        value={text.value}
        onText={(typed) => {
          text.value = typed;
        }}
      />
      <Button
        onPress={() => {
          onPaste(text.value);
          text.value = "";
        }}
      >
        Add these options
      </Button>
    </details>
  );
}
