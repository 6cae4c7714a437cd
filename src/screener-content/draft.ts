// Turns what an author sends into a draft: ids that are in the draft already stay, everything else gets a new one, and
// conditions follow. Everything that is wrong is pointed at, at once.

import * as v from "valibot";
import { detailOf, requireObject } from "../check-body.ts";
import { newId } from "../ids.ts";
import { invalidRequest, type ProblemDetail } from "../problems.ts";
import { readCondition, type Scope } from "./conditions.ts";
import { type Content, MAX_QUESTIONS, type Option, type Page, type Question } from "./content.ts";
import { type ContentInput, ContentShell, MAX_PAGES, PageShell, QuestionInput } from "./input.ts";

/** When so many things are wrong, nobody needs to hear of more. */
const MAX_DRAFT_ERRORS = 1000;

/**
 * @param current the draft as it is, whose ids may be sent back
 * @throws Problem 400 with a pointer for everything that is wrong
 */
export function readDraft(body: unknown, current: Content): Content {
  return new DraftReader(current).read(body);
}

// What can be read of values that may be anything.
const members = (value: unknown): Record<string, unknown> => Object(value);
const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const labelOf = (value: unknown): string | undefined => {
  const { id } = members(value);
  return (typeof id === "string" && id.trim()) || undefined;
};

class DraftReader implements Scope {
  readonly earlier = new Map<string, Question>();
  readonly all = new Set<string>();
  readonly unread = new Set<string>();
  parts = 0;
  readonly #errors: ProblemDetail[] = [];
  /** What may stay: ids by the place where they are in the draft, so that a question's id can't become a page's. */
  readonly #known = { page: new Set<string>(), question: new Set<string>(), option: new Map<string, Set<string>>() };
  readonly #labels = { page: new Set<string>(), question: new Set<string>() };
  readonly #keys = new Set<string>();
  readonly #optionLabels = new Map<Question, Map<string, string>>();

  constructor(current: Content) {
    for (const page of current.pages) {
      this.#known.page.add(page.id);
      for (const question of page.questions) {
        this.#known.question.add(question.id);
        if ("options" in question) this.#known.option.set(question.id, new Set(question.options.map(({ id }) => id)));
      }
    }
  }

