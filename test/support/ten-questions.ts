// A page of ten questions, and how large it may be as it is sent.

const kinds = [
  { _type: "ScreenerDateQuestion" },
  { _type: "ScreenerNumericQuestion", min: 0, max: 120 },
  { _type: "ScreenerTextQuestion", minLength: 5 },
  { _type: "ScreenerScaleQuestion", look: "NPS" },
  { _type: "ScreenerMultiSelectQuestion", minChoices: 2, options: ["A", "B", "C", "D"].map((text) => ({ text })) },
];

export const tenQuestions = [...kinds, ...kinds].map((kind, index) => ({
  ...kind,
  key: `q${index}`,
  prompt: `Question ${index} of those that a person is asked about sleep and dreams?`,
  helpText: "As far as you remember. An estimate is enough.",
  required: true,
}));

/** Gzipped, in each language, with an error at each question, too. */
export const MAX_PAGE_KIB = 12;
