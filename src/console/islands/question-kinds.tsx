// What is particular to each type of question in the builder: its name, a new one, and its fields. Its card says all of it.

import type { JSX } from "preact";
import type { AnyCard, CardField, Limit } from "../../nouns/question-types/card.ts";
import type { Common } from "../../nouns/question-types/question-type.ts";
import { type Question, typeOf } from "../../nouns/question-types/registry.ts";
import type { SelectQuestion } from "../../nouns/question-types/select.ts";
import { newLabel } from "./edits.ts";
import { Box, NumberField, SelectField, TextField, TypedField } from "./inputs.tsx";
import { Options } from "./options.tsx";

export type Kind = Question["_type"];

/** A question by the names of its members: which there are, its card says. */
type Members = Record<string, unknown>;

const cards: Record<string, AnyCard> = JSON.parse(document.getElementById("builder")?.dataset.cards ?? "{}");

/** All types, with their names. */
export const kindNames = Object.entries(cards).map(([kind, { label }]) => [kind as Kind, label] as const);

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
  const options = fields.find((field) => field.has === "options");
  return { _type: kind, ...common, ...(options && optionsOf(former, options)), ...fresh } as Question;
}

type OptionsCard = Extract<CardField<Members>, { has: "options" }>;

function optionsOf(former: Question | undefined, { isSeveral, hasWriteIn }: OptionsCard) {
  const isSelect = former !== undefined && "options" in former;
  const options: SelectQuestion["options"] = isSelect ? former.options : [newOption(), newOption()];
  return {
    // Only where several may be chosen, an option can exclude others.
    options: isSeveral ? options : options.map(({ exclusive: _, ...option }) => option),
    ...(isSelect && former.shuffle && { shuffle: true }),
    ...(hasWriteIn && { allowsWriteIn: isSelect && "allowsWriteIn" in former && former.allowsWriteIn }),
  };
}

const newOption = () => ({ id: newLabel(), text: "" });

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
  if (field.has === "text") {
    const text = (values[field.member] as string | null | undefined) ?? null;
    if (field.onlyWith !== undefined && !values[field.onlyWith] && text === null) return null;
    return (
      <TextField
        id={`${id}-${field.member}`}
        at={`q:${id}/${field.member}`}
        label={field.label}
        {...(field.hint !== undefined && { hint: field.hint })}
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
