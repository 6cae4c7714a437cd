// The options of a select in the builder, or the rows or columns of a matrix: typed one by one, or pasted as a list.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { PARTS, type Part, type PartList } from "../../nouns/question-types/entries.ts";
import type { SelectQuestion } from "../../nouns/question-types/select.ts";
import { moved, newLabel, pastedOptions, withFlag, withItem, without } from "./drafts/edits.ts";
import { Box, Button, errorAt, MoveButtons, TextField } from "./inputs.tsx";
import { focusOn } from "./state/draft.ts";

interface OptionsProps<Q extends SelectQuestion> {
  question: Q;
  /** Whether people may choose several of them. */
  isSeveral: boolean;
  /** Whether people may write one of their own. */
  hasWriteIn: boolean;
  onEdit: (question: Q, mark: string) => void;
}

export function Options<Q extends SelectQuestion>({
  question,
  isSeveral,
  hasWriteIn,
  onEdit,
}: OptionsProps<Q>): JSX.Element {
  const { id, options, allowsWriteIn } = question;
  const edit = (next: SelectQuestion["options"], mark = "") => onEdit({ ...question, options: next }, mark);
  return (
    <PartsFields
      {...{ questionId: id, list: "options", legend: "Options", parts: options }}
      onEdit={edit}
      isShuffled={question.shuffle}
      more={(option, index) =>
        isSeveral && (
          <Box
            id={`exclusive-${option.id}`}
            label="Excludes all others, as “None of these”"
            isTicked={option.exclusive ?? false}
            onTick={(isTicked) => edit(withItem(options, index, withFlag(option, "exclusive", isTicked)))}
          />
        )
      }
    >
      <ShuffleBox {...{ question, list: "options" }} onEdit={(next) => onEdit(next, "")} />
      {hasWriteIn && (
        <Box
          id={`${id}-write-in`}
          label="People can also write an answer of their own"
          isTicked={allowsWriteIn}
          onTick={(isTicked) => onEdit({ ...question, allowsWriteIn: isTicked }, "")}
        />
      )}
    </PartsFields>
  );
}

interface ShuffleProps<Q> {
  question: Q;
  list: PartList;
  onEdit: (question: Q) => void;
}

export function ShuffleBox<Q extends { id: string; shuffle?: true | undefined }>(props: ShuffleProps<Q>): JSX.Element {
  const { question, list, onEdit } = props;
  return (
    <Box
      id={`${question.id}-shuffle`}
      label={`Shuffle the ${list}: each person sees them in an order by chance`}
      isTicked={question.shuffle ?? false}
      onTick={(isTicked) => onEdit(withFlag(question, "shuffle", isTicked))}
    />
  );
}

interface PartsProps<P extends Part> {
  questionId: string;
  list: PartList;
  legend: string;
  parts: readonly P[];
  /** @param mark names the field */
  onEdit: (parts: P[], mark?: string) => void;
  /** Whether they are shown in an order by chance. */
  isShuffled?: boolean | undefined;
  /** What a part has beside its text. */
  more?: (part: P, index: number) => ComponentChildren;
  children?: ComponentChildren;
}

const fieldOf = (partId: string) => `option-${partId}`;

/** The fields of one of the lists of a question's parts. */
export function PartsFields<P extends Part>(props: PartsProps<P>): JSX.Element {
  const { questionId, list, legend, parts, onEdit: edit, isShuffled, more, children } = props;
  const one = PARTS[list];
  const addButton = `${questionId}-add-${one}`;
  const fresh = (text: string) => ({ id: newLabel(), text }) as P;
  const add = () => {
    const part = fresh("");
    edit([...parts, part]);
    focusOn(fieldOf(part.id));
  };
  const missing = errorAt(`q:${questionId}/${list}`);
  return (
    <fieldset class="field choices">
      <legend>{legend}</legend>
      {missing && (
        <p class="error">
          The list of {list} {missing}
        </p>
      )}
      <ol class="options">
        {parts.map((part, index) => {
          const name = part.text || `${one} ${index + 1}`;
          return (
            <li key={part.id}>
              <TextField
                id={fieldOf(part.id)}
                at={`q:${questionId}/${list}/${index}/text`}
                label={`${capital(one)} ${index + 1}`}
                value={part.text}
                onText={(text) => edit(withItem(parts, index, { ...part, text }), part.id)}
              />
              {more?.(part, index)}
              {isShuffled && (
                <Box
                  id={`fixed-${part.id}`}
                  label="Keeps its position"
                  isTicked={part.fixed ?? false}
                  onTick={(isTicked) => edit(withItem(parts, index, withFlag(part, "fixed", isTicked)))}
                />
              )}
              <div class="tools">
                <MoveButtons
                  about={name}
                  index={index}
                  of={parts.length}
                  onMove={(by) => edit(moved(parts, index, by))}
                />
                <Button
                  about={name}
                  onPress={() => {
                    const next = parts[index + 1] ?? parts[index - 1];
                    edit(without(parts, index));
                    focusOn(next ? fieldOf(next.id) : addButton);
                  }}
                >
                  Remove
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      <Button id={addButton} onPress={add}>
        Add {one === "option" ? "an" : "a"} {one}
      </Button>
      <Paste
        id={`${questionId}-paste-${list}`}
        {...{ list, one }}
        onPaste={(text) => {
          const kept = parts.filter((part) => part.text.trim() !== "");
          const texts = pastedOptions(
            text,
            kept.map((part) => part.text),
          );
          edit([...kept, ...texts.map(fresh)]);
        }}
      />
      {children}
    </fieldset>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

interface PasteProps {
  id: string;
  list: PartList;
  /** What a part is called. */
  one: string;
  onPaste: (text: string) => void;
}

function Paste({ id, list, one, onPaste }: PasteProps): JSX.Element {
  const text = useSignal("");
  return (
    <details class="more">
      <summary>Paste a list of {list}</summary>
      <TextField
        id={id}
        at=""
        label={`One ${one} in each line`}
        hint={`They come after the ${list} that are there. What is there already is left out.`}
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
        Add these {list}
      </Button>
    </details>
  );
}
