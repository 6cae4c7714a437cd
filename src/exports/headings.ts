// Headings that people and statistics programs can read: a question's key, or one that is made from its prompt; and those of quotas.

/** Long enough to know a question again, and short enough for a column. */
const MAX_LENGTH = 40;

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
  const named = new Set<string>();
  return quotas.map(({ id, uid, name }) => {
    const heading = named.has(name) ? `quotas.${name} (${uid})` : `quotas.${name}`;
    named.add(name);
    return { id, heading, name };
  });
}

/** Makes a key from a prompt: its first words in lower case, in the letters a to z. Empty if it has none of them. */
function keyFrom(prompt: string): string {
  const words =
    prompt
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let key = "";
  for (const word of words) {
    if (key && key.length + 1 + word.length > MAX_LENGTH) break;
    key = key ? `${key}_${word}` : word.slice(0, MAX_LENGTH);
  }
  return /^\d/.test(key) ? `q_${key}` : key;
}

/** The heading, with a number behind it if another one has it. @param numbers the last number of each heading */
function unlike(taken: ReadonlySet<string>, numbers: Map<string, number>, heading: string): string {
  let other = heading;
  let number = numbers.get(heading) ?? 1;
  while (taken.has(other)) other = `${heading}_${++number}`;
  numbers.set(heading, number);
  return other;
}
