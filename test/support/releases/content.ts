// The content of a screener with every type of question and every comparison, as release 1.0.0 takes it.

const q = (questionId: string, comparison: object) => ({ questionId, ...comparison });

export const CONTENT = {
  pages: [
    {
      id: "you",
      title: "About you",
      description: "Two minutes",
      questions: [
        {
          id: "age",
          _type: "ScreenerNumericQuestion",
          key: "age",
          prompt: "How old are you?",
          helpText: "In years",
          required: true,
          min: 0,
          max: 120,
          wholeNumber: true,
        },
        {
          id: "city",
          _type: "ScreenerTextQuestion",
          key: "city",
          prompt: "Where do you live? <b>Ünïcode ✓</b>",
          minLength: 1,
          maxLength: 100,
        },
      ],
      disqualifyWhen: { any: [q("age", { lessThan: 18 }), q("age", { greaterThan: 100 })] },
    },
    {
      id: "work",
      title: "Your work",
      showWhen: { not: q("city", { equals: "Nowhere" }) },
      questions: [
        {
          id: "shifts",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "Do you work in shifts?",
          required: true,
          options: [
            { id: "no", text: "No" },
            { id: "some", text: "Sometimes" },
            { id: "always", text: "Always" },
          ],
          allowsWriteIn: true,
        },
        {
          id: "nights",
          _type: "ScreenerNumericQuestion",
          prompt: "Nights a month?",
          min: 0,
          showWhen: q("shifts", { oneOf: ["some", "always"] }),
        },
        {
          id: "why",
          _type: "ScreenerTextQuestion",
          prompt: "Why?",
          multiline: true,
          showWhen: { all: [q("shifts", { answered: true }), q("age", { atMost: 99 })] },
        },
        {
          id: "drinks",
          _type: "ScreenerMultiSelectQuestion",
          prompt: "What do you drink?",
          options: [
            { id: "tea", text: "Tea" },
            { id: "coffee", text: "Coffee" },
          ],
          allowsWriteIn: true,
          minChoices: 1,
          maxChoices: 3,
        },
      ],
    },
  ],
  qualifyWhen: {
    all: [q("age", { atLeast: 18 }), { any: [q("drinks", { contains: "tea" }), q("city", { contains: "o" })] }],
  },
  thankYou: "Thank you.",
};

/** Who qualifies whenever there is an answer. */
export const SHORT_CONTENT = {
  pages: [{ questions: [{ id: "one", _type: "ScreenerTextQuestion", prompt: "Anything?" }] }],
  qualifyWhen: q("one", { answered: true }),
};
