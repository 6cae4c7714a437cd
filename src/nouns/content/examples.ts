// The content that examples of the API description show.

import { exampleIds } from "../../base/examples.ts";

/** A content in examples: one page with a question of two types, and rules. */
export const contentExample = {
  markup: "MARKDOWN",
  pages: [
    {
      _type: "ScreenerPage",
      id: exampleIds.page,
      title: "About you",
      description: null,
      showWhen: null,
      disqualifyWhen: { questionId: exampleIds.ageQuestion, lessThan: 18 },
      questions: [
        {
          _type: "ScreenerNumericQuestion",
          id: exampleIds.ageQuestion,
          key: "age",
          prompt: "How old are you?",
          helpText: null,
          required: true,
          showWhen: null,
          min: 0,
          max: 120,
          wholeNumber: true,
        },
        {
          _type: "ScreenerSingleSelectQuestion",
          id: exampleIds.drinkQuestion,
          key: "drink",
          prompt: "What do you drink in the morning?",
          helpText: null,
          required: true,
          showWhen: { questionId: exampleIds.ageQuestion, atLeast: 18 },
          options: [
            { id: exampleIds.tea, text: "Tea" },
            { id: exampleIds.coffee, text: "Coffee" },
          ],
          allowsWriteIn: true,
        },
        {
          _type: "ScreenerScaleQuestion",
          id: exampleIds.sleepQuestion,
          key: "sleep",
          prompt: "How well do you sleep?",
          helpText: null,
          required: false,
          showWhen: null,
          look: "NUMBERS",
          from: 1,
          to: 5,
          lowLabel: "Very badly",
          highLabel: "Very well",
        },
        {
          _type: "ScreenerDateQuestion",
          id: exampleIds.bornQuestion,
          key: "born",
          prompt: "When were you born?",
          helpText: null,
          required: false,
          showWhen: { questionId: exampleIds.ageQuestion, atLeast: 18 },
          precision: "MONTH",
          min: null,
          max: { today: "-P18Y" },
        },
        {
          _type: "ScreenerRankingQuestion",
          id: exampleIds.pauseQuestion,
          key: "pause",
          prompt: "What do you like best after lunch?",
          helpText: null,
          required: false,
          showWhen: null,
          options: [
            { id: exampleIds.walk, text: "A walk" },
            { id: exampleIds.nap, text: "A nap" },
          ],
          rankAtLeast: null,
          rankAtMost: null,
        },
        {
          _type: "ScreenerMatrixQuestion",
          id: exampleIds.habitQuestion,
          key: "habit",
          prompt: "How often do you drink coffee?",
          helpText: null,
          required: false,
          showWhen: null,
          rows: [
            { id: exampleIds.atHome, text: "At home" },
            { id: exampleIds.atWork, text: "At work" },
          ],
          columns: [
            { id: exampleIds.daily, text: "Every day" },
            { id: exampleIds.rarely, text: "Rarely" },
          ],
          multiple: false,
          requireEachRow: true,
        },
      ],
    },
  ],
  qualifyWhen: { questionId: exampleIds.drinkQuestion, oneOf: [exampleIds.tea, exampleIds.coffee] },
  thankYou: "Thank you for your time.",
  thankYouByOutcome: null,
  quotas: [
    {
      id: exampleIds.quota,
      name: "Adults",
      when: { questionId: exampleIds.ageQuestion, atLeast: 18 },
      mode: "LIMIT",
      limit: 40,
      ending: { at: "NOW", thankYou: null, redirect: null },
    },
  ],
  assignments: [
    {
      id: exampleIds.armAssignment,
      name: "Concept",
      pick: "LEAST_FULL",
      arms: [
        { id: exampleIds.red, name: "Red", when: null },
        { id: exampleIds.blue, name: "Blue", when: null },
      ],
    },
  ],
};

/** What an author sends for this content: labels instead of ids, and only values that differ from the defaults. */
export const contentInputExample = {
  pages: [
    {
      title: "About you",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [
        {
          _type: "ScreenerNumericQuestion",
          id: "age",
          key: "age",
          prompt: "How old are you?",
          required: true,
          min: 0,
          max: 120,
          wholeNumber: true,
        },
        {
          _type: "ScreenerSingleSelectQuestion",
          id: "drink",
          key: "drink",
          prompt: "What do you drink in the morning?",
          required: true,
          showWhen: { questionId: "age", atLeast: 18 },
          options: [
            { id: "tea", text: "Tea" },
            { id: "coffee", text: "Coffee" },
          ],
          allowsWriteIn: true,
        },
        {
          _type: "ScreenerScaleQuestion",
          key: "sleep",
          prompt: "How well do you sleep?",
          lowLabel: "Very badly",
          highLabel: "Very well",
        },
        {
          _type: "ScreenerDateQuestion",
          key: "born",
          prompt: "When were you born?",
          showWhen: { questionId: "age", atLeast: 18 },
          precision: "MONTH",
          max: { today: "-P18Y" },
        },
        {
          _type: "ScreenerRankingQuestion",
          key: "pause",
          prompt: "What do you like best after lunch?",
          options: [{ text: "A walk" }, { text: "A nap" }],
        },
        {
          _type: "ScreenerMatrixQuestion",
          key: "habit",
          prompt: "How often do you drink coffee?",
          rows: [{ text: "At home" }, { text: "At work" }],
          columns: [{ text: "Every day" }, { text: "Rarely" }],
          requireEachRow: true,
        },
      ],
    },
  ],
  qualifyWhen: { questionId: "drink", oneOf: ["tea", "coffee"] },
  thankYou: "Thank you for your time.",
  quotas: [{ name: "Adults", when: { questionId: "age", atLeast: 18 }, limit: 40 }],
  assignments: [{ name: "Concept", arms: [{ name: "Red" }, { name: "Blue" }] }],
};
