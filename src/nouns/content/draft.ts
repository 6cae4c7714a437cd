// Makes a draft from what an author sends. Ids of the current draft stay; everything else gets a new id, and conditions
// then refer to that. All errors are reported at once, each with its pointer.

import type * as v from "valibot";
import { detailOf, parseStrictly } from "../../base/check-body.ts";
import { invalidRequest, type ProblemDetail } from "../../base/problems.ts";
import { findType, typeOf } from "../question-types/registry.ts";
import { type KnownAssignment, readCondition, type Scope } from "./conditions/conditions.ts";
import type { EarlierQuestion } from "./conditions/operators.ts";
import { readSignalRules } from "./conditions/signal-rules.ts";
import {
  type Content,
  type Item,
  MAX_ASSIGNMENTS,
  MAX_QUESTIONS,
  MAX_QUOTAS,
  type Page,
  type Quota,
  STATEMENT,
  type Statement,
} from "./content.ts";
import { DraftAssignments } from "./draft-arms.ts";
import type { Around } from "./draft-around.ts";
import { type Current, DraftIds } from "./draft-ids.ts";
import { referenceFaults } from "./draft-references.ts";
import { shuffleFaults, shuffleMembers } from "./draft-shuffles.ts";
import { elements, isObject, labelOf, members } from "./incomplete/raw.ts";
import { draftedQuota } from "./quotas.ts";
import { byOutcome, draftedRedirects, signatureFaults } from "./redirects.ts";
import { ContentShell, MAX_PAGES, PageShell, QuestionInput, QuotaInput } from "./resource.ts";
import { draftedStatement, imageFault, type KnownImages, StatementInput } from "./statement.ts";

/** The search for errors ends here. The problem lists only MAX_ERRORS of them. */
const MAX_DRAFT_ERRORS = 1000;

/** What counts besides the draft itself. */
export type Known = Around & { images: KnownImages };

/** Reads a draft once. What is wrong is in its errors then. */
export class DraftReader implements Scope {
  readonly earlier = new Map<string, EarlierQuestion>();
  readonly all = new Set<string>();
  readonly invalid = new Set<string>();
  readonly statements = new Set<string>();
  assignments: ReadonlyMap<string, KnownAssignment> = new Map();
  readonly assignmentsBefore = Number.POSITIVE_INFINITY;
  parts = 0;
  readonly #patterns = { total: 0, refused: 0 };
  readonly errors: ProblemDetail[] = [];
  readonly changedRules: ProblemDetail[] = [];
  readonly #keys = new Set<string>();
  /** Where pages and questions are, by their ids. */
  readonly #pointers = new Map<string, string>();
  readonly #quotaNames = new Set<string>();
  readonly ids: DraftIds;
  readonly #around: Known;
  readonly #markup: Content["markup"];

  constructor(current: Current, around: Known) {
    this.#around = around;
    this.#markup = current.draft.markup;
    this.ids = new DraftIds(current, around);
  }

