// A template: sees who may come to the first visit of a medical study.

import type { Template } from "./template.ts";

export const medicalScreening: Template = {
  name: "Medical pre-screening",
  about: "Asks for consent, date of birth, diagnoses and medicines; with places for two age groups.",
  content: {
    pages: [
      {
        id: "consent",
        title: "Your consent",
        questions: [
          {
            _type: "ScreenerStatement",
            id: "what",
            text: "We ask about your health to see whether you can take part. **These questions are no medical advice.**",
          },
          {
            _type: "ScreenerConsentQuestion",
            id: "agree",
            key: "consent",
            prompt: "Do you agree?",
            required: true,
            text: "My answers about my health may be used to decide whether I can take part in this study, and for nothing else. I can withdraw at any time.",
            version: "1",
          },
        ],
      },
      {
        id: "you",
        title: "About you",
        disqualifyWhen: {
          any: [
            { questionId: "born", ageBelow: 18 },
            { questionId: "born", ageAtLeast: 76 },
          ],
        },
        questions: [
          {
            _type: "ScreenerDateQuestion",
            id: "born",
            key: "born",
            prompt: "When were you born?",
            required: true,
            precision: "DAY",
            max: { today: "P0D" },
          },
        ],
      },
      {
        id: "health",
        title: "Your health",
        questions: [
          {
            _type: "ScreenerMultiSelectQuestion",
            id: "diagnoses",
            key: "diagnoses",
            prompt: "Has a doctor told you that you have one of these?",
            required: true,
            options: [
              { id: "pressure", text: "High blood pressure" },
              { id: "diabetes", text: "Diabetes" },
              { id: "heart", text: "A disease of the heart" },
              { id: "none", text: "None of these", exclusive: true },
            ],
          },
          {
            _type: "ScreenerSingleSelectQuestion",
            id: "medicines",
            key: "medicines",
            prompt: "Do you take medicines every day?",
            required: true,
            options: [
              { id: "no", text: "No" },
              { id: "yes", text: "Yes" },
            ],
          },
          {
            _type: "ScreenerTextQuestion",
            id: "which",
            key: "which_medicines",
            prompt: "Which ones?",
            multiline: true,
            required: true,
            maxLength: 1000,
            showWhen: { questionId: "medicines", oneOf: ["yes"] },
          },
        ],
      },
      {
        id: "contact",
        title: "How we reach you",
        questions: [
          {
            _type: "ScreenerTextQuestion",
            id: "phone",
            key: "phone",
            prompt: "At which telephone number may we call you?",
            format: "PHONE",
            required: true,
          },
        ],
      },
    ],
    qualifyWhen: { questionId: "diagnoses", notContains: "heart" },
    quotas: [
      { name: "18 to 49 years", when: { questionId: "born", ageBelow: 50 }, mode: "LIMIT", limit: 20 },
      { name: "50 to 75 years", when: { questionId: "born", ageAtLeast: 50 }, mode: "LIMIT", limit: 20 },
    ],
    thankYou: "Thank you. A member of the study’s team will call you.",
    thankYouByOutcome: {
      DISQUALIFIED: "Thank you for your time. You can’t take part in this study; that says nothing about your health.",
    },
  },
};
