// The ids that a draft may keep: those of the draft before, of what was set aside of it, and of what is published.

import { newId } from "../../base/ids.ts";
import { partsOf } from "../question-types/registry.ts";
import { type Content, type Item, isQuestion } from "./content.ts";
import type { Around } from "./draft-around.ts";
import type { SetAside } from "./incomplete/pieces.ts";

/** The draft before, whose ids an author may send back. */
export interface Current {
  draft: Content;
  aside: readonly SetAside[];
}

type Kind = "page" | "question" | "quota";

export class DraftIds {
  /** Arms that were drafted or published: the ids of their assignments by their own. */
  readonly arms: Map<string, string>;
  readonly #pages = new Set<string>();
  /** With the ids of their parts. Pages and questions are apart, so that a question's id can't become a page's. */
  readonly #questions = new Map<string, ReadonlySet<string>>();
  readonly #quotas: Set<string>;
  readonly #taken = { page: new Set<string>(), question: new Set<string>(), quota: new Set<string>() };

  constructor({ draft, aside }: Current, around: Pick<Around, "arms" | "rules">) {
    const drafted = (draft.assignments ?? []).flatMap((one) => one.arms.map(({ id }) => [id, one.id] as const));
    this.arms = new Map([...around.arms, ...drafted]);
    this.#quotas = new Set([...(draft.quotas ?? []).map(({ id }) => id), ...around.rules.keys()]);
    for (const page of draft.pages) {
      this.#pages.add(page.id);
      for (const question of page.questions) this.#questions.set(question.id, partIdsOf(question));
    }
    for (const { pointer, ids } of aside) this.#learn(kindOf(pointer), ids);
  }

  #learn(kind: ReturnType<typeof kindOf>, [id, ...parts]: readonly string[]): void {
    if (id === undefined) return;
    if (kind === "question") this.#questions.set(id, new Set(parts));
    if (kind === "quota") this.#quotas.add(id);
    if (kind === "assignment") for (const arm of parts) this.arms.set(arm, id);
  }

  /** The parts of a question that may keep their ids. */
  partsOf(question: string): Iterable<string> {
    return this.#questions.get(question) ?? [];
  }

  /** The id of something with a label, which is that if it was its id before. */
  take(kind: Kind, label: string | undefined): { id: string; isTwice: boolean } {
    const taken = this.#taken[kind];
    const isTwice = label !== undefined && taken.has(label);
    if (label !== undefined) taken.add(label);
    const known = { page: this.#pages, question: this.#questions, quota: this.#quotas }[kind];
    return { id: label !== undefined && known.has(label) ? label : newId(), isTwice };
  }

  /** The id of something that is set aside, and those of its parts that may stay. */
  takeAside(kind: NonNullable<ReturnType<typeof kindOf>>, label: string | undefined): string[] {
    if (kind === "assignment") {
      const arms = [...this.arms].flatMap(([arm, assignment]) => (assignment === label ? [arm] : []));
      return label !== undefined && arms.length ? [label, ...arms] : [newId()];
    }
    const { id, isTwice } = this.take(kind, label);
    return isTwice ? [newId()] : [id, ...(kind === "question" ? this.partsOf(id) : [])];
  }
}

/** What has an id of its own, and can be set aside. */
export function kindOf(pointer: string): "question" | "quota" | "assignment" | undefined {
  const [, list] = /^\/(?:pages\/\d+\/)?(question|quota|assignment)s\/\d+$/.exec(pointer) ?? [];
  return list as ReturnType<typeof kindOf>;
}

function partIdsOf(item: Item): ReadonlySet<string> {
  return new Set(isQuestion(item) ? partsOf(item).flatMap(([, parts]) => parts.map((part) => part.id)) : []);
}
