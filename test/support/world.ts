// A workspace with one of everything, for tests that go through all routes.

import { randomUUID } from "node:crypto";
import { countRow } from "../../db/list.ts";
import { countedResponses } from "../../src/screener-responses/queries.ts";
import type { Client } from "./client.ts";
import type { Service } from "./service.ts";

export interface World {
  client: Client;
  screener: string;
  publication: string;
  participant: string;
  externalUid: string;
  email: string;
  assignment: string;
  session: string;
  /** The job that imported the participants; it is done. */
  job: string;
}

/** What an answer of each kind of question looks like. */
export const answers: Record<string, unknown> = {
  Text: "Three cups",
  Numeric: 2.5,
  SingleSelect: [{ text: "Tea", isWriteIn: false }],
  MultiSelect: [
    { text: "Tea", isWriteIn: false },
    { text: "Maté", isWriteIn: true },
  ],
};

/** Fills a new workspace: two participants of one published screener, a session, and an answer of every kind. */
export async function populate(service: Service, name = "World"): Promise<World> {
  const client = service.workspace(name);
  const screener = await client.screener(`${name}'s study`);
  const published = await client.post("/screener-publications", {
    screenerId: screener,
    tags: [{ category: "City", value: name }],
    targetQualifiedParticipants: 10,
  });
  const externalUid = `${name}-1`;
  const email = `${name.toLowerCase()}@example.org`;
  const imported = await client.import(screener, [
    { externalUid, email, name: `${name} One` },
    { externalUid: `${name}-2`, email: `${name.toLowerCase()}2@example.org`, name: `${name} Two` },
  ]);
  const assignment: string = imported.body[0].id;
  const opened = await client.post("/screener-sessions", { screenerParticipantId: assignment });
  const jobs = await client.all("/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT");
  answer(service, client, opened.body.id);
  return {
    client,
    screener,
    publication: published.body.id,
    participant: imported.body[0].participantId,
    externalUid,
    email,
    assignment,
    session: opened.body.id,
    job: jobs[0].id,
  };
}

/** Answers questions of all kinds in a session. There is no route for it yet, so this writes what one would. */
export function answer(service: Service, client: Client, session: string): void {
  service.context.workspaces.write(client.workspaceId, (db) => {
    const { id, screener_id, screener_publication_id } = db.get<{
      id: number;
      screener_id: number;
      screener_publication_id: number;
    }>("SELECT id, screener_id, screener_publication_id FROM screener_session WHERE uid = ?", session)!;
    const page = randomUUID();
    for (const [kind, given] of Object.entries(answers)) {
      const question = db.run(
        "INSERT INTO publication_question (screener_publication_id, uid, page_uid, type, prompt) VALUES (?, ?, ?, ?, ?)",
        screener_publication_id,
        randomUUID(),
        page,
        `Screener${kind}Question`,
        `What about ${kind}?`,
      );
      const response = db.run(
        `INSERT INTO screener_response (screener_id, screener_publication_id, screener_session_id, publication_question_id, answer)
         VALUES (?, ?, ?, ?, ?)`,
        screener_id,
        screener_publication_id,
        id,
        question.lastInsertRowid,
        JSON.stringify(given),
      );
      countRow(db, countedResponses, Number(response.lastInsertRowid), [screener_id, screener_publication_id], 1);
    }
  });
}
