// A rule in the builder: chosen comparison by comparison, and said as a sentence.

import type { JSX } from "preact";
import { hasBlank } from "../../nouns/content/advice/never.ts";
import type { ArmAssignment } from "../../nouns/content/content.ts";
import { ContentNames, conditionText, shortened } from "../../nouns/content/sentences.ts";
import { type Condition, type LeafCondition, MAX_DEPTH } from "../../nouns/question-types/comparisons.ts";
import type { Question } from "../../nouns/question-types/registry.ts";
import { Comparison } from "./comparison.tsx";
import {
  askedIn,
  emptyComparison,
  type Group,
  groupOf,
  JOINS,
  type Join,
  joined,
  newComparison,
} from "./drafts/condition-parts.ts";
import { withItem, without } from "./drafts/edits.ts";
import { Button, errorAt, SelectField } from "./inputs.tsx";
import { content, deadEnds, errors, focusOn, startFresh } from "./state/draft.ts";

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
  /** The assignments whose arms it may ask for. Missing: all. */
  assignments?: readonly ArmAssignment[];
  onEdit: (condition: Condition | null, mark: string) => void;
}

export function Rule({ id, at, start, none, condition, questions, assignments, onEdit }: RuleProps): JSX.Element {
  const first = () => {
    startFresh(at, `${id}-rule`);
    onEdit(newComparison(askedIn(questions()).at(-1)), "");
    focusOn(`${id}-subject`);
  };
  return (
    <fieldset class="field choices rule" id={`${id}-rule`}>
      <legend>{start} …</legend>
      {condition ? (
        <Present
          id={id}
          at={at}
          start={start}
          condition={condition}
          questions={questions()}
          assignments={assignments ?? content.value.assignments ?? []}
          onEdit={onEdit}
        />
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

function Present({ id, at, start, condition, questions, assignments, onEdit }: PresentProps): JSX.Element {
  const wrong = errorAt(at);
  const isUnfinished = hasBlank(condition) || [...errors.value.keys()].some((key) => key.startsWith(at));
  const dead = isUnfinished ? undefined : deadEnds.value.get(at);
  const remove = () => {
    onEdit(null, "");
    focusOn(`${id}-add`);
  };
  return (
    <>
      {!isUnfinished && (
        <p class="sentence" dir="auto">
          {shortened(`${start} ${conditionText(condition, new ContentNames({ pages: [{ questions }], assignments }))}`)}
          .
        </p>
      )}
      {dead && <p class="dead">{dead}</p>}
      {wrong && <p class="error">The rule {wrong}</p>}
      <Part
        id={id}
        at={at}
        depth={1}
        condition={condition}
        questions={questions}
        assignments={assignments}
        onEdit={onEdit}
      />
      <div class="tools">
        {!groupOf(condition) && <Add id={id} at={at} group={alone(condition)} onEdit={onEdit} />}
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
  assignments: readonly ArmAssignment[];
  onEdit: (condition: Condition | null, mark: string) => void;
}

function Part(props: PartProps): JSX.Element {
  const group = groupOf(props.condition);
  return group ? (
    <Several {...props} group={group} />
  ) : (
    <Comparison {...props} condition={props.condition as LeafCondition} />
  );
}

function Several({ id, at, depth, questions, assignments, onEdit, group }: PartProps & { group: Group }): JSX.Element {
  const { join, parts, pointer } = group;
  return (
    <div class="group">
      <SelectField
        id={`${id}-join`}
        at=""
        label="Match"
        value={join}
        options={JOINS}
        onChoice={(choice) => onEdit(joined(choice as Join, parts), "")}
      />
      <ul class="parts">
        {parts.map((part, index) => (
          // Parts have no ids. What they show comes from the rule alone.
          <li key={index} id={partOf(id, index)}>
            <Part
              id={`${id}-${index}`}
              depth={depth + 1}
              at={`${at}${pointer}${pointer === "/not" ? "" : `/${index}`}`}
              condition={part}
              questions={questions}
              assignments={assignments}
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
        <Add id={id} at={at} depth={depth} group={group} onEdit={onEdit} />
      </div>
    </div>
  );
}

/** The element of one of several parts. */
const partOf = (id: string, index: number) => `${id}-${index}-part`;

interface AddProps extends Pick<PartProps, "id" | "at" | "onEdit"> {
  group: Group;
  /** Undefined: a list in it makes no sense. */
  depth?: number;
}

/** The buttons that add to a list of comparisons. */
function Add({ id, at, depth, group: { join, parts }, onEdit }: AddProps): JSX.Element {
  const add = (part: Condition, field: string) => {
    const next = joined(join, [...parts, part])!;
    const number = parts.length;
    // What is missing in it is not an error until the focus has left it.
    startFresh(`${at}${groupOf(next)?.pointer ?? ""}/${number}`, partOf(id, number));
    onEdit(next, "");
    focusOn(`${id}-${number}-${field}`);
  };
  const one = emptyComparison;
  return (
    <>
      <Button onPress={() => add(one(), "subject")}>Add a comparison</Button>
      {depth !== undefined && depth < MAX_DEPTH - 2 && (
        <Button onPress={() => add(join === "any" ? { all: [one(), one()] } : { any: [one(), one()] }, "join")}>
          Add a group
        </Button>
      )}
    </>
  );
}
