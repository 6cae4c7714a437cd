// The requests of docs/requests.http, sent in their order, as an editor sends them.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sharedService } from "../support/service.ts";

interface Request {
  title: string;
  name: string | undefined;
  method: string;
  url: string;
  headers: [string, string][];
  body: string | undefined;
}

/** What the file uses of the format: variables at the top, `###` between requests, `# @name`, headers, an empty line, the body. */
function parse(text: string): { variables: Map<string, string>; requests: Request[] } {
  const [top = "", ...parts] = text.split(/^### /m);
  const variables = new Map([...top.matchAll(/^@(\w+) = (.+)$/gm)].map(([, name, value]) => [name!, value!]));
  const requests = parts.map((part) => {
    const [head = "", ...body] = part.trim().split("\n\n");
    const [title = "", ...lines] = head.split("\n");
    const named = lines[0]!.match(/^# @name (\w+)$/);
    const [line = "", ...headers] = named ? lines.slice(1) : lines;
    const [, method = "", url = ""] =
      line.match(/^([A-Z]+) (\S+)$/) ?? assert.fail(`${title}: "${line}" is no request`);
    return {
      title,
      name: named?.[1],
      method,
      url,
      headers: headers.map((header): [string, string] => {
        const [, key = "", value = ""] = header.match(/^([\w-]+): (.+)$/) ?? assert.fail(`${title}: "${header}"`);
        return [key, value];
      }),
      body: body.length ? body.join("\n\n") : undefined,
    };
  });
  return { variables, requests };
}

test("the requests for editors lead through the life of a workspace", async () => {
  const service = await sharedService();
  const client = service.workspace();
  const { variables, requests } = parse(readFileSync("docs/requests.http", "utf8"));
  assert.deepEqual([...variables.keys()], ["url", "apiKey", "apiSecret"]);
  for (const [name, value] of Object.entries({ url: service.url, ...client.credentials })) variables.set(name, value);
  const answers = new Map<string, { body: unknown; headers: Headers }>();

  /** Puts in values: of variables, and of what named requests were answered. */
  const filled = (text: string) =>
    text.replace(/\{\{(.*?)\}\}/g, (_, expression: string) => {
      if (expression === "$guid") return randomUUID();
      const variable = variables.get(expression);
      if (variable !== undefined) return variable;
      const [, name = "", part, path = ""] = expression.match(/^(\w+)\.response\.(body|headers)\.(.+)$/) ?? [];
      const answer = answers.get(name) ?? assert.fail(`{{${expression}}}: no request before it has this name`);
      const value = part === "headers" ? answer.headers.get(path) : at(answer.body, path);
      assert.equal(typeof value, "string", `{{${expression}}} in ${JSON.stringify(answer.body)}`);
      return value as string;
    });

  const texts = new Map<string, string>();
  for (const { title, name, method, url, headers, body } of requests) {
    const response = await fetch(filled(url), {
      method,
      headers: headers.map(([key, value]): [string, string] => [key, filled(value)]),
      ...(body !== undefined && { body: filled(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${title}: ${method} ${filled(url)}: ${response.status} ${text}`);
    texts.set(title, text);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    if (name) answers.set(name, { headers: response.headers, body: isJson ? JSON.parse(text) : text });
  }
  const said = (title: RegExp) => [...texts].find(([one]) => title.test(one))![1];
  assert.match(said(/^Whom did it remove/), /"externalUid":"P-2"/);
  assert.match(said(/^The answers as one table/), /Machines.*Hot milk/);
  assert.match(
    said(/^Why did the session end so/),
    /"sentence":"Qualified: no page screens out, and this holds: “How old are you\?” is at least 18/,
  );
  assert.match(said(/^What has happened so far/), /"note":"A clearer name"/);
  const { items } = JSON.parse(said(/^What is left/));
  assert.deepEqual(
    items.map(({ externalUid }: { externalUid: string }) => externalUid),
    ["P-2", "P-3"],
    "the undo took P-4 back, and P-1 was erased",
  );
  assert.equal((await client.get("/screeners")).body.total, 0);
});

/** The value at a path such as `$.items[0].id`. */
function at(body: unknown, path: string): unknown {
  return path
    .replace(/^\$\./, "")
    .split(/[.[\]]+/)
    .filter((key) => key)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);
}
