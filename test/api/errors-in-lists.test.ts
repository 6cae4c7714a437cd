// Entries of lists that are wrong by themselves hide nothing that is wrong with entries together: of every operation that takes a list of objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../support/client.ts";
import { Described, type DescribedOperation } from "../support/description.ts";
import { bodyOf, prepare, type Shown, sendExample, shownBy } from "../support/examples.ts";
import { startRelay } from "../support/mail-relay.ts";
import { startService } from "../support/service.ts";

const relay = await startRelay();
const service = await startService({ config: { logLevel: "silent", mail: relay.config() } });
const { body: description } = await service.workspace().get("/openapi.json");
const described = new Described(description);

// biome-ignore lint/suspicious/noExplicitAny: JSON of any body
type Json = any;

const hello = { subject: "Hello", body: "{{link}}" };
const translations = [
  { language: "de", ...hello },
  { language: "fr", ...hello },
];

/** Members that no example has. */
const MORE: Record<string, object> = {
  createMailing: { translations, reminders: [{ afterDays: 3, ...hello, translations }] },
  previewMailing: { translations },
  testMailing: { translations },
  changeScreenerPublication: { tags: [{ category: "wave", value: "1" }] },
};

/** Lists of which no entry rests on another one, and that no example has: the parts of a condition, and where a draft is incomplete, which is read alone. */
const ALONE = new Set(["all", "any", "incomplete"]);

/** The pointers of all lists of objects in a body. */
function listsIn(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.entries(value).flatMap(([name, one]) => listsIn(one, `${at}/${name}`));
  return Array.isArray(value) && typeof value[0] === "object" && value[0] !== null ? [at, ...within] : within;
}

/** The names of all lists of objects in a schema. */
function namesIn(schema: Json, name: string, seen = new Set<Json>()): string[] {
  const { $ref } = schema;
  const one = $ref ? description.components.schemas[$ref.split("/").at(-1)] : schema;
  if (seen.has(one)) return [];
  const passed = new Set([...seen, one]);
  const parts = [...(one.oneOf ?? []), ...(one.anyOf ?? []), ...(one.allOf ?? [])];
  const members = Object.entries(one.properties ?? {}).flatMap(([member, type]) => namesIn(type, member, passed));
  const items = one.items ? namesIn(one.items, "", passed) : [];
  const hasObjects = one.items && isObject(one.items);
  return [
    ...(hasObjects ? [name] : []),
    ...members,
    ...items,
    ...parts.flatMap((part: Json) => namesIn(part, name, passed)),
  ];
}

function isObject({ $ref, properties, oneOf = [], anyOf = [] }: Json): boolean {
  if ($ref) return isObject(description.components.schemas[$ref.split("/").at(-1)]);
  return properties !== undefined || [...oneOf, ...anyOf].some(isObject);
}

/** A body with another list. */
function withList(body: Json, at: string, list: (entries: Json[]) => Json[]): Json {
  const copy = structuredClone(body);
  const steps = at.split("/").slice(1);
  const owner = steps.slice(0, -1).reduce((one, step) => one[step], copy);
  owner[steps.at(-1)!] = list(owner[steps.at(-1)!]);
  return copy;
}

interface Sent {
  operationId: string;
  endpoint: DescribedOperation;
  shown: Shown;
  body: Json;
}

const sent: Sent[] = [...described.operations].flatMap(([operationId, endpoint]) =>
  shownBy(endpoint.operation).flatMap((shown) => {
    const body = bodyOf(endpoint.operation, shown.name);
    if (body?.type !== "application/json") return [];
    return { operationId, endpoint, shown, body: { ...JSON.parse(body.text), ...MORE[operationId] } };
  }),
);

