// Where a text is, in words.

import { textNames } from "../../nouns/question-types/registry.ts";

/** Where a text is, for people: `page 1, question 2, option 3`. */
export function positionInWords(pointer: string): string {
  const [first, ...others] = pointer.slice(1).split("/");
  if (first === "title") return "the study’s title";
  if (first === "thankYou" || first === "thankYouByOutcome")
    return ["closing text", ...others].join(", ").toLowerCase();
  const names = [first, ...others].map((one, index, all) => {
    const isOwn = all[index - 2] === "questions";
    if (!/^\d+$/.test(one ?? "")) return (isOwn && textNames.get(one!)) || (WORDS[one!] ?? one!);
    return `${(all[index - 1] ?? "").replace(/s$/, "")} ${Number(one) + 1}`;
  });
  return names.filter((one) => one !== "").join(", ");
}

/** Of lists, what is said before the number is enough. */
const WORDS: Record<string, string> = {
  pages: "",
  questions: "",
  options: "",
  rows: "",
  columns: "",
  quotas: "",
  ending: "",
  text: "",
  helpText: "help",
  thankYou: "closing text",
};
