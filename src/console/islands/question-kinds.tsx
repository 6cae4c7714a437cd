// What is particular to each type of question in the builder: its name, a new one, and its fields. Its card says all of it.

import type { JSX } from "preact";
import type { AnyCard, CardField, Limit } from "../../nouns/question-types/card.ts";
import type { Part } from "../../nouns/question-types/entries.ts";
import type { Common } from "../../nouns/question-types/question-type.ts";
import { partsOf, type Question, typeOf } from "../../nouns/question-types/registry.ts";
import type { SelectQuestion } from "../../nouns/question-types/select.ts";
import { newLabel } from "./drafts/edits.ts";
import { Box, NumberField, SelectField, TextField, TypedField } from "./inputs.tsx";
import { Options, PartsFields, ShuffleBox } from "./options.tsx";

export type Kind = Question["_type"];

/** A question by the names of its members: which there are, its card says. */
type Members = Record<string, unknown>;

const cards: Record<string, AnyCard> = JSON.parse(document.getElementById("builder")?.dataset.cards ?? "{}");

/** All types, with their names. */
export const kindNames = Object.entries(cards).map(([kind, { label }]) => [kind as Kind, label] as const);

/** What a type is called. */
export const nameOfKind = (kind: Kind): string => cards[kind]?.label ?? "";

/** A new question. @param former what it is made from */
export function makeQuestion(kind: Kind, former?: Question): Question {
  const { fresh, fields } = cards[kind]!;
  const common: Common = {
    id: former?.id ?? newLabel(),
    key: former?.key ?? null,
    prompt: former?.prompt ?? "",
    helpText: former?.helpText ?? null,
    required: former?.required ?? true,
    showWhen: former?.showWhen ?? null,
    ...(former?.fixed && { fixed: true }),
  };
  return { _type: kind, ...common, ...partsFrom(former, fields), ...fresh } as Question;
}

/** The lists of parts of a new question, with those of the former one. What can be chosen are options of one type, and columns of another. */
function partsFrom(former: Question | undefined, fields: AnyCard["fields"]): Members {
  const lists = new Map(former ? partsOf(former) : []);
  const choices = lists.get("options") ?? lists.get("columns");
  return Object.assign(
    {},
    ...fields.map((field) => {
      if (field.has === "options") return optionsOf(former, choices, field);
      if (field.has !== "parts") return {};
      return {
        [field.member]: (field.member === "columns" ? choices : lists.get(field.member))?.map(plain) ?? twoNew(),
      };
    }),
  );
}

type OptionsCard = Extract<CardField<Members>, { has: "options" }>;

function optionsOf(former: Question | undefined, choices: readonly Part[] | undefined, card: OptionsCard): Members {
  const options = choices ?? twoNew();
  return {
    // Only where several may be chosen, an option can exclude others.
    options: card.isSeveral ? options : options.map(plain),
    ...(former && "shuffle" in former && former.shuffle && { shuffle: true }),
    ...(card.hasWriteIn && {
      allowsWriteIn: former !== undefined && "allowsWriteIn" in former && former.allowsWriteIn,
    }),
  };
}

const plain = ({ id, text, fixed }: Part) => ({ id, text, ...(fixed && { fixed }) });
const twoNew = () => ["", ""].map((text) => ({ id: newLabel(), text }));

interface FieldsProps {
  question: Question;
  /** @param mark names the field */
  onEdit: (question: Question, mark: string) => void;
}

export function KindFields({ question, onEdit }: FieldsProps): JSX.Element {
  return (
    <>
      {cards[question._type]!.fields.map((field) => (
        <KindField key={nameOf(field)} {...{ field, question, onEdit }} />
      ))}
    </>
  );
}

const nameOf = (field: CardField<Members>) => ("member" in field ? field.member : field.has);

function KindField({ field, question, onEdit }: FieldsProps & { field: CardField<Members> }): JSX.Element | null {
  const values = question as unknown as Members;
  const set = (member: string, value: unknown, mark: string) =>
    onEdit({ ...question, [member]: value } as Question, mark);
  if (field.has === "options")
    return (
      <Options
        question={question as Question & SelectQuestion}
        isSeveral={field.isSeveral}
        hasWriteIn={field.hasWriteIn}
        onEdit={onEdit as (question: SelectQuestion, mark: string) => void}
      />
    );
  if (field.has === "box")
    return (
      <Box
        id={`${question.id}-${field.member}`}
        label={field.label}
        isTicked={values[field.member] === true}
        onTick={(isTicked) => set(field.member, isTicked, "")}
      />
    );
  const { id } = question;
  if (field.has === "parts") {
    const { member, legend } = field;
    const isShuffled = typeOf(question).shuffledList === member;
    const { shuffle } = question as { shuffle?: true };
    return (
      <PartsFields
        {...{ questionId: id, list: member, legend, parts: values[member] as Part[] }}
        isShuffled={isShuffled && shuffle}
        onEdit={(parts, mark = "") => set(member, parts, mark)}
      >
        {isShuffled && <ShuffleBox {...{ question, list: member }} onEdit={(next) => onEdit(next, "")} />}
      </PartsFields>
    );
  }
  if (field.has === "text") {
    const text = (values[field.member] as string | null | undefined) ?? null;
    if (field.onlyWith !== undefined && !values[field.onlyWith] && text === null) return null;
    return (
      <TextField
        id={`${id}-${field.member}`}
        at={`q:${id}/${field.member}`}
        label={field.label}
        {...(field.hint !== undefined && { hint: field.hint })}
        {...(field.rows !== undefined && { rows: field.rows })}
        value={text}
        onText={(typed) => set(field.member, typed || null, `${id}-${field.member}`)}
      />
    );
  }
  if (field.has === "typed") {
    const { member, label } = field;
    const by = typeOf(question).typedMembers![member]!;
    const mark = `${id}-${member}`;
    return (
      <TypedField
        id={mark}
        at={`q:${id}/${member}`}
        label={label}
        by={by}
        value={values[member]}
        onValue={(value) => set(member, value, mark)}
      />
    );
  }
  if (field.has === "choice")
    return (
      <SelectField
        id={`${id}-${field.member}`}
        at={`q:${id}/${field.member}`}
        label={field.label}
        value={String(values[field.member] ?? field.options[0]!.value ?? "")}
        options={field.options.map(({ value, label }) => [value ?? "", label] as const)}
        onChoice={(choice) => {
          const { value = choice, sets } = field.options.find((one) => (one.value ?? "") === choice) ?? {};
          onEdit({ ...question, [field.member]: value, ...sets } as Question, "");
        }}
      />
    );
  return (
    <div class="pair">
      {[field.least, field.most].map(([member, label]: Limit<Members>) => (
        <NumberField
          key={member}
          id={`${id}-${member}`}
          at={`q:${id}/${member}`}
          label={label}
          value={values[member] as number | null}
          onNumber={(number) => set(member, number, `${id}-${member}`)}
        />
      ))}
    </div>
  );
}
