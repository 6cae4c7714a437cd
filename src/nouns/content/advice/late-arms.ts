// Finds pages and questions that ask for an arm before it is drawn. Until then they take it as not given.

import { quoted } from "../../question-types/comparisons.ts";
import { plainOf } from "../../question-types/markup/plain.ts";
import { type Content, isQuestion } from "../content.ts";
import { assignmentsIn, questionsIn } from "../holds.ts";
import { placeName } from "../sentences.ts";

/** A page or a question that asks for an arm too early. */
interface LateArm {
  /** The page, or the question. */
  id: string;
  member: "showWhen" | "disqualifyWhen";
  /** A sentence. */
  message: string;
}

export function lateArmsOf(content: Content): LateArm[] {
  const { markup, pages, assignments = [] } = content;
  const drawnAt = pagesOfDraws(content);
  const found: LateArm[] = [];
  for (const [index, page] of pages.entries()) {
    const ask = (
      id: string,
      member: LateArm["member"],
      condition: typeof page.showWhen,
      name: () => string,
      last: number,
    ) => {
      for (const asked of new Set(condition ? assignmentsIn(condition) : [])) {
        const at = drawnAt.get(asked)!;
        if (at <= last) continue;
        const { name: assignment } = assignments.find((one) => one.id === asked)!;
        const message = `${name()} asks for the arm of ${quoted(assignment)}, which is drawn only when ${placeName(pages[at]!, at, markup)} is answered: until then nobody has one.`;
        found.push({ id, member, message });
      }
    };
    const name = () => placeName(page, index, markup);
    ask(page.id, "showWhen", page.showWhen, () => capital(name()), index - 1);
    for (const item of page.questions) {
      const own = () => (isQuestion(item) ? quoted(plainOf(item.prompt, markup)) : `A text on ${name()}`);
      ask(item.id, "showWhen", item.showWhen, own, index - 1);
    }
    ask(page.id, "disqualifyWhen", page.disqualifyWhen, () => `The rule of ${name()}`, index);
  }
  return found;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The index of the page with whose answers an arm is drawn, if people answer page by page, by the id of the assignment. */
function pagesOfDraws({ pages, assignments = [] }: Content): Map<string, number> {
  const pageOf = new Map(pages.flatMap(({ questions }, index) => questions.map(({ id }) => [id, index] as const)));
  const drawnAt = new Map<string, number>();
  for (const { id, arms } of assignments) {
    const rules = arms.flatMap(({ when }) => when ?? []);
    const last = [
      ...rules.flatMap(questionsIn).map((asked) => pageOf.get(asked) ?? 0),
      ...rules.flatMap(assignmentsIn).map((asked) => drawnAt.get(asked) ?? 0),
    ];
    drawnAt.set(id, Math.max(0, ...last));
  }
  return drawnAt;
}
