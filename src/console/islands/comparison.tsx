// One comparison of a rule in the builder: with an answer, an attribute of the person, or an arm.

import type { JSX } from "preact";
import type { ArmAssignment } from "../../nouns/content/content.ts";
import { subjectOf } from "../../nouns/content/holds.ts";
import { type ArmComparison, type LeafCondition, quoted } from "../../nouns/question-types/comparisons.ts";
import type { Question } from "../../nouns/question-types/registry.ts";
import {
  choicesOf,
  newArmComparison,
  newComparison,
  noteOn,
  type OfPerson,
  operatorOf,
  withOperator,
} from "./condition-parts.ts";
import { errorAt, SelectField, TextField } from "./inputs.tsx";
import { RuleValue } from "./rule-value.tsx";

interface ComparisonProps {
  id: string;
  at: string;
  condition: LeafCondition;
  questions: readonly Question[];
  assignments: readonly ArmAssignment[];
  onEdit: (comparison: LeafCondition, mark: string) => void;
}

const ATTRIBUTE = "attribute";

export function Comparison({ id, at, condition, questions, assignments, onEdit }: ComparisonProps): JSX.Element {
  const wrong = errorAt(at) ?? errorAt(`${at}/questionId`) ?? errorAt(`${at}/arm`);
  const subject = subjectOf(condition) ?? ATTRIBUTE;
  const known = [
    ...questions.map((one, index) => [one.id, `${index + 1}. ${quoted(one.prompt)}`] as const),
    ...assignments.map(({ id: assignment, name }) => [assignment, `The arm of ${quoted(name)}`] as const),
    [ATTRIBUTE, "An attribute of the person"] as const,
  ];
  const isLost = !known.some(([value]) => value === subject);
  const choose = (value: string) => {
    const assignment = assignments.find((one) => one.id === value);
    onEdit(assignment ? newArmComparison(assignment) : newComparison(questions.find((one) => one.id === value)), "");
  };
  return (
    <div class={wrong ? "comparison field-wrong" : "comparison"}>
      {wrong && <p class="error">The comparison {wrong}</p>}
      <SelectField
        id={`${id}-subject`}
        at=""
        label="Question"
        value={subject}
        options={[...(isLost ? [[subject, "Something that is not here"] as const] : []), ...known]}
        onChoice={choose}
      />
      {isLost ? null : "arm" in condition ? (
        <ArmValue id={`${id}-value`} at={`${at}/is`} condition={condition} assignments={assignments} onEdit={onEdit} />
      ) : (
        <Compared id={id} at={at} condition={condition} questions={questions} onEdit={onEdit} />
      )}
    </div>
  );
}

type PartProps<Compared> = Pick<ComparisonProps, "id" | "at" | "onEdit"> & { condition: Compared };

function ArmValue(props: PartProps<ArmComparison> & Pick<ComparisonProps, "assignments">): JSX.Element {
  const { id, at, condition, assignments, onEdit } = props;
  const { arms = [] } = assignments.find((one) => one.id === condition.arm) ?? {};
  const isLost = !arms.some((arm) => arm.id === condition.is);
  return (
    <SelectField
      id={id}
      at={at}
      label="Arm"
      value={condition.is}
      options={[
        ...(isLost ? [[condition.is, "An arm that is not here"] as const] : []),
        ...arms.map((arm, index) => [arm.id, arm.name || `Arm ${index + 1}`] as const),
      ]}
      onChoice={(is) => onEdit({ ...condition, is }, "")}
    />
  );
}

/** The operator and the value of a comparison with an answer or an attribute. */
function Compared(props: PartProps<OfPerson> & Pick<ComparisonProps, "questions">): JSX.Element {
  const { id, at, condition, questions, onEdit } = props;
  const question = "questionId" in condition ? questions.find((one) => one.id === condition.questionId) : undefined;
  const note = noteOn(condition);
  return (
    <>
      {"attribute" in condition && (
        <TextField
          id={`${id}-attribute`}
          at={`${at}/attribute`}
          label="Attribute"
          value={condition.attribute}
          onText={(attribute) => onEdit({ ...condition, attribute }, `${id}-attribute`)}
        />
      )}
      <SelectField
        id={`${id}-operator`}
        at=""
        label="Comparison"
        {...(note !== undefined && { hint: note })}
        value={operatorOf(condition).choice}
        options={choicesOf(question)}
        onChoice={(next) => onEdit(withOperator(condition, next, question), "")}
      />
      <RuleValue id={`${id}-value`} at={at} comparison={condition} question={question} onEdit={onEdit} />
    </>
  );
}
