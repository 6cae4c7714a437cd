// A study with questions on one page, and people who have a session each.

import assert from "node:assert/strict";
import type { Client } from "./client.ts";
import type { Service } from "./service.ts";
import { invite } from "./study.ts";

export interface OnePage {
  client: Client;
  screener: string;
  /** The ids of the questions, and of the sessions. */
  question: string[];
  sessions: string[];
}

export async function onOnePage(
  service: Service,
  questions: object[],
  people: number,
  client = service.workspace(),
): Promise<OnePage> {
  const screener = await client.screener();
  const question = await publishPage(client, screener, questions);
  const sessions = (await invite(client, screener, people)).map(({ session }) => session);
  return { client, screener, question, sessions };
}

/** @returns the ids of the questions */
export async function publishPage(client: Client, screener: string, questions: object[]): Promise<string[]> {
  const { body } = await client.call("PUT", `/screeners/${screener}/content`, {
    body: { pages: [{ title: "All", questions }] },
  });
  assert.equal((await client.post("/screener-publications", { screenerId: screener })).status, 201);
  return body.pages[0].questions.map(({ id }: { id: string }) => id);
}

/** @param answers by the ids of the questions */
export async function answer(client: Client, session: string, answers: Record<string, unknown>, complete = true) {
  const responses = Object.entries(answers).map(([screenerQuestionId, value]) => ({
    screenerQuestionId,
    answer: value,
  }));
  const { status, text } = await client.post(`/screener-sessions/${session}/responses`, { responses, complete });
  assert.equal(status, 200, text);
}
