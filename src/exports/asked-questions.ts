// The questions of a study by the names that filters and columns have for them: which question of each version is meant.

import type { Reader } from "../../db/sqlite/connection.ts";
import { askedIn, type Content } from "../nouns/content/content.ts";
import { findPublishedJson } from "../nouns/content/queries.ts";
import { asRead } from "../nouns/content/sentences.ts";
import { listPublications } from "../nouns/publications/queries.ts";
import { partsOf, type Question } from "../nouns/question-types/registry.ts";
import { TableQuestions } from "./questions.ts";

/** A question of one version. */
interface AskedQuestion {
  publicationId: number;
  version: number;
  position: number;
  question: Question;
}

/** A question over all versions, as the table has it. */
export interface NamedQuestion {
  /** Its key, or its id if it has none. */
  name: string;
  page: string | null;
  /** In each version that has it, the newest first. */
  asked: AskedQuestion[];
}

export interface NamedQuestions {
  /** In the order of the newest version, then those that only older ones have. */
  list: NamedQuestion[];
  /** Also by the ids of its versions. */
  byName: ReadonlyMap<string, NamedQuestion>;
}

/** Reads whole contents, so call it in a thread. */
export function namedQuestions(db: Reader, screenerId: number): NamedQuestions {
  const table = new TableQuestions();
  const asked = new Map<number, AskedQuestion[]>();
  const byName = new Map<string, number>();
  for (const { id: publicationId, version } of listPublications(db, screenerId)) {
    const { pages } = asRead(JSON.parse(findPublishedJson(db, publicationId)) as Content);
    const indexes = table.add(pages, version);
    for (const [position, question] of pages.flatMap(askedIn).entries()) {
      const { question: index } = indexes[position]!;
      const versions = asked.get(index) ?? [];
      versions.push({ publicationId, version, position, question });
      asked.set(index, versions);
      byName.set(question.id, index);
    }
  }
  const list = table
    .lay({ headings: "KEYS", choices: "JOINED" })
    .list.map(({ heading: name, page }, index) => ({ name, page, asked: asked.get(index)! }));
  for (const [index, { name }] of list.entries()) byName.set(name, index);
  return { list, byName: new Map([...byName].map(([name, index]) => [name, list[index]!])) };
}

/** The ids of a question's parts, by what a filter may call them: their ids or their texts. */
export function partNames(question: Question): Map<string, string> {
  const parts = partsOf(question).flatMap(([, list]) => list);
  return new Map([...parts.map(({ id, text }) => [text, id] as const), ...parts.map(({ id }) => [id, id] as const)]);
}
