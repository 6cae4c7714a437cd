// A template: what is asked once of all people of a panel.

import type { Template } from "./template.ts";

export const panelProfile: Template = {
  name: "Panel profile",
  about: "Gets to know the people of a panel. Everybody aged 18 or over qualifies, and groups are counted.",
  content: {
    pages: [
      {
        id: "you",
        title: "About you",
        description: "We ask this once, so that we invite you only to what suits you.",
        disqualifyWhen: { questionId: "born", ageBelow: 18 },
        questions: [
          {
            _type: "ScreenerDateQuestion",
            id: "born",
            key: "born",
            prompt: "In which year were you born?",
            required: true,
            precision: "YEAR",
            max: { today: "P0D" },
          },
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "gender",
            key: "gender",
            prompt: "What is your gender?",
            allowsWriteIn: true,
            options: [
              { id: "woman", text: "Woman" },
              { id: "man", text: "Man" },
              { id: "nonbinary", text: "Non-binary" },
            ],
          },
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "home",
            key: "home",
            prompt: "Where do you live?",
            required: true,
            options: [
              { id: "city", text: "In a city" },
              { id: "town", text: "In a town" },
              { id: "country", text: "In the country" },
            ],
          },
          {
            _type: "ScreenerNumericQuestion",
            id: "household",
            key: "household",
            prompt: "How many people live in your household?",
            helpText: "With you",
            required: true,
            min: 1,
            max: 30,
            wholeNumber: true,
          },
        ],
      },
      {
        id: "studies",
        title: "Studies",
        questions: [
          {
            _type: "ScreenerMultiSelectQuestion",
            id: "kinds",
            key: "kinds",
            prompt: "Which studies would you take part in?",
            required: true,
            shuffle: true,
            options: [
              { id: "interview", text: "Interviews" },
              { id: "survey", text: "Surveys" },
              { id: "diary", text: "Diaries" },
              { id: "lab", text: "Visits to a laboratory" },
            ],
          },
          {
            _type: "ScreenerMatrixQuestion",
            id: "devices",
            key: "devices",
            prompt: "How often do you use these?",
            requireEachRow: true,
            required: true,
            rows: [
              { id: "phone", text: "A phone" },
              { id: "tablet", text: "A tablet" },
              { id: "computer", text: "A computer" },
            ],
            columns: [
              { id: "daily", text: "Every day" },
              { id: "sometimes", text: "Sometimes" },
              { id: "never", text: "Never" },
            ],
          },
        ],
      },
    ],
    qualifyWhen: { questionId: "born", ageAtLeast: 18 },
    quotas: [
      { name: "City", when: { questionId: "home", oneOf: ["city"] }, mode: "COUNT" },
      { name: "Town", when: { questionId: "home", oneOf: ["town"] }, mode: "COUNT" },
      { name: "Country", when: { questionId: "home", oneOf: ["country"] }, mode: "COUNT" },
    ],
    thankYou: "Thank you! We will write to you when a study suits you.",
  },
};
