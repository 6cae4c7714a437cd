// One comparison of a rule in the builder: with an answer, an attribute of the person, or an arm.

import type { JSX } from "preact";
import type { ArmAssignment } from "../../nouns/content/content.ts";
import { subjectOf } from "../../nouns/content/holds.ts";
import { type ArmComparison, type LeafCondition, quoted } from "../../nouns/question-types/comparisons.ts";
import type { Question } from "../../nouns/question-types/registry.ts";
import { AttributeKey } from "./attributes.tsx";
import {
  type Asked,
  askedIn,
  choicesOf,
  isEmpty,
  newArmComparison,
  newComparison,
  noteOn,
  type OfPerson,
  operatorOf,
  withOperator,
} from "./drafts/condition-parts.ts";
import { errorAt, SelectField } from "./inputs.tsx";
import { RuleValue } from "./rule-value.tsx";
import { startFresh } from "./state/draft.ts";

interface ComparisonProps {
  id: string;
  at: string;
  condition: LeafCondition;
  questions: readonly Question[];
  assignments: readonly ArmAssignment[];
  onEdit: (comparison: LeafCondition, mark: string) => void;
}

const ATTRIBUTE = "attribute";

/** What stands for a question, or for a row of it. */
const nameOf = (id: string, rowId: string | undefined) => (rowId === undefined ? id : `${id} ${rowId}`);

export function Comparison({ id, at, condition, questions, assignments, onEdit }: ComparisonProps): JSX.Element {
  const wrong = errorAt(at) ?? errorAt(`${at}/questionId`) ?? errorAt(`${at}/row`) ?? errorAt(`${at}/arm`);
  const row = "questionId" in condition ? condition.row : undefined;
  const subject = nameOf(subjectOf(condition) ?? ATTRIBUTE, row);
  const numbers = new Map(questions.map((one, index) => [one.id, index + 1]));
  const asked = askedIn(questions);
  const known = [
    ...asked.map(
      ({ question, rowId }) =>
        [nameOf(question.id, rowId), `${numbers.get(question.id)}. ${quoted(question.prompt)}`] as const,
    ),
    ...assignments.map(({ id: assignment, name }) => [assignment, `The arm of ${quoted(name)}`] as const),
    [ATTRIBUTE, "An attribute of the person"] as const,
  ];
  const isNew = isEmpty(condition);
  const isLost = !isNew && !known.some(([value]) => value === subject);
  const element = `${id}-comparison`;
  const choose = (value: string) => {
    const assignment = assignments.find((one) => one.id === value);
    const found = asked.find(({ question, rowId }) => nameOf(question.id, rowId) === value);
    // Its value is typed next: that it is missing is not an error yet.
    startFresh(at, element);
    onEdit(assignment ? newArmComparison(assignment) : newComparison(found), "");
  };
  return (
    <div id={element} class={wrong ? "comparison field-wrong" : "comparison"}>
      {wrong && <p class="error">The comparison {wrong}</p>}
      <SelectField
        id={`${id}-subject`}
        at=""
        label="Question"
        value={subject}
        options={[
          ...(isNew ? [["", "Choose a question"] as const] : []),
          ...(isLost ? [[subject, "Something that is not here"] as const] : []),
          ...known,
        ]}
        onChoice={choose}
      />
      {isLost || isNew ? null : "arm" in condition ? (
        <ArmValue id={`${id}-value`} at={`${at}/is`} condition={condition} assignments={assignments} onEdit={onEdit} />
      ) : (
        <Compared id={id} at={at} condition={condition} asked={asked} onEdit={onEdit} />
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
function Compared(props: PartProps<OfPerson> & { asked: readonly Asked[] }): JSX.Element {
  const { id, at, condition, asked, onEdit } = props;
  const isMeant = ({ question, rowId }: Asked) =>
    "questionId" in condition && question.id === condition.questionId && rowId === condition.row;
  const question = asked.find(isMeant)?.question;
  const note = noteOn(condition);
  return (
    <>
      {"attribute" in condition && (
        <AttributeKey
          id={`${id}-attribute`}
          at={`${at}/attribute`}
          value={condition.attribute}
          onText={(attribute, mark) => onEdit({ ...condition, attribute }, mark)}
        />
      )}
      <SelectField
        id={`${id}-operator`}
        at=""
        label="Comparison"
        {...(note !== undefined && { hint: note })}
        value={operatorOf(condition).choice}
        options={choicesOf(question)}
        onChoice={(next) => {
          startFresh(at, `${id}-comparison`);
          onEdit(withOperator(condition, next, question), "");
        }}
      />
      <RuleValue id={`${id}-value`} at={at} comparison={condition} question={question} onEdit={onEdit} />
    </>
  );
}