  read(body: unknown): Content {
    requireObject(body);
    const input = this.#piece(ContentShell, body, "");
    const rawPages = elements(members(body).pages).slice(0, MAX_PAGES);
    let count = 0;
    for (const page of rawPages) {
      const questions = elements(members(page).questions);
      count += questions.length;
      if (count > MAX_QUESTIONS) {
        this.#fail("/pages", `must have at most ${MAX_QUESTIONS} questions in all`);
        throw invalidRequest(this.#errors);
      }
      for (const label of questions.map(labelOf)) if (label) this.all.add(label);
    }
    const pages = rawPages.map((page, index) => this.#page(page, `/pages/${index}`));
    const { qualifyWhen } = members(body);
    const content: Content = {
      pages,
      qualifyWhen: readCondition(qualifyWhen, "/qualifyWhen", this, this.#errors),
      thankYou: input?.thankYou?.trim() || null,
      thankYouByOutcome: thankYouByOutcome(input?.thankYouByOutcome),
    };
    if (this.#errors.length) throw invalidRequest(this.#errors);
    return content;
  }

  /** A piece of what was sent, as its schema reads it; undefined, and told, when it does not fit. */
  #piece<Schema extends v.GenericSchema>(
    schema: Schema,
    value: unknown,
    at: string,
  ): v.InferOutput<Schema> | undefined {
    const result = v.safeParse(schema, value);
    if (result.success) return result.output;
    for (const issue of result.issues) this.#errors.push(detailOf(issue, at));
    return undefined;
  }

  optionOf(question: Question, label: string): string | undefined {
    return this.#optionLabels.get(question)?.get(label);
  }

  #page(raw: unknown, at: string): Page {
    const input = this.#piece(PageShell, raw, at);
    // What can be read of a page that is wrong in itself is read all the same.
    const { showWhen, disqualifyWhen, questions } = members(raw);
    const id = this.#idOf(labelOf(raw), "page", `${at}/id`);
    const shown = readCondition(showWhen, `${at}/showWhen`, this, this.#errors);
    const read = elements(questions).flatMap((question, index) => this.#question(question, `${at}/questions/${index}`));
    return {
      _type: "ScreenerPage",
      id,
      title: input?.title?.trim() || null,
      description: input?.description?.trim() || null,
      showWhen: shown,
      disqualifyWhen: readCondition(disqualifyWhen, `${at}/disqualifyWhen`, this, this.#errors),
      questions: read,
    };
  }

  /** The question; none when it does not fit its description. Conditions that refer to it can't be judged then. */
  #question(raw: unknown, at: string): Question[] {
    if (this.#errors.length >= MAX_DRAFT_ERRORS) throw invalidRequest(this.#errors);
    const input = this.#piece(QuestionInput, raw, at);
    const label = labelOf(raw);
    const id = this.#idOf(label, "question", `${at}/id`);
    const showWhen = readCondition(members(raw).showWhen, `${at}/showWhen`, this, this.#errors);
    if (!input) {
      if (label) this.unread.add(label);
      return [];
    }
    const common = {
      id,
      key: this.#key(input.key, `${at}/key`),
      prompt: input.prompt,
      helpText: input.helpText?.trim() || null,
      required: input.required ?? false,
      showWhen,
    };
    const question = this.#ofType(input, common, at);
    this.earlier.set(common.id, question);
    if (label) this.earlier.set(label, question);
    return [question];
  }

  #ofType(
    input: QuestionInput,
    common: Pick<Question, "id" | "key" | "prompt" | "helpText" | "required" | "showWhen">,
    at: string,
  ): Question {
    switch (input._type) {
      case "ScreenerTextQuestion": {
        const { minLength = null, maxLength = null } = input;
        this.#ordered(minLength, maxLength, `${at}/maxLength`, "minLength");
        return { _type: input._type, ...common, multiline: input.multiline ?? false, minLength, maxLength };
      }
      case "ScreenerNumericQuestion": {
        const { min = null, max = null } = input;
        this.#ordered(min, max, `${at}/max`, "min");
        if (input.wholeNumber && min !== null && max !== null && min <= max && Math.ceil(min) > Math.floor(max))
          this.#fail(`${at}/max`, "leaves no whole number");
        return { _type: input._type, ...common, min, max, wholeNumber: input.wholeNumber ?? false };
      }
      case "ScreenerSingleSelectQuestion": {
        const labels = new Map<string, string>();
        const options = this.#options(input.options, common.id, labels, at);
        const question: Question = {
          _type: input._type,
          ...common,
          options,
          allowsWriteIn: input.allowsWriteIn ?? false,
        };
        this.#optionLabels.set(question, labels);
        return question;
      }
      case "ScreenerMultiSelectQuestion": {
        const { minChoices = null, maxChoices = null } = input;
        const allowsWriteIn = input.allowsWriteIn ?? false;
        const possible = input.options.length + (allowsWriteIn ? 1 : 0);
        this.#ordered(minChoices, maxChoices, `${at}/maxChoices`, "minChoices");
        if (minChoices !== null && minChoices > possible)
          this.#fail(`${at}/minChoices`, `must be at most ${possible}, the number of options`);
        const labels = new Map<string, string>();
        const options = this.#options(input.options, common.id, labels, at);
        const question: Question = { _type: input._type, ...common, options, allowsWriteIn, minChoices, maxChoices };
        this.#optionLabels.set(question, labels);
        return question;
      }
    }
  }

  #options(
    input: readonly { id?: string | null | undefined; text: string }[],
    questionId: string,
    labels: Map<string, string>,
    at: string,
  ): Option[] {
    const known = this.#known.option.get(questionId);
    const texts = new Set<string>();
    return input.map(({ id: label, text }, index) => {
      const id = label && known?.has(label) ? label : newId();
      if (texts.has(text)) this.#fail(`${at}/options/${index}/text`, "is the same as another option's");
      texts.add(text);
      if (label && labels.has(label)) this.#fail(`${at}/options/${index}/id`, "is given twice");
      labels.set(id, id);
      if (label) labels.set(label, id);
      return { id, text };
    });
  }

  #idOf(label: string | undefined, kind: "page" | "question", at: string): string {
    if (!label) return newId();
    const labels = this.#labels[kind];
    if (labels.has(label)) this.#fail(at, "is given twice");
    labels.add(label);
    return this.#known[kind].has(label) ? label : newId();
  }

  #key(key: string | null | undefined, at: string): string | null {
    if (!key) return null;
    if (this.#keys.has(key)) this.#fail(at, "is another question's key");
    this.#keys.add(key);
    return key;
  }

  #ordered(low: number | null, high: number | null, at: string, other: string): void {
    if (low !== null && high !== null && high < low) this.#fail(at, `must not be less than ${other}`);
  }

  #fail(pointer: string, message: string): void {
    this.#errors.push({ pointer, message });
  }
}

/** An outcome with no text of its own is as good as left out. */
function thankYouByOutcome(input: ContentInput["thankYouByOutcome"]): Content["thankYouByOutcome"] {
  const texts = Object.entries(input ?? {}).filter(([, text]) => text !== null && text !== undefined);
  return texts.length ? Object.fromEntries(texts) : null;
}