test("every list of objects that a body may have is in one of these bodies", () => {
  const missing: string[] = [];
  for (const [operationId, { operation }] of described.operations) {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    if (!schema) continue;
    const tried = sent.filter((one) => one.operationId === operationId).flatMap(({ body }) => listsIn(body));
    for (const name of new Set(namesIn(schema, "")))
      if (!ALONE.has(name) && !tried.some((at) => at.split("/").at(-1) === name))
        missing.push(`${operationId} ${name}`);
  }
  assert.deepEqual(missing, [], "give an example, or MORE");
});

/** The pointers of what is wrong, if anything is. */
function pointersOf({ status, body, text }: Answer): string[] {
  assert.ok(status < 400 || status === 400, text);
  return status === 400 ? (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer) : [];
}

/** Lists of which an entry that comes twice is an error. */
const refused: string[] = [];

for (const { operationId, endpoint, shown, body } of sent)
  for (const at of listsIn(body))
    test(`${operationId} "${shown.name}": ${at}`, async (t) => {
      const { client, ids, end } = await prepare(service, described, operationId);
      t.after(async () => {
        end();
        await service.drain();
      });
      const send = async (list: (entries: Json[]) => Json[]) => {
        const text = JSON.stringify(withList(body, at, list));
        const type = "application/json";
        const changed = structuredClone(endpoint);
        changed.operation.requestBody!.content[type]!.examples![shown.name]!.value = text;
        return pointersOf(await sendExample(changed, shown, { client, ids }));
      };
      const twice = (entries: Json[]) => [...entries, structuredClone(entries[0])];
      const together = (await send(twice)).filter((pointer) => pointer.startsWith(`${at}/`) || pointer === at);
      if (!together.length) return;
      refused.push(`${operationId} ${at.replaceAll(/\d+/g, "0")}`);
      const missingIn = (pointers: string[], wanted: string[]) =>
        wanted.filter((pointer) => !pointers.includes(pointer));
      const behind = await send((entries) => [...twice(entries), 5, {}]);
      assert.deepEqual(missingIn(behind, together), [], `with wrong ones behind it: ${behind}`);
      const shifted = together.map((pointer) =>
        pointer.replace(new RegExp(`^(${at}/)(\\d+)`), (_, before, index) => `${before}${Number(index) + 2}`),
      );
      const before = await send((entries) => [5, {}, ...twice(entries)]);
      assert.deepEqual(missingIn(before, shifted), [], `with wrong ones before it: ${before}`);
      // Of an answer, what is wrong first is all that is said.
      const isSaid = (index: number) => before.some((one) => one === at || one.startsWith(`${at}/${index}`));
      assert.ok([0, 1].every(isSaid), `the wrong ones themselves: ${before}`);
      const same = await send((entries) => [...entries, { ...structuredClone(entries[0]), colour: "red" }]);
      assert.deepEqual(missingIn(same, together), [], `with an unknown member of its own: ${same}`);
    });

test("of the lists whose entries differ, an entry that comes twice is refused", () => {
  assert.deepEqual([...new Set(refused)].sort(), [
    "assessScreenerFeasibility /quotas",
    "changeScreenerTranslation /strings",
    "createMailing /reminders/0/translations",
    "createMailing /translations",
    "forecastScreenerQuotas /quotas",
    "importScreenerParticipants /participants",
    "previewMailing /translations",
    "putPageWords /words",
    "putScreenerContent /assignments",
    "putScreenerContent /assignments/0/arms",
    "putScreenerContent /pages",
    "putScreenerContent /pages/0/questions",
    "putScreenerContent /pages/0/questions/0/columns",
    "putScreenerContent /pages/0/questions/0/options",
    "putScreenerContent /pages/0/questions/0/rows",
    "putScreenerContent /quotas",
    "putScreenerPageWords /words",
    "putScreenerTranslation /strings",
    "putWorkspaceAttributes /attributes",
    "submitScreenerResponses /responses",
    "submitScreenerResponses /responses/0/answer",
    "submitScreenerResponses /responses/0/answer/rows",
    "submitScreenerResponses /responses/0/answer/rows/0/choices",
    "testMailing /translations",
  ]);
});
