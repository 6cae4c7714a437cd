// Splits sessions into groups: by the answers to a question, or to a row of it, by an attribute of the participants, by their arms, or by their places in a quota.

import type { Reader } from "../../db/sqlite/connection.ts";
import { type Question, typeOf } from "../nouns/question-types/registry.ts";
import { listPlacesOf } from "../nouns/quotas/place-queries.ts";
import { readAnswersTo } from "../nouns/responses/queries.ts";
import type { CountedSession } from "./sessions.ts";
import type { Study, StudyQuestion } from "./study.ts";

const MAX_GROUPS = 6;

/** The labels that are kept to be counted, in characters. What is answered later in other words than these is rare: "everybody else". */
const MAX_LABELS_LENGTH = 10_000_000;

/** Labels of sessions, by their position; undefined: none. */
type LabelsOf = (sessions: readonly CountedSession[]) => (string | undefined)[];

export interface Groups {
  /** The largest first. null: all the others. */
  list: { label: string | null; sessions: number }[];
  /** The group of each session, in the order in which they were given. */
  of: Uint8Array;
}

/** A quota by which they may be split. */
interface StudyQuota {
  id: number;
  uid: string;
}

/** How sessions are split. @returns undefined if the study has no such question, assignment or quota */
export function splitterOf(
  db: Reader,
  study: Study,
  quotas: readonly StudyQuota[],
  splitBy: string,
): LabelsOf | undefined {
  if (splitBy.startsWith(ARMS)) return armLabels(study, splitBy.slice(ARMS.length));
  if (splitBy.startsWith(QUOTAS)) return placeLabels(db, quotas, splitBy.slice(QUOTAS.length));
  if (splitBy.startsWith("attributes.")) return attributeLabels(db, splitBy.slice("attributes.".length));
  const [questionId, rowId] = splitBy.split(".");
  const index = study.questions.findIndex(({ id }) => id === questionId);
  const question = study.questions[index];
  const labelOf = question && (rowId === undefined ? answerLabel(question.versions) : rowLabel(question, rowId));
  return labelOf && answerLabels(db, study, index, labelOf);
}

/** @param slices of all sessions that are counted @param total how many they are, at most */
export function groupsOf(labelsOf: LabelsOf, slices: Iterable<readonly CountedSession[]>, total: number): Groups {
  const numbers = new Map<string, number>();
  const labels: string[] = [];
  const sizes: number[] = [];
  let length = 0;
  // The number of each session's label, from 1 on. 0: it has none.
  const numberOf = new Uint32Array(total);
  let sessions = 0;
  const number = (label: string | undefined): number => {
    if (label === undefined) return 0;
    let known = numbers.get(label);
    if (known === undefined) {
      if (length + label.length > MAX_LABELS_LENGTH) return 0;
      length += label.length;
      sizes.push(0);
      known = labels.push(label);
      numbers.set(label, known);
    }
    sizes[known - 1]!++;
    return known;
  };
  for (const slice of slices) for (const label of labelsOf(slice)) numberOf[sessions++] = number(label);
  return largest(labels, sizes, numberOf.subarray(0, sessions));
}

function largest(labels: readonly string[], sizes: readonly number[], numberOf: Uint32Array): Groups {
  const largest = labels
    .map((label, index) => ({ label, sessions: sizes[index]!, number: index + 1 }))
    .sort((one, other) => other.sessions - one.sessions || (one.label < other.label ? -1 : 1))
    .slice(0, MAX_GROUPS);
  const list: Groups["list"] = largest.map(({ label, sessions }) => ({ label, sessions }));
  const groupOf = new Uint8Array(labels.length + 1).fill(list.length);
  for (const [group, one] of largest.entries()) groupOf[one.number] = group;
  const others = numberOf.length - list.reduce((sum, { sessions }) => sum + sessions, 0);
  if (others) list.push({ label: null, sessions: others });
  return { list, of: Uint8Array.from(numberOf, (number) => groupOf[number]!) };
}

