// How far a participant is, as the page shows it: the count of pages stays, and the number of those that are done only grows.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Page, PersonalContent } from "../src/nouns/content/content.ts";
import type { Condition } from "../src/nouns/question-types/comparisons.ts";
import type { Answer } from "../src/nouns/question-types/registry.ts";
import type { TextQuestion } from "../src/nouns/question-types/text.tsx";
import { nextAfter, progressAt, resumeAt, stepsOf } from "../src/participant-page/steps.ts";

const ATTRIBUTES = new Map([["country", { value: "NO" }]]);

const question = (id: string, showWhen: Condition | null = null): TextQuestion => ({
  _type: "ScreenerTextQuestion",
  id,
  key: null,
  prompt: id,
  helpText: null,
  required: false,
  showWhen,
  multiline: false,
  minLength: null,
  maxLength: null,
});

const pageOf = (index: number, showWhen: Condition | null, questions: TextQuestion[]): Page => ({
  _type: "ScreenerPage",
  id: `page-${index}`,
  title: null,
  description: null,
  showWhen,
  disqualifyWhen: null,
  questions,
});

const contentOf = (pages: Page[]): PersonalContent => ({
  pages,
  qualifyWhen: null,
  thankYou: null,
  thankYouByOutcome: null,
  attributes: () => ATTRIBUTES,
  today: () => "2026-02-28",
});

/** Goes through all pages, and answers each question with the next of these. @returns what each page says */
function walk(content: PersonalContent, texts: readonly string[]): string[] {
  const said: string[] = [];
  const given = [...texts];
  let answers = new Map<string, Answer>();
  let step = stepsOf(content, answers).length ? resumeAt(stepsOf(content, answers)) : undefined;
  while (step) {
    const { number, total, isLast } = progressAt(content, step, answers);
    said.push(`${number} of ${total}${isLast ? ", the last" : ""}`);
    // What another answer brings up on the same page is asked there.
    for (let open = step.unanswered; open.length; ) {
      answers = new Map([...answers, ...open.map((id) => [id, given.shift() ?? "no"] as const)]);
      open = stepsOf(content, answers).find(({ page }) => page === step!.page)?.unanswered ?? [];
    }
    step = nextAfter(stepsOf(content, answers), step.page);
  }
  return said;
}

test("pages that rules leave out count as done, and those of other people do not count at all", () => {
  const yes = (questionId: string): Condition => ({ questionId, equals: "yes" });
  const content = contentOf([
    pageOf(0, null, [question("q0")]),
    pageOf(1, yes("q0"), [question("q1")]),
    pageOf(2, { attribute: "country", equals: "SE" }, [question("q2")]),
    pageOf(3, { any: [yes("q0"), { attribute: "country", equals: "NO" }] }, [question("q3")]),
    pageOf(4, null, [question("q4", yes("q3"))]),
    pageOf(5, { not: yes("q3") }, [question("q5")]),
  ]);
  assert.deepEqual(walk(content, ["yes", "no", "yes"]), ["1 of 5", "2 of 5", "3 of 5", "5 of 5, the last"]);
  assert.deepEqual(walk(content, ["no", "no"]), ["1 of 5", "3 of 5", "5 of 5, the last"]);
});

test("whatever the rules and the answers are, the total stays, and the number grows from page to page", () => {
  const texts = fc.constantFrom("yes", "no", "maybe");
  const leaf = (upTo: number): fc.Arbitrary<Condition> =>
    fc.oneof(
      fc.record({ questionId: fc.nat(upTo).map((n) => `q${n}`), equals: texts }),
      fc.record({ questionId: fc.nat(upTo).map((n) => `q${n}`), answered: fc.boolean() }),
      fc.record({ attribute: fc.constant("country"), equals: fc.constantFrom("NO", "SE") }),
    );
  const condition = (upTo: number): fc.Arbitrary<Condition> =>
    fc.oneof(
      leaf(upTo),
      leaf(upTo).map((one) => ({ not: one })),
      fc.array(leaf(upTo), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(leaf(upTo), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    );
  const maybe = (index: number) => (index === 0 ? fc.constant(null) : fc.option(condition(2 * index - 1)));
  const page = (index: number) =>
    fc
      .tuple(maybe(index), maybe(index), fc.option(condition(2 * index)))
      .map(([onPage, first, second]) =>
        pageOf(index, onPage, [question(`q${2 * index}`, first), question(`q${2 * index + 1}`, second)]),
      );
  const pages = fc.tuple(...Array.from({ length: 6 }, (_, index) => page(index)));
  fc.assert(
    fc.property(pages, fc.array(texts, { maxLength: 20 }), (some, given) => {
      const said = walk(contentOf(some), given).map((text) => text.split(/ of |,/).map(Number.parseFloat));
      for (const [index, [number, total]] of said.entries()) {
        const [before, former] = said[index - 1] ?? [0, total];
        assert.ok(number! > before! && number! <= total! && total === former, JSON.stringify(said));
      }
    }),
    { numRuns: 500 },
  );
});
