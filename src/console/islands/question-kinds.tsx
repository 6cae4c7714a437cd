// What is particular to each type of question in the builder: its name, a new one, and its fields.

import type { JSX } from "preact";
import type { Common } from "../../question-types/question-type.ts";
import type { Question } from "../../question-types/registry.ts";
import { newLabel } from "./edits.ts";
import { Box, NumberField } from "./inputs.tsx";
import { Options } from "./options.tsx";

export type Kind = Question["_type"];
type Of<K extends Kind> = Extract<Question, { _type: K }>;

interface FieldsProps<Q> {
  question: Q;
  /** @param mark names the field */
  onEdit: (question: Q, mark: string) => void;
}

interface QuestionKind<Q> {
  name: string;
  /** A new one. @param former what it is made from */
  make: (common: Common, former: Question | undefined) => Q;
  Fields: (props: FieldsProps<Q>) => JSX.Element;
}

const optionsOf = (former: Question | undefined) =>
  former && "options" in former
    ? { options: former.options, allowsWriteIn: former.allowsWriteIn }
    : {
        options: [
          { id: newLabel(), text: "" },
          { id: newLabel(), text: "" },
        ],
        allowsWriteIn: false,
      };

const kinds: { [K in Kind]: QuestionKind<Of<K>> } = {
  ScreenerSingleSelectQuestion: {
    name: "One option",
    make: (common, former) => {
      const { options, allowsWriteIn } = optionsOf(former);
      const plain = options.map(({ id, text }) => ({ id, text }));
      return { _type: "ScreenerSingleSelectQuestion", ...common, options: plain, allowsWriteIn };
    },
    Fields: ({ question, onEdit }) => <Options question={question} isSeveral={false} onEdit={onEdit} />,
  },
  ScreenerMultiSelectQuestion: {
    name: "Several options",
    make: (common, former) => ({
      _type: "ScreenerMultiSelectQuestion",
      ...common,
      ...optionsOf(former),
      minChoices: null,
      maxChoices: null,
    }),
    Fields: ({ question, onEdit }) => (
      <>
        <Options question={question} isSeveral={true} onEdit={onEdit} />
        <Limits
          question={question}
          least={["minChoices", "At least so many", question.minChoices]}
          most={["maxChoices", "At most so many", question.maxChoices]}
          onEdit={onEdit}
        />
      </>
    ),
  },
  ScreenerNumericQuestion: {
    name: "Number",
    make: (common) => ({ _type: "ScreenerNumericQuestion", ...common, min: null, max: null, wholeNumber: true }),
    Fields: ({ question, onEdit }) => (
      <>
        <Limits
          question={question}
          least={["min", "Smallest number", question.min]}
          most={["max", "Largest number", question.max]}
          onEdit={onEdit}
        />
        <Box
          id={`${question.id}-whole`}
          label="Only whole numbers"
          isTicked={question.wholeNumber}
          onTick={(wholeNumber) => onEdit({ ...question, wholeNumber }, "")}
        />
      </>
    ),
  },
  ScreenerTextQuestion: {
    name: "Text",
    make: (common) => ({
      _type: "ScreenerTextQuestion",
      ...common,
      multiline: false,
      minLength: null,
      maxLength: null,
    }),
    Fields: ({ question, onEdit }) => (
      <>
        <Limits
          question={question}
          least={["minLength", "At least so many characters", question.minLength]}
          most={["maxLength", "At most so many characters", question.maxLength]}
          onEdit={onEdit}
        />
        <Box
          id={`${question.id}-lines`}
          label="Several lines"
          isTicked={question.multiline}
          onTick={(multiline) => onEdit({ ...question, multiline }, "")}
        />
      </>
    ),
  },
};

/** All types, with their names. */
export const kindNames = Object.entries(kinds).map(([kind, { name }]) => [kind as Kind, name] as const);

export const kindName = (kind: Kind): string => kinds[kind].name;

// A kind takes only its own questions, and we find it by their `_type`. The compiler can't check that.
const kindOf = (kind: Kind) => kinds[kind] as unknown as QuestionKind<Question>;

export function makeQuestion(kind: Kind, former?: Question): Question {
  const common: Common = {
    id: former?.id ?? newLabel(),
    key: former?.key ?? null,
    prompt: former?.prompt ?? "",
    helpText: former?.helpText ?? null,
    required: former?.required ?? true,
    showWhen: former?.showWhen ?? null,
  };
  return kindOf(kind).make(common, former);
}

export function KindFields({ question, onEdit }: FieldsProps<Question>): JSX.Element {
  const { Fields } = kindOf(question._type);
  return <Fields question={question} onEdit={onEdit} />;
}

type Limit<Q> = readonly [member: keyof Q & string, label: string, value: number | null];

interface LimitsProps<Q> {
  question: Q;
  least: Limit<Q>;
  most: Limit<Q>;
  onEdit: (question: Q, mark: string) => void;
}

function Limits<Q extends Question>({ question, least, most, onEdit }: LimitsProps<Q>): JSX.Element {
  const { id } = question;
  return (
    <div class="pair">
      {[least, most].map(([member, label, value]) => (
        <NumberField
          key={member}
          id={`${id}-${member}`}
          at={`q:${id}/${member}`}
          label={label}
          value={value}
          onNumber={(number) => onEdit({ ...question, [member]: number }, `${id}-${member}`)}
        />
      ))}
    </div>
  );
}
