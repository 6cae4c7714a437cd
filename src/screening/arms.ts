// Gives a session its arms, in the transaction that writes the answers.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import { drawPosition, leastFull } from "../arms/draw.ts";
import { armsFrom, countForArms, countGiven, drawVersionOf, leaveArms, readySeed, shownArms } from "../arms/queries.ts";
import type { Change } from "../events/record.ts";
import { type Answers, isSeen, type ShownPage, shown } from "../nouns/content/answers.ts";
import { type Draws, drawArms, givenArms } from "../nouns/content/arms.ts";
import { hasRules, type PersonalContent } from "../nouns/content/content.ts";
import type { Facts } from "../nouns/content/holds.ts";
import { isScreenedOut } from "../nouns/content/judge.ts";
import { undrawnIn } from "../nouns/content/open.ts";
import { deadlineAfter, quotasWithoutRoom } from "../nouns/quotas/claim.ts";
import type { SessionRow } from "../nouns/sessions/queries.ts";

/** A content, with the arms of a session, and what is shown of it. */
export interface Seen {
  content: PersonalContent;
  pages: ShownPage[];
  counting: Facts;
}

interface Drawing {
  session: SessionRow;
  answers: Answers;
  /** Whether no answer is to come, unless an arm shows more. */
  complete: boolean;
  /** Whether the target is reached. */
  isReached: () => boolean;
}

interface Drawn {
  seen: Seen;
  /** The ids of the quotas because of which there is no arm for the session. */
  full: string[];
  /** JSON of all its arms, if it has new ones. */
  arms?: string;
}

/** Inside a transaction: draws what can be drawn by now. A session that is turned away whatever its arm is draws none. */
export function drawFor(db: Writer, seen: Seen, { session, answers, complete, isReached }: Drawing): Drawn {
  const { content, counting } = seen;
  const undrawn = new Set(undrawnIn(content, counting));
  if (!undrawn.size) return { seen, full: [] };
  if (complete && (isScreenedOut(content, counting, undrawn) || (hasRules(content) && isReached())))
    return { seen, full: [] };
  const { arms, full } = drawArms(content, answers, complete, drawsOf(db, session, content));
  const given = givenArms(arms);
  const isNew = given.size > counting.arms.size;
  const inOrder = content.assignments!.flatMap(({ id }) => (given.has(id) ? [[id, given.get(id)]] : []));
  const then = { ...content, arms };
  return {
    seen: { content: then, ...shown(then, answers) },
    full,
    ...(isNew && { arms: JSON.stringify(Object.fromEntries(inOrder)) }),
  };
}

function drawsOf(db: Writer, session: SessionRow, { assignments = [] }: PersonalContent): Draws {
  let chance: { seed: Uint8Array; version: number } | undefined;
  return {
    choose(assignment, arms) {
      chance ??= {
        seed: readySeed(db, session.screener_id, assignments),
        version: drawVersionOf(db, session.screener_publication_id),
      };
      const uids = arms.map(({ id }) => id);
      const best = assignment.pick === "RANDOM" ? uids : leastFull(uids, countGiven(db, uids, Date.now()));
      const drawing = { ...chance, sessionId: session.uid, assignmentId: assignment.id };
      return best[drawPosition(drawing, best.length)]!;
    },
    // A test takes no place, and finds none full.
    withoutRoom: (quotas) => (session.is_test ? [] : quotasWithoutRoom(db, quotas, session.participant_id)),
  };
}

/** What a session's event says of new arms. */
export function armChanges(db: Reader, session: SessionRow, arms: string | undefined): Change[] {
  return arms === undefined ? [] : [{ field: "arms", from: shownArms(db, session.arms), to: shownArms(db, arms) }];
}

/** Whether a person sees a page or a question that was not there before. */
export function showsMore(before: Seen, after: Seen): boolean {
  if (before === after) return false;
  const seen = new Set<object>(before.pages.flatMap(({ page, questions }) => [page, ...questions]));
  return after.pages.filter(isSeen).some(({ page, questions }) => [page, ...questions].some((one) => !seen.has(one)));
}

/** Inside a transaction: a session counts for its arms while it is in progress, and once it is completed unless it is turned away. */
export function countArms(
  db: Writer,
  session: Pick<SessionRow, "id" | "is_test" | "arms">,
  outcome: SessionRow["outcome"],
  holdMinutes: number,
): void {
  if (session.is_test || session.arms === null) return;
  if (outcome === "DISQUALIFIED") leaveArms(db, session.id);
  else countForArms(db, session.id, armsFrom(session.arms), outcome === null ? deadlineAfter(holdMinutes) : null);
}
