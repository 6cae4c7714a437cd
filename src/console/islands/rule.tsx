// A rule in the builder: chosen comparison by comparison, and said as a sentence.

import type { JSX } from "preact";
import { conditionText, shortened } from "../../nouns/content/sentences.ts";
import { type Condition, type LeafCondition, MAX_DEPTH, quoted } from "../../nouns/question-types/comparisons.ts";
import type { Question } from "../../nouns/question-types/registry.ts";
import {
  choicesOf,
  type Group,
  groupOf,
  JOINS,
  type Join,
  joined,
  newComparison,
  operatorOf,
  withOperator,
} from "./condition-parts.ts";
import { withItem, without } from "./edits.ts";
import { Button, errorAt, SelectField, TextField } from "./inputs.tsx";
import { RuleValue } from "./rule-value.tsx";
import { deadEnds, errors, focusOn, startFresh } from "./state.ts";

interface RuleProps {
  /** Begins the ids of its fields. */
  id: string;
  /** Where its errors are. */
  at: string;
  /** What follows where it holds: `Screen out if`. */
  start: string;
  /** The text if there is no rule. */
  none: string;
  condition: Condition | null;
  /** The questions that it may be about. Asked for where there is a rule: then it is made anew with every change. */
  questions: () => readonly Question[];
  onEdit: (condition: Condition | null, mark: string) => void;
}

export function Rule({ id, at, start, none, condition, questions, onEdit }: RuleProps): JSX.Element {
  const first = () => {
    startFresh(at, `${id}-rule`);
    onEdit(newComparison(questions().at(-1)), "");
    focusOn(`${id}-subject`);
  };
  return (
    <fieldset class="field choices rule" id={`${id}-rule`}>
      <legend>{start} …</legend>
      {condition ? (
        <Present id={id} at={at} start={start} condition={condition} questions={questions()} onEdit={onEdit} />
      ) : (
        <>
          <p class="note">{none}</p>
          <Button id={`${id}-add`} about={start} onPress={first}>
            Add a rule
          </Button>
        </>
      )}
    </fieldset>
  );
}

type PresentProps = Pick<RuleProps, "start"> & Omit<PartProps, "depth">;

function Present({ id, at, start, condition, questions, onEdit }: PresentProps): JSX.Element {
  const wrong = errorAt(at);
  const isUnfinished = [...errors.value.keys()].some((key) => key.startsWith(at));
  const dead = isUnfinished ? undefined : deadEnds.value.get(at);
  const remove = () => {
    onEdit(null, "");
    focusOn(`${id}-add`);
  };
  return (
    <>
      {!isUnfinished && (
        <p class="sentence" dir="auto">
          {shortened(`${start} ${conditionText(condition, new Map(questions.map((one) => [one.id, one])))}`)}.
        </p>
      )}
      {dead && <p class="dead">{dead}</p>}
      {wrong && <p class="error">The rule {wrong}</p>}
      <Part id={id} at={at} depth={1} condition={condition} questions={questions} onEdit={onEdit} />
      <div class="tools">
        {!groupOf(condition) && <Add id={id} group={alone(condition)} questions={questions} onEdit={onEdit} />}
        <Button onPress={remove}>Remove the rule</Button>
      </div>
    </>
  );
}

/** One comparison as the list that it becomes when another one is added. */
const alone = (condition: Condition): Group => ({ join: "all", parts: [condition], pointer: "" });

interface PartProps {
  id: string;
  at: string;
  /** How deep it is nested: 1 is the rule itself. */
  depth: number;
  condition: Condition;
  questions: readonly Question[];
  onEdit: (condition: Condition | null, mark: string) => void;
}

function Part(props: PartProps): JSX.Element {
  const group = groupOf(props.condition);
  return group ? <Several {...props} group={group} /> : <One {...props} condition={props.condition as LeafCondition} />;
}

