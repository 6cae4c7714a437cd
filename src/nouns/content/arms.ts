// Which arms a session may be given, by the content, the answers so far and the quotas.

import type { ArmIds } from "../../arms/queries.ts";
import { type Answers, shown } from "./answers.ts";
import type { Arm, ArmAssignment, PersonalContent, Quota } from "./content.ts";
import { assignmentsIn, type Facts } from "./holds.ts";
import { openQuestions, truthOf } from "./open.ts";

/** Where a session draws its arms: in a store, or in a forecast. */
export interface Draws {
  /** One of these arms, by id. None of them is full. */
  choose(assignment: ArmAssignment, arms: readonly Arm[]): string;
  /** The ids of those of these quotas without room for the participant. */
  withoutRoom(quotas: readonly Quota[]): string[];
}

interface Drawn {
  /** With those that it had. */
  arms: ArmIds;
  /** The ids of the quotas because of which no arm of an assignment is open, in their order. */
  full: string[];
}

/** Stands for the arm where no arm of an assignment is for a session. It may be for another answer, so it is never kept. */
const NO_ARM = "";

/**
 * Gives a session an arm of each assignment that it has none of, as soon as all that its arms ask about is settled: answered, or not to be
 * shown any more, or without effect. An arm is open if its rule holds, and there is a place in each quota that asks for an arm of the
 * assignment and that the session would then be in. @param hasEnded whether questions that are shown and not answered are skipped
 * @param among of these assignments
 */
export function drawArms(
  content: PersonalContent,
  answers: Answers,
  hasEnded: boolean,
  draws: Draws,
  among = content.assignments ?? [],
): Drawn {
  const { quotas = [] } = content;
  // What a new arm shows is still to be answered.
  const known = hasEnded ? withSkipped(content, answers) : answers;
  const arms = new Map(content.arms);
  const full = new Set<string>();
  for (const assignment of among) {
    const { id } = assignment;
    if (arms.has(id)) continue;
    const now = knownWith(content, arms, known);
    const truths = assignment.arms.map(({ when }) => when === null || now.truthOf(when));
    if (truths.includes(undefined)) continue;
    const meant = assignment.arms.filter((_, index) => truths[index]);
    const about = quotas.filter(({ when }) => when && assignmentsIn(when).includes(id));
    const lacking = meant.map((arm) => {
      if (!about.length) return [];
      const then = knownWith(content, new Map(arms).set(id, arm.id), known);
      return draws.withoutRoom(about.filter(({ when }) => then.truthOf(when!)));
    });
    const open = meant.filter((_, index) => !lacking[index]!.length);
    if (open.length) arms.set(id, draws.choose(assignment, open));
    else if (meant.length) for (const quota of lacking.flat()) full.add(quota);
    else arms.set(id, NO_ARM);
  }
  return { arms, full: quotas.flatMap((quota) => (full.has(quota.id) ? [quota.id] : [])) };
}

/** Whether all arms of an assignment are closed by quotas before the first answer. */
export function isArmlessAtStart(content: PersonalContent, withoutRoom: Draws["withoutRoom"]): boolean {
  const draws: Draws = { choose: (_, arms) => arms[0]!.id, withoutRoom };
  const { assignments = [] } = content;
  return assignments.some((one) => drawArms(content, NO_ANSWERS, false, draws, [one]).full.length > 0);
}

const NO_ANSWERS: Answers = new Map();

/** What is known of a session with these arms. It is worked out once, and only where a condition asks. */
function knownWith(content: PersonalContent, arms: ArmIds, answers: Answers) {
  const then = { ...content, arms: new Map(arms) };
  let known: { counting: Facts; open: ReadonlySet<string> } | undefined;
  return {
    truthOf(condition: NonNullable<Quota["when"]>) {
      if (!known) {
        const { counting } = shown(then, answers);
        known = { counting, open: openQuestions(then, answers, counting, "NOT_GIVEN") };
      }
      return truthOf(condition, known.counting, known.open);
    },
  };
}

/** These answers, and that the other questions that are shown were skipped. */
function withSkipped(content: PersonalContent, answers: Answers): Answers {
  const all = new Map(answers);
  for (const { id } of shown(content, answers).pages.flatMap(({ questions }) => questions))
    if (!all.has(id)) all.set(id, null);
  return all;
}

/** The arms that are kept of a session. */
export function givenArms(arms: ArmIds): ArmIds {
  return new Map([...arms].filter(([, arm]) => arm !== NO_ARM));
}
