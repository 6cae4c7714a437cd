// Gives arms to people who are replayed, as sessions are given them, with counts in memory. Chance is another one: what comes next in a store
// is not to be foreseen.

import { DRAW_VERSION, drawPosition, leastFull } from "../arms/draw.ts";
import type { ArmIds } from "../arms/queries.ts";
import type { Answers } from "../nouns/content/answers.ts";
import { type Draws, drawArms } from "../nouns/content/arms.ts";
import type { ArmAssignment, PersonalContent } from "../nouns/content/content.ts";

/** A forecast of the same says the same. */
const SEED = Buffer.from("forecast");

export class ReplayedArms {
  /** How many have each arm, by its id. */
  readonly #given: Map<string, number>;
  /** The ids of the arms, by those of the assignments. */
  readonly #ids: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(assignments: readonly ArmAssignment[]) {
    this.#ids = new Map(assignments.map(({ id, arms }) => [id, new Set(arms.map((arm) => arm.id))]));
    this.#given = new Map(assignments.flatMap(({ arms }) => arms.map(({ id }) => [id, 0])));
  }

  /** Of the arms that somebody was given, those that the draft has. */
  known(arms: ArmIds): ArmIds {
    return new Map([...arms].filter(([assignment, arm]) => this.#ids.get(assignment)?.has(arm)));
  }

  draw(
    content: PersonalContent,
    answers: Answers,
    participant: number,
    withoutRoom: Draws["withoutRoom"],
  ): ReturnType<typeof drawArms> {
    const choose: Draws["choose"] = ({ id: assignmentId, pick }, arms) => {
      const ids = arms.map(({ id }) => id);
      const best = pick === "RANDOM" ? ids : leastFull(ids, this.#given);
      const drawing = { seed: SEED, version: DRAW_VERSION, sessionId: String(participant), assignmentId };
      return best[drawPosition(drawing, best.length)]!;
    };
    return drawArms(content, answers, false, { choose, withoutRoom });
  }

  /** Somebody who takes places counts for these arms. */
  count(arms: ArmIds): void {
    for (const arm of arms.values()) this.#given.set(arm, (this.#given.get(arm) ?? 0) + 1);
  }
}
