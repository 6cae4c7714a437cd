// Reads the assignments to arms of a draft. Their ids are known before the pages are read, because conditions of pages may ask for arms;
// who may be given an arm is read after them.

import type * as v from "valibot";
import { newId } from "../../base/ids.ts";
import type { ProblemDetail } from "../../base/problems.ts";
import { ArmInput, AssignmentShell } from "./arms-resource.ts";
import { type KnownAssignment, readCondition, type Scope } from "./conditions/conditions.ts";
import type { Arm, ArmAssignment, Content } from "./content.ts";
import { MAX_ARMS } from "./content.ts";
import { assignmentsIn, questionsIn } from "./holds.ts";
import { elements, labelOf, members } from "./incomplete/raw.ts";

/** Arms that were drafted or published: the ids of their assignments by their own. */
export type KnownArms = ReadonlyMap<string, string>;

/** What a draft and its assignments have in common while they are read. */
interface Reading {
  scope: Scope;
  errors: ProblemDetail[];
  piece<Schema extends v.GenericSchema>(schema: Schema, value: unknown, at: string): v.InferOutput<Schema> | undefined;
}

interface Named {
  position: number;
  raw: unknown;
  at: string;
  id: string;
  arms: { raw: unknown; at: string; id: string }[];
}

export class DraftAssignments {
  /** By every id or label that an author may use. */
  readonly known: ReadonlyMap<string, KnownAssignment>;
  readonly #all: readonly Named[];

  /** @param kept the arms whose ids stay. Adds to `errors` what is wrong with ids */
  constructor(raw: readonly unknown[], kept: KnownArms, errors: ProblemDetail[]) {
    const assignmentIds = new Set(kept.values());
    const known = new Map<string, KnownAssignment>();
    this.#all = raw.flatMap((assignment, position) => {
      if (assignment === undefined) return [];
      const at = `/assignments/${position}`;
      const label = labelOf(assignment);
      if (label && known.has(label)) errors.push({ pointer: `${at}/id`, message: "is given twice" });
      const id = label && assignmentIds.has(label) && !known.has(label) ? label : newId();
      const armIds = new Map<string, string>();
      const arms = elements(members(assignment).arms)
        .slice(0, MAX_ARMS)
        .map((arm, index) => {
          const armLabel = labelOf(arm);
          const isTwice = armLabel !== undefined && armIds.has(armLabel);
          if (isTwice) errors.push({ pointer: `${at}/arms/${index}/id`, message: "is given twice" });
          const armId = armLabel && kept.get(armLabel) === id && !isTwice ? armLabel : newId();
          armIds.set(armId, armId);
          if (armLabel && !isTwice) armIds.set(armLabel, armId);
          return { raw: arm, at: `${at}/arms/${index}`, id: armId };
        });
      const one = { id, position, armIds };
      if (label && !known.has(label)) known.set(label, one);
      known.set(id, one);
      return [{ position, raw: assignment, at, id, arms }];
    });
    this.known = known;
  }

  /** Call it when the pages are read. */
  read(pages: Content["pages"], reading: Reading): ArmAssignment[] {
    const shownBy = armsBehind(pages);
    const names = new Set<string>();
    return this.#all.flatMap(({ position, raw, at, id, arms }) => {
      const { scope, errors, piece } = reading;
      const input = piece(AssignmentShell, raw, at);
      uniqueName(raw, at, names, "is another assignment's name", errors);
      const before = { ...scopeOf(scope), assignmentsBefore: position };
      const isLater = (other: string) => (this.known.get(other)?.position ?? 0) >= position;
      const armNames = new Set<string>();
      const read = arms.flatMap((arm): Arm[] => {
        const shell = piece(ArmInput, arm.raw, arm.at);
        uniqueName(arm.raw, arm.at, armNames, "is another arm's name in this assignment", errors);
        const found = errors.length;
        const when = readCondition(members(arm.raw).when, `${arm.at}/when`, before, errors);
        scope.parts = before.parts;
        const isCircle =
          when && errors.length === found && questionsIn(when).some((asked) => shownBy.get(asked)?.some(isLater));
        if (isCircle)
          errors.push({
            pointer: `${arm.at}/when`,
            message: "refers to a question that is shown by an arm of this assignment or of a later one",
          });
        return shell ? [{ id: arm.id, name: shell.name, when }] : [];
      });
      return input ? [{ id, name: input.name, pick: input.pick ?? "LEAST_FULL", arms: read }] : [];
    });
  }
}

const scopeOf = ({ earlier, all, statements, invalid, assignments, parts }: Scope) => ({
  earlier,
  all,
  statements,
  invalid,
  assignments,
  parts,
});

function uniqueName(raw: unknown, at: string, names: Set<string>, message: string, errors: ProblemDetail[]): void {
  const { name } = members(raw);
  const trimmed = typeof name === "string" ? name.trim() : "";
  if (names.has(trimmed)) errors.push({ pointer: `${at}/name`, message });
  if (trimmed) names.add(trimmed);
}

/** The assignments on whose arms it depends whether a question is shown, by the question's id. */
function armsBehind(pages: Content["pages"]): Map<string, string[]> {
  const behind = new Map<string, string[]>();
  for (const page of pages)
    for (const { id, showWhen } of page.questions) {
      const conditions = [page.showWhen, showWhen].filter((one) => one !== null);
      const found = new Set(conditions.flatMap(assignmentsIn));
      for (const asked of conditions.flatMap(questionsIn)) for (const one of behind.get(asked) ?? []) found.add(one);
      if (found.size) behind.set(id, [...found]);
    }
  return behind;
}
