// Where a text is, in words.

/** Where a text is, for people: `page 1, question 2, option 3`. */
export function positionInWords(pointer: string): string {
  const [first, ...others] = pointer.slice(1).split("/");
  if (first === "title") return "the study’s title";
  if (first === "thankYou" || first === "thankYouByOutcome")
    return ["closing text", ...others].join(", ").toLowerCase();
  const names = [first, ...others].map((one, index, all) => {
    if (!/^\d+$/.test(one ?? "")) return WORDS[one!] ?? one!;
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
  lowLabel: "first step",
  highLabel: "last step",
  thankYou: "closing text",
};
