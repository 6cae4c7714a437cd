// A template: recruits people for tests of a website or an app.

import { AGE, type Template } from "./template.ts";

export const usabilityTest: Template = {
  name: "Recruiting for a usability test",
  about: "Recruits people for tests of a website or an app: on phones and on computers, beginners and others.",
  content: {
    pages: [
      {
        id: "you",
        title: "About you",
        disqualifyWhen: {
          any: [
            { questionId: "age", lessThan: 18 },
            { questionId: "language", oneOf: ["no"] },
          ],
        },
        questions: [
          AGE,
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "language",
            key: "language",
            prompt: "Can you say aloud in English what you think while you use something?",
            required: true,
            options: [
              { id: "yes", text: "Yes" },
              { id: "no", text: "No" },
            ],
          },
        ],
      },
      {
        id: "use",
        title: "What you use",
        questions: [
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "device",
            key: "device",
            prompt: "With what do you go online most?",
            required: true,
            options: [
              { id: "phone", text: "A phone" },
              { id: "computer", text: "A computer" },
              { id: "tablet", text: "A tablet" },
            ],
          },
          {
            _type: "ScreenerScaleQuestion",
            id: "skill",
            key: "skill",
            prompt: "How easy is it for you to use something that you see for the first time?",
            from: 1,
            to: 5,
            lowLabel: "Hard",
            highLabel: "Easy",
            required: true,
          },
          {
            _type: "ScreenerMultiSelectQuestion",
            id: "aids",
            key: "aids",
            prompt: "Do you use one of these?",
            required: true,
            options: [
              { id: "reader", text: "A screen reader" },
              { id: "magnifier", text: "A magnifier, or very large text" },
              { id: "voice", text: "Control by voice" },
              { id: "none", text: "None of these", exclusive: true },
            ],
          },
        ],
      },
      {
        id: "contact",
        title: "How we reach you",
        questions: [
          {
            _type: "ScreenerTextQuestion",
            id: "email",
            key: "email",
            prompt: "Which email address may we write to?",
            format: "EMAIL",
            required: true,
          },
        ],
      },
    ],
    qualifyWhen: { questionId: "device", oneOf: ["phone", "computer"] },
    quotas: [
      { name: "Phones", when: { questionId: "device", oneOf: ["phone"] }, mode: "LIMIT", limit: 6 },
      { name: "Computers", when: { questionId: "device", oneOf: ["computer"] }, mode: "LIMIT", limit: 6 },
      { name: "With an aid", when: { questionId: "aids", notContains: "none" }, mode: "COUNT" },
    ],
    thankYou: "Thank you! If you are among those whom we ask, we will send you a date.",
  },
};