function Several({ id, at, depth, questions, onEdit, group }: PartProps & { group: Group }): JSX.Element {
  const { join, parts, pointer } = group;
  return (
    <div class="group">
      <SelectField
        id={`${id}-join`}
        at=""
        label="It holds when"
        value={join}
        options={JOINS}
        onChoice={(choice) => onEdit(joined(choice as Join, parts), "")}
      />
      <ul class="parts">
        {parts.map((part, index) => (
          // Parts have no ids. What they show comes from the rule alone.
          <li key={index}>
            <Part
              id={`${id}-${index}`}
              depth={depth + 1}
              at={`${at}${pointer}${pointer === "/not" ? "" : `/${index}`}`}
              condition={part}
              questions={questions}
              onEdit={(next, mark) =>
                onEdit(joined(join, next ? withItem(parts, index, next) : without(parts, index)), mark)
              }
            />
            <Button
              about={`comparison ${index + 1}`}
              onPress={() => {
                onEdit(joined(join, without(parts, index)), "");
                focusOn(parts.length > 2 ? `${id}-0-subject` : `${id}-subject`);
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div class="tools">
        <Add id={id} depth={depth} group={group} questions={questions} onEdit={onEdit} />
      </div>
    </div>
  );
}

interface AddProps extends Pick<PartProps, "id" | "questions" | "onEdit"> {
  group: Group;
  /** Undefined: a list in it makes no sense. */
  depth?: number;
}

/** The buttons that add to a list of comparisons. */
function Add({ id, depth, group: { join, parts }, questions, onEdit }: AddProps): JSX.Element {
  const add = (part: Condition, field: string) => {
    onEdit(joined(join, [...parts, part]), "");
    focusOn(`${id}-${parts.length}-${field}`);
  };
  const one = () => newComparison(questions.at(-1));
  return (
    <>
      <Button onPress={() => add(one(), "subject")}>Add a comparison</Button>
      {depth !== undefined && depth < MAX_DEPTH - 2 && (
        <Button onPress={() => add(join === "any" ? { all: [one(), one()] } : { any: [one(), one()] }, "join")}>
          Add a list of comparisons
        </Button>
      )}
    </>
  );
}

const ATTRIBUTE = "attribute";

function One({ id, at, condition, questions, onEdit }: PartProps & { condition: LeafCondition }): JSX.Element {
  const question = "questionId" in condition ? questions.find((one) => one.id === condition.questionId) : undefined;
  const isLost = "questionId" in condition && !question;
  const { choice } = operatorOf(condition);
  const wrong = errorAt(at) ?? errorAt(`${at}/questionId`);
  return (
    <div class={wrong ? "comparison field-wrong" : "comparison"}>
      {wrong && <p class="error">The comparison {wrong}</p>}
      <SelectField
        id={`${id}-subject`}
        at=""
        label="Question"
        value={"questionId" in condition ? condition.questionId : ATTRIBUTE}
        options={[
          ...(isLost ? [[condition.questionId, "A question that is not here"] as const] : []),
          ...questions.map((one, index) => [one.id, `${index + 1}. ${quoted(one.prompt)}`] as const),
          [ATTRIBUTE, "An attribute of the person"],
        ]}
        onChoice={(value) =>
          onEdit(newComparison(value === ATTRIBUTE ? undefined : questions.find((one) => one.id === value)), "")
        }
      />
      {"attribute" in condition && (
        <TextField
          id={`${id}-attribute`}
          at={`${at}/attribute`}
          label="Attribute"
          value={condition.attribute}
          onText={(attribute) => onEdit({ ...condition, attribute }, `${id}-attribute`)}
        />
      )}
      {!isLost && (
        <>
          <SelectField
            id={`${id}-operator`}
            at=""
            label="Comparison"
            value={choice}
            options={choicesOf(question)}
            onChoice={(next) => onEdit(withOperator(condition, next, question), "")}
          />
          <RuleValue id={`${id}-value`} at={at} comparison={condition} question={question} onEdit={onEdit} />
        </>
      )}
    </div>
  );
}