  read(body: object): Content {
    const input = this.#piece(ContentShell, body, "");
    const rawPages = elements(members(body).pages).slice(0, MAX_PAGES);
    let count = 0;
    for (const page of rawPages) {
      const questions = elements(members(page).questions);
      count += questions.length;
      if (count > MAX_QUESTIONS) {
        this.#fail("/pages", `must have at most ${MAX_QUESTIONS} questions in all`);
        throw invalidRequest(this.errors);
      }
      for (const label of questions.map(labelOf)) if (label) this.all.add(label);
    }
    const rawAssignments = elements(members(body).assignments).slice(0, MAX_ASSIGNMENTS);
    const drafted = new DraftAssignments(rawAssignments, this.ids.arms, this.errors);
    this.assignments = drafted.known;
    const pages = rawPages.map((page, index) => this.#page(page, `/pages/${index}`));
    const { qualifyWhen } = members(body);
    const rawQuotas = elements(members(body).quotas).slice(0, MAX_QUOTAS);
    const quotas = rawQuotas.flatMap((quota, index) => this.#quota(quota, `/quotas/${index}`));
    const assignments = drafted.read(pages, {
      scope: this,
      errors: this.errors,
      piece: (schema, value, at) => this.#piece(schema, value, at),
    });
    const markup = input?.markup ?? this.#markup;
    const content: Content = {
      ...(markup === "MARKDOWN" && { markup }),
      ...(input?.language && { language: input.language }),
      pages,
      qualifyWhen: readCondition(qualifyWhen, "/qualifyWhen", this, this.errors),
      thankYou: input?.thankYou?.trim() || null,
      thankYouByOutcome: byOutcome(input?.thankYouByOutcome),
      ...draftedRedirects(input),
      ...(quotas.length && { quotas }),
      ...(assignments.length && { assignments }),
    };
    const pointerOf = (id: string) => this.#pointers.get(id)!;
    this.errors.push(...signatureFaults(content), ...shuffleFaults(content, pointerOf));
    this.errors.push(...referenceFaults(content, pointerOf, this.#around.attributes));
    return content;
  }

  /** Reads a piece by its schema. If it does not fit, adds its errors and returns undefined. */
  #piece<Schema extends v.GenericSchema>(
    schema: Schema,
    value: unknown,
    at: string,
  ): v.InferOutput<Schema> | undefined {
    const { output, issues } = parseStrictly(schema, value);
    for (const issue of issues) this.errors.push(detailOf(issue, at));
    return issues.length ? undefined : output;
  }

  #page(raw: unknown, at: string): Page {
    const input = this.#piece(PageShell, raw, at);
    // Where the page itself has errors, its conditions and questions are still checked.
    const { showWhen, disqualifyWhen, questions } = members(raw);
    const id = this.#idOf(labelOf(raw), "page", at);
    const shown = readCondition(showWhen, `${at}/showWhen`, this, this.errors);
    const read = elements(questions).flatMap((question, index) => this.#question(question, `${at}/questions/${index}`));
    return {
      _type: "ScreenerPage",
      id,
      title: input?.title?.trim() || null,
      description: input?.description?.trim() || null,
      showWhen: shown,
      disqualifyWhen: readCondition(disqualifyWhen, `${at}/disqualifyWhen`, this, this.errors),
      ...readSignalRules(members(raw), (rule, pointer) => readCondition(rule, at + pointer, this, this.errors)),
      questions: read,
      ...shuffleMembers(input ?? {}),
    };
  }

  /** The question, or none if it does not fit its schema. What can be said of it besides is still said. */
  #question(raw: unknown, at: string): Item[] {
    if (this.errors.length >= MAX_DRAFT_ERRORS) throw invalidRequest(this.errors);
    if (raw === undefined) return [];
    if (members(raw)._type === STATEMENT) return this.#statement(raw, at);
    const input = this.#piece(QuestionInput, raw, at);
    const label = labelOf(raw);
    const id = this.#idOf(label, "question", at);
    const showWhen = readCondition(members(raw).showWhen, `${at}/showWhen`, this, this.errors);
    const partIds = new Map<string, string>();
    const draft = {
      knownIds: new Set(this.ids.partsOf(id)),
      partIds,
      patterns: this.#patterns,
      fail: (pointer: string, message: string) => this.#fail(at + pointer, message),
    };
    if (!input) {
      if (label) this.invalid.add(label);
      const { _type, key } = members(raw);
      if (typeof key === "string") this.#key(key, `${at}/key`);
      findType(_type)?.checkOwn(raw, draft);
      return [];
    }
    const common = {
      id,
      key: this.#key(input.key, `${at}/key`),
      prompt: input.prompt,
      helpText: input.helpText?.trim() || null,
      required: input.required ?? typeOf(input).isRequiredByDefault ?? false,
      showWhen,
      ...(input.fixed && { fixed: true as const }),
    };
    const question = typeOf(input).buildQuestion(input, common, draft);
    const earlier = { question, partIds };
    this.earlier.set(id, earlier);
    if (label) this.earlier.set(label, earlier);
    return [question];
  }

  #statement(raw: unknown, at: string): Statement[] {
    const input = this.#piece(StatementInput, raw, at);
    const label = labelOf(raw);
    if (label) this.statements.add(label);
    const id = this.#idOf(label, "question", at);
    const showWhen = readCondition(members(raw).showWhen, `${at}/showWhen`, this, this.errors);
    const { images } = this.#around;
    const fault = imageFault(raw, images);
    if (fault !== undefined) this.#fail(`${at}/image/id`, fault);
    return [draftedStatement(input, { id, showWhen }, images)];
  }

  /** The quota, or none if it does not fit its schema. */
  #quota(raw: unknown, at: string): Quota[] {
    if (this.errors.length >= MAX_DRAFT_ERRORS) throw invalidRequest(this.errors);
    if (raw === undefined) return [];
    const input = this.#piece(QuotaInput, raw, at);
    const id = this.#idOf(labelOf(raw), "quota", at);
    const found = this.errors.length;
    const when = readCondition(members(raw).when, `${at}/when`, this, this.errors);
    const rule = this.#around.rules.get(id);
    const isPublished = rule !== undefined && this.errors.length === found;
    if (isPublished && rule !== (when && JSON.stringify(when)))
      this.changedRules.push({
        pointer: `${at}/when`,
        message: "is not the rule with which this quota was published: remove the quota, and add another one",
      });
    const { name: sentName, mode: sentMode, limit: sentLimit = null } = members(raw);
    // What is no object lacks nothing that is in it.
    if (isObject(raw) && sentMode !== "COUNT" && sentLimit === null)
      this.#fail(`${at}/limit`, "is required, unless mode is COUNT");
    const trimmed = typeof sentName === "string" ? sentName.trim() : "";
    if (this.#quotaNames.has(trimmed)) this.#fail(`${at}/name`, "is another quota's name");
    if (trimmed) this.#quotaNames.add(trimmed);
    if (!input) return [];
    return [draftedQuota(input, id, when)];
  }

  #idOf(label: string | undefined, kind: "page" | "question" | "quota", at: string): string {
    const { id, isTwice } = this.ids.take(kind, label);
    if (isTwice) this.#fail(`${at}/id`, "is given twice");
    this.#pointers.set(id, at);
    return id;
  }

  #key(key: string | null | undefined, at: string): string | null {
    if (!key) return null;
    if (this.#keys.has(key)) this.#fail(at, "is another question's key");
    this.#keys.add(key);
    return key;
  }

  #fail(pointer: string, message: string): void {
    this.errors.push({ pointer, message });
  }
}
