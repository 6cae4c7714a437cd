// Everything that a workspace's API says, to be compared with what a later release says.

import type { Client } from "../client.ts";

/** What a GET was answered, by `<path> <Accept>`. Of pages only the status. */
export type Answers = Record<string, { status: number; json?: unknown; text?: string }>;

const LISTS = [
  "/screeners",
  "/participants",
  "/screener-participants",
  "/screener-sessions",
  "/screener-responses",
  "/jobs",
];
const OF_ITEMS: Record<string, string[]> = {
  "/screeners": ["", "/publications", "/content", "/export"],
  "/participants": [""],
  "/screener-participants": [""],
  "/screener-sessions": [""],
  "/jobs": ["", "/result"],
};
export const JSON_TYPE = "application/json";
const FORMATS = [JSON_TYPE, "text/csv", "application/x-ndjson"];

/** Asks for one thing. */
export async function ask(client: Client, request: string): Promise<Answers[string]> {
  const [path = "", accept = ""] = request.split(" ");
  const { status, headers, body, text } = await client.get(path, accept ? { Accept: accept } : {});
  if (headers.get("Content-Type")?.startsWith("text/html")) return { status };
  return body === undefined ? { status, text } : { status, json: body };
}

/** Asks for all that there is. */
export async function askAll(client: Client): Promise<Answers> {
  const answers: Answers = {};
  const note = async (request: string) => {
    answers[request] = await ask(client, request);
    return answers[request].json;
  };
  for (const list of LISTS) {
    for (const format of FORMATS)
      await note(`${list}${format === JSON_TYPE ? "?pagination[limit]=500" : ""} ${format}`);
    for (const item of await client.all(list))
      for (const part of OF_ITEMS[list] ?? [])
        await note(`${list}/${item.id}${part} ${part === "/export" ? "text/csv" : JSON_TYPE}`);
  }
  for (const { id } of await client.all("/screeners"))
    for (const publication of await client.all(`/screeners/${id}/publications`))
      for (const part of ["", "/content"]) await note(`/screener-publications/${publication.id}${part} ${JSON_TYPE}`);
  for (const { screenerSessionLink, linkSlug } of await client.all("/screener-sessions")) {
    const { pathname } = new URL(screenerSessionLink);
    await note(pathname);
    await note(`${pathname.replace(/\/screeners\/.*/, "")}/s/${linkSlug}`);
  }
  return answers;
}
