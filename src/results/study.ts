// The questions and pages of a study over its versions: what has the same id is the same.

import type { Reader } from "../../db/sqlite/connection.ts";
import { askedIn, type Content } from "../nouns/content/content.ts";
import { findPublishedJson } from "../nouns/content/queries.ts";
import { asRead } from "../nouns/content/sentences.ts";
import type { Question } from "../nouns/question-types/registry.ts";
import type { QuestionVersions } from "./results.ts";

/** How many former wordings of a question are shown. */
const MAX_FORMER_PROMPTS = 20;

/** A wording, and the first and last version in a row that have it. */
interface Wording {
  prompt: string;
  fromVersion: number;
  toVersion: number;
}

interface StudyPage {
  id: string;
  title: string | null;
  /** The last version with it; null: the newest. */
  lastVersion: number | null;
}

/** A question. One whose type was changed is another one from then on. */
export interface StudyQuestion {
  id: string;
  pageId: string;
  /** As the versions have it, without those that say the same; the newest first. */
  versions: Question[];
  /** The newest first. */
  wordings: Wording[];
  lastVersion: number | null;
}

interface StudyAssignment {
  name: string;
  /** The names of its arms, all of them different, by their ids. */
  arms: Map<string, string>;
}

/** An arm that is gone may have had the name of another one. */
function labelOf({ arms }: StudyAssignment, { id, name }: { id: string; name: string }): string {
  return [...arms.values()].includes(name) ? `${name} (${id})` : name;
}

/** What the positions in a publication stand for in the study. */
export interface Positions {
  /** The question at a position, and which of its versions is asked there. */
  questions: readonly number[];
  versions: readonly number[];
  /** The page of the question at a position, and the page at an index. */
  pageOf: readonly number[];
  pages: readonly number[];
}

export class Study {
  readonly pages: StudyPage[] = [];
  readonly questions: StudyQuestion[] = [];
  /** The assignments to arms, by id: those of the newest version first. */
  readonly assignments = new Map<string, StudyAssignment>();
  /** By rowid of the publication. */
  readonly positions = new Map<number, Positions>();
  readonly #pages = new Map<string, number>();
  readonly #questions = new Map<string, number>();
  /** For each question, its versions by what they say. */
  readonly #texts: Map<string, number>[] = [];

  /** Adds a publication. The newest comes first: what only later ones add stands behind. */
  add(publication: { id: number; version: number }, { pages, assignments = [] }: Content): void {
    for (const { id, name, arms } of assignments) {
      const known = this.assignments.get(id) ?? { name, arms: new Map() };
      for (const arm of arms) if (!known.arms.has(arm.id)) known.arms.set(arm.id, labelOf(known, arm));
      this.assignments.set(id, known);
    }
    const { id, version } = publication;
    const lastVersion = this.positions.size ? version : null;
    const indexes = pages.map((page) => this.#page(page, lastVersion));
    const asked = pages.flatMap((page, index) =>
      askedIn(page).map((question) => ({ ...this.#question(page.id, question, version, lastVersion), index })),
    );
    this.positions.set(id, {
      questions: asked.map(({ question }) => question),
      versions: asked.map(({ at }) => at),
      pageOf: asked.map(({ index }) => indexes[index]!),
      pages: indexes,
    });
  }

  #page({ id, title }: Content["pages"][number], lastVersion: number | null): number {
    let index = this.#pages.get(id);
    if (index === undefined) {
      index = this.pages.push({ id, title, lastVersion }) - 1;
      this.#pages.set(id, index);
    }
    return index;
  }

  #question(pageId: string, asked: Question, version: number, lastVersion: number | null) {
    const { id, prompt, _type: type } = asked;
    let question = this.#questions.get(`${type} ${id}`);
    if (question === undefined) {
      question = this.questions.push({ id, pageId, versions: [], wordings: [], lastVersion }) - 1;
      this.#questions.set(`${type} ${id}`, question);
      this.#texts.push(new Map());
    }
    const { versions, wordings } = this.questions[question]!;
    const text = JSON.stringify(asked);
    const texts = this.#texts[question]!;
    let at = texts.get(text);
    if (at === undefined) {
      at = versions.push(asked) - 1;
      texts.set(text, at);
    }
    const wording = wordings.at(-1);
    if (wording?.prompt === prompt) wording.fromVersion = version;
    else wordings.push({ prompt, fromVersion: version, toVersion: version });
    return { question, at };
  }
}

export function readStudy(db: Reader, publications: readonly { id: number; version: number }[]): Study {
  const study = new Study();
  for (const publication of publications)
    study.add(publication, asRead(JSON.parse(findPublishedJson(db, publication.id)) as Content));
  return study;
}

/** What the results say of a question's versions. */
export function versionsOf({ wordings, lastVersion }: StudyQuestion): QuestionVersions {
  const [current, ...former] = wordings;
  return {
    prompt: current!.prompt,
    changedInVersion: former.length ? current!.fromVersion : null,
    formerPrompts: former.slice(0, MAX_FORMER_PROMPTS),
    lastVersion,
  };
}
