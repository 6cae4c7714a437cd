// A study with quotas: what its pages ask, and conditions on that.

/** Sex on the first page, age on the second one, and a last page without anything that a quota asks about. */
export const pages = [
  {
    title: "Sex",
    questions: [
      {
        id: "sex",
        key: "sex",
        _type: "ScreenerSingleSelectQuestion",
        prompt: "Sex?",
        required: true,
        options: [
          { id: "woman", text: "Woman" },
          { id: "man", text: "Man" },
        ],
      },
    ],
  },
  {
    title: "Age",
    disqualifyWhen: { questionId: "age", lessThan: 18 },
    questions: [{ id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "Age?", required: true }],
  },
  {
    title: "End",
    questions: [{ id: "town", key: "town", _type: "ScreenerTextQuestion", prompt: "Town?", required: true }],
  },
];
export const women = { questionId: "sex", equals: "woman" };
export const men = { questionId: "sex", equals: "man" };
