// A template: finds customers to talk to.

import { AGE, type Template } from "./template.ts";

export const customerInterview: Template = {
  name: "Customer interview",
  about: "Finds people who use a product, often and seldom, and when they have time to talk.",
  content: {
    pages: [
      {
        id: "use",
        title: "You and the product",
        description: "We would like to talk with people who use our product. These questions take about two minutes.",
        disqualifyWhen: {
          any: [
            { questionId: "age", lessThan: 18 },
            { questionId: "often", oneOf: ["never"] },
          ],
        },
        questions: [
          AGE,
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "often",
            key: "how_often",
            prompt: "How often do you use the product?",
            required: true,
            options: [
              { id: "daily", text: "Every day, or nearly" },
              { id: "weekly", text: "Every week" },
              { id: "seldom", text: "Less often" },
              { id: "never", text: "Never" },
            ],
          },
          {
            _type: "ScreenerMultiSelectQuestion",
            id: "industry",
            key: "industry",
            prompt: "Do you, or does somebody in your household, work in one of these?",
            required: true,
            shuffle: true,
            options: [
              { id: "research", text: "Market research" },
              { id: "press", text: "Press or television" },
              { id: "rival", text: "A company that makes a similar product" },
              { id: "none", text: "None of these", exclusive: true },
            ],
          },
        ],
      },
      {
        id: "talk",
        title: "The interview",
        questions: [
          {
            _type: "ScreenerScaleQuestion",
            id: "recommend",
            key: "recommend",
            prompt: "Would you recommend the product to a friend?",
            look: "NPS",
            required: true,
          },
          {
            _type: "ScreenerTextQuestion",
            id: "last",
            key: "last_time",
            prompt: "Tell us about the last time that you used it.",
            multiline: true,
            required: true,
            maxLength: 1000,
          },
          {
            _type: "ScreenerMultiSelectQuestion",
            id: "times",
            key: "times",
            prompt: "When could you talk with us for 45 minutes?",
            required: true,
            options: [
              { id: "morning", text: "On a weekday, in the morning" },
              { id: "afternoon", text: "On a weekday, in the afternoon" },
              { id: "evening", text: "On a weekday, in the evening" },
              { id: "weekend", text: "At the weekend" },
            ],
          },
        ],
      },
    ],
    qualifyWhen: { questionId: "industry", contains: "none" },
    quotas: [
      { name: "Use it often", when: { questionId: "often", oneOf: ["daily", "weekly"] }, mode: "LIMIT", limit: 8 },
      { name: "Use it seldom", when: { questionId: "often", oneOf: ["seldom"] }, mode: "LIMIT", limit: 4 },
    ],
    thankYou: "Thank you! If you are among those whom we ask, we will write to you within a week.",
  },
};
