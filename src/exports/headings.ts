// Headings that people and statistics programs can read: a question's key, or one that is made from its prompt; and those of quotas and arms.

import { keyFrom } from "../nouns/question-types/entries.ts";

/** A heading for each question, all of them different. */
export function headingsOf(questions: readonly { key: string | null; prompt: string }[]): string[] {
  const taken = new Set(questions.flatMap(({ key }) => (key === null ? [] : [key])));
  const given = new Set<string>();
  const numbers = new Map<string, number>();
  return questions.map(({ key, prompt }, index) => {
    // A key that two publications gave to different questions is the heading of the newer one.
    const isFree = key !== null && !given.has(key);
    const heading = isFree ? key : unlike(taken, numbers, key ?? (keyFrom(prompt) || `question_${index + 1}`));
    given.add(heading);
    taken.add(heading);
    return heading;
  });
}

/** A column for each quota. One that is gone from the draft may have the name of another one. */
export function quotaColumns(quotas: readonly { id: number; uid: string; name: string }[]) {
  const headingOf = distinctHeadings("quotas");
  return quotas.map(({ id, uid, name }) => ({ id, heading: headingOf(name, uid), name }));
}

/** The arms that sessions have of an assignment, as a column. */
export interface ArmColumn {
  assignmentId: string;
  heading: string;
  name: string;
  /** The names of its arms by their ids, also of those that are gone from the draft. */
  arms: ReadonlyMap<string, string>;
}

/** A column for each assignment. One that is gone from the draft may have the name of another one. */
export function armColumns(
  arms: readonly { uid: string; name: string; assignmentUid: string; assignmentName: string }[],
): ArmColumn[] {
  const headingOf = distinctHeadings("arms");
  return [...Map.groupBy(arms, ({ assignmentUid }) => assignmentUid)].map(([assignmentId, ofIt]) => {
    const name = ofIt[0]!.assignmentName;
    return {
      assignmentId,
      heading: headingOf(name, assignmentId),
      name,
      arms: new Map(ofIt.map((arm) => [arm.uid, arm.name])),
    };
  });
}

/** Headings that begin with a word. Of two that would be the same, the second one has an id behind it. */
export function distinctHeadings(of: string): (name: string, uid: string) => string {
  const named = new Set<string>();
  return (name, uid) => {
    const heading = named.has(name) ? `${of}.${name} (${uid})` : `${of}.${name}`;
    named.add(name);
    return heading;
  };
}

/** The heading, with a number behind it if another one has it. @param numbers the last number of each heading */
function unlike(taken: ReadonlySet<string>, numbers: Map<string, number>, heading: string): string {
  let other = heading;
  let number = numbers.get(heading) ?? 1;
  while (taken.has(other)) other = `${heading}_${++number}`;
  numbers.set(heading, number);
  return other;
}