/** The values of an attribute. */
function attributeLabels(db: Reader, key: string): LabelsOf {
  return (sessions) => {
    const values = new Map(
      db
        .all<{ id: number; value: string }>(
          `SELECT p.id, CASE a.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE a.value END AS value FROM participant AS p, json_each(p.attributes) AS a
           WHERE p.id IN (SELECT value FROM json_each(?)) AND a.key = ?`,
          JSON.stringify(sessions.map(({ participant }) => participant)),
          key,
        )
        .map(({ id, value }) => [id, String(value)]),
    );
    return sessions.map(({ participant }) => values.get(participant));
  };
}

const QUOTAS = "quotas.";

/** TAKEN and HELD: the places in a quota. */
function placeLabels(db: Reader, quotas: readonly StudyQuota[], uid: string): LabelsOf | undefined {
  const quota = quotas.find((one) => one.uid === uid);
  if (!quota) return undefined;
  const now = Date.now();
  return (sessions) => {
    const places = listPlacesOf(
      db,
      sessions.map(({ id }) => id),
      now,
    );
    const states = new Map(places.flatMap((place) => (place.quota === quota.id ? [[place.session, place.state]] : [])));
    return sessions.map(({ id }) => states.get(id));
  };
}

const ARMS = "arms.";

/** The arms of an assignment. */
function armLabels({ assignments }: Study, id: string): LabelsOf | undefined {
  const assignment = assignments.get(id);
  if (!assignment) return undefined;
  return (sessions) =>
    sessions.map(({ arms }) => {
      const given = arms === null ? undefined : (JSON.parse(arms) as Record<string, string>)[id];
      return given === undefined ? undefined : assignment.arms.get(given);
    });
}

/** The label of an answer as it is shown, to one of a question's versions. */
type LabelOf = (shown: unknown, version: number) => string | undefined;

/** What was answered to a question. */
function answerLabels(db: Reader, study: Study, index: number, labelOf: LabelOf): LabelsOf {
  const positions = new Map(
    [...study.positions].map(([publication, { questions }]) => [publication, questions.indexOf(index)]),
  );
  return (sessions) => {
    const asked = sessions.map(({ id, publication }) => {
      const position = positions.get(publication)!;
      return { id, position: position < 0 ? undefined : position };
    });
    const labels = new Array<string | undefined>(sessions.length).fill(undefined);
    const answers = readAnswersTo(db, asked);
    for (let at = 0; at < answers.length; at += 2) {
      const [session, shown] = [answers[at] as number, answers[at + 1]];
      if (shown === null) continue;
      const { publication } = sessions[session]!;
      labels[session] = labelOf(shown, study.positions.get(publication)!.versions[asked[session]!.position!]!);
    }
    return labels;
  };
}

/** An answer as a label: in the words of the newest version, so that a corrected option stays one group. */
function answerLabel(versions: readonly Question[]): LabelOf {
  const type = typeOf(versions[0]!);
  const inNewestWords = type.inNewestWords?.(versions);
  return (shown, version) => String(type.cell(inNewestWords ? inNewestWords(shown, version) : shown));
}

/** The rows of a question as the newest version with them has them; of most types none. */
export function splitRowsOf({ versions }: StudyQuestion): { id: string; text: string }[] {
  const rows = versions.flatMap((version) => ("rows" in version ? version.rows : []));
  return [...Map.groupBy(rows, ({ id }) => id).values()].map(([newest]) => newest!);
}

/** What was answered in a row, in the words of the newest version. @returns undefined if there is no such row */
function rowLabel(question: StudyQuestion, rowId: string): LabelOf | undefined {
  const row = splitRowsOf(question).find(({ id }) => id === rowId);
  const { rows } = typeOf(question.versions[0]!);
  if (!row || !rows) return undefined;
  const labelOf = answerLabel(question.versions.map((version) => rows.question(version, row)));
  return (shown, version) => {
    const inRow = rows.shown(shown, rowId);
    return inRow === null ? undefined : labelOf(inRow, version);
  };
}
