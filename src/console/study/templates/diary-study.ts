// A template: finds people who keep a diary for a while.

import { AGE, type Template } from "./template.ts";

export const diaryStudy: Template = {
  name: "Diary study",
  about: "Asks for consent, for a phone, and for a few minutes on each of 14 days.",
  content: {
    pages: [
      {
        id: "consent",
        title: "Before you begin",
        questions: [
          {
            _type: "ScreenerStatement",
            id: "what",
            text: "You would write down a few things on your phone, **once a day, for 14 days**. Each entry takes about five minutes.",
          },
          {
            _type: "ScreenerConsentQuestion",
            id: "agree",
            key: "consent",
            prompt: "Do you agree?",
            required: true,
            text: "I take part of my own free will. My answers and my diary are used for this study alone, and I can withdraw at any time.",
            version: "1",
          },
        ],
      },
      {
        id: "you",
        title: "About you",
        disqualifyWhen: {
          any: [
            { questionId: "age", lessThan: 18 },
            { questionId: "phone", oneOf: ["none"] },
          ],
        },
        questions: [
          AGE,
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "phone",
            key: "phone",
            prompt: "Which phone do you use most?",
            required: true,
            options: [
              { id: "iphone", text: "An iPhone" },
              { id: "android", text: "A phone with Android" },
              { id: "none", text: "Another one, or none" },
            ],
          },
        ],
      },
      {
        id: "days",
        title: "The 14 days",
        questions: [
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "away",
            key: "away",
            prompt: "Will there be days on which you can’t write anything?",
            required: true,
            options: [
              { id: "none", text: "None" },
              { id: "few", text: "One or two" },
              { id: "many", text: "Three or more" },
            ],
          },
          {
            _type: "ScreenerRankingQuestion",
            id: "how",
            key: "how",
            prompt: "How would you like to keep the diary?",
            helpText: "What you like best comes first.",
            shuffle: true,
            options: [
              { id: "write", text: "By writing" },
              { id: "speak", text: "By speaking" },
              { id: "pictures", text: "With pictures" },
            ],
          },
        ],
      },
    ],
    qualifyWhen: { questionId: "away", oneOf: ["none", "few"] },
    quotas: [
      { name: "iPhone", when: { questionId: "phone", oneOf: ["iphone"] }, mode: "LIMIT", limit: 10 },
      { name: "Android", when: { questionId: "phone", oneOf: ["android"] }, mode: "LIMIT", limit: 10 },
    ],
    thankYou: "Thank you! We will write to you before the first day.",
  },
};
