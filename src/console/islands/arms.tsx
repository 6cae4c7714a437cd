// The arms of a draft in the builder: assignments, each of which gives people one of its arms.

import type { JSX } from "preact";
import { type Arm, type ArmAssignment, askedIn, MAX_ARMS, MAX_ASSIGNMENTS } from "../../nouns/content/content.ts";
import { moved, newArm, newAssignment, withAssignments, withItem, without } from "./drafts/edits.ts";
import { Button, errorAt, MoveButtons, SelectField, TextField } from "./inputs.tsx";
import { Rule } from "./rule.tsx";
import { change, content, contentAsRead, errors, focusOn, isFresh, startFresh } from "./state/draft.ts";

const assignmentsNow = () => content.value.assignments ?? [];

const changeAssignments = (assignments: ArmAssignment[], mark = "") =>
  change(withAssignments(content.value, assignments), mark);

const PICKS = [
  ["LEAST_FULL", "The arm that the fewest people have"],
  ["RANDOM", "Any arm, by even chance"],
] as const;

const nameField = (id: string) => `${id}-name`;
const cardOf = (id: string) => `card-${id}`;

export function ArmsEditor(): JSX.Element {
  const assignments = assignmentsNow();
  const wrong = errorAt("end/assignments");
  const add = () => {
    const assignment = newAssignment();
    startFresh(`a:${assignment.id}`, cardOf(assignment.id));
    changeAssignments([...assignments, assignment]);
    focusOn(nameField(assignment.id));
  };
  return (
    <>
      <section class="card">
        <h2 id="shown-page" tabIndex={-1}>
          Arms
        </h2>
        <p>
          Each person is given one arm of each assignment, such as one of several concepts or prices, and keeps it.
          Pages, questions and quotas can ask for the arm: choose “The arm of …” in their rules.
        </p>
        {wrong && <p class="error">The list of assignments {wrong}</p>}
        <Button id="add-assignment" onPress={add} isOff={assignments.length >= MAX_ASSIGNMENTS}>
          Add an assignment
        </Button>
      </section>
      <ol class="cards">
        {assignments.map((assignment, index) => (
          <AssignmentCard key={assignment.id} assignment={assignment} index={index} of={assignments.length} />
        ))}
      </ol>
    </>
  );
}

interface CardProps {
  assignment: ArmAssignment;
  index: number;
  /** How many there are. */
  of: number;
}

function AssignmentCard({ assignment, index, of }: CardProps): JSX.Element {
  const { id, arms, pick } = assignment;
  const at = `a:${id}`;
  const name = assignment.name || `assignment ${index + 1}`;
  const isWrong = !isFresh(at) && [...errors.value.keys()].some((key) => key.startsWith(`${at}/`));
  const armsError = errorAt(`${at}/arms`);
  const list = (next: (assignments: ArmAssignment[]) => ArmAssignment[]) => changeAssignments(next(assignmentsNow()));
  const edit = (next: Partial<ArmAssignment>, mark = "") =>
    changeAssignments(withItem(assignmentsNow(), index, { ...assignment, ...next }), mark);
  const addArm = () => {
    const arm = newArm("");
    startFresh(`r:${arm.id}`, cardOf(arm.id));
    edit({ arms: [...arms, arm] });
    focusOn(nameField(arm.id));
  };
  const remove = () => {
    list((all) => without(all, index));
    focusOn("add-assignment");
  };
  return (
    <li id={cardOf(id)} class={isWrong ? "card card-wrong" : "card"}>
      <div class="card-head">
        <h3 dir="auto">{assignment.name || `Assignment ${index + 1}`}</h3>
        <div class="tools">
          <MoveButtons about={name} index={index} of={of} onMove={(by) => list((all) => moved(all, index, by))} />
          <Button about={name} onPress={remove}>
            Remove
          </Button>
        </div>
      </div>
      <TextField
        id={nameField(id)}
        at={`${at}/name`}
        label="Name"
        hint="People who answer do not see it."
        value={assignment.name}
        onText={(text) => edit({ name: text }, nameField(id))}
      />
      <SelectField
        id={`${id}-pick`}
        at={`${at}/pick`}
        label="Give"
        value={pick}
        options={PICKS}
        onChoice={(choice) => edit({ pick: choice as ArmAssignment["pick"] })}
      />
      {armsError && <p class="error">The list of arms {armsError}</p>}
      <ol class="parts">
        {arms.map((arm, armIndex) => (
          <ArmFields
            key={arm.id}
            arm={arm}
            index={armIndex}
            earlier={assignmentsNow().slice(0, index)}
            onEdit={(next, mark) => edit({ arms: withItem(arms, armIndex, next) }, mark)}
            onRemove={() => {
              edit({ arms: without(arms, armIndex) });
              focusOn(`${id}-add-arm`);
            }}
          />
        ))}
      </ol>
      <Button id={`${id}-add-arm`} about={name} isOff={arms.length >= MAX_ARMS} onPress={addArm}>
        Add an arm
      </Button>
    </li>
  );
}

interface ArmProps {
  arm: Arm;
  index: number;
  /** The assignments before. */
  earlier: readonly ArmAssignment[];
  onEdit: (arm: Arm, mark: string) => void;
  onRemove: () => void;
}

function ArmFields({ arm, index, earlier, onEdit, onRemove }: ArmProps): JSX.Element {
  const { id, name, when } = arm;
  return (
    <li id={cardOf(id)}>
      <TextField
        id={nameField(id)}
        at={`r:${id}/name`}
        label={`Arm ${index + 1}`}
        value={name}
        onText={(text) => onEdit({ ...arm, name: text }, nameField(id))}
      />
      <Rule
        id={`${id}-when`}
        at={`r:${id}/when`}
        start="Given only if"
        none="Everybody may be given it."
        condition={when}
        questions={() => contentAsRead.value.pages.flatMap(askedIn)}
        assignments={earlier}
        onEdit={(condition, mark) => onEdit({ ...arm, when: condition }, mark)}
      />
      <Button about={name || `arm ${index + 1}`} onPress={onRemove}>
        Remove
      </Button>
    </li>
  );
}
