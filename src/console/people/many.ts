// Removing many people from a study, or erasing them: chosen among people, or named in a list. It ends with a plan, which is a job.

import { newId } from "../../base/ids.ts";
import type { Participant } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { shown } from "../../languages/counted.ts";
import { MAX_OF, namesIn } from "../../removal-jobs/named.ts";
import { includesRole } from "../../workspaces/rights.ts";
import { started } from "../imports/jobs.ts";
import { unlessGone } from "../shell/event-words.tsx";
import type { Fault } from "../shell/fault-list.tsx";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { shownAgain } from "../shell/shown-again.ts";
import { renderMany } from "./many-page.tsx";
import { PEOPLE_PER_PAGE, studiesOf } from "./search.ts";

/** How many values a filter takes. */
const MAX_VALUES = 500;

/** How many names a message has. */
const MAX_NAMED = 10;

const MAX_LIST_BYTES = 4 * 1024 * 1024;

export const manyPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/people/many", role: "researcher", handle: showMany },
  { method: "post", path: "/console/people/many", role: "researcher", takesFile: true, handle: planMany },
];

/** What the form has sent. */
interface Typed {
  names: string;
  study: string;
  skips: boolean;
  faults: Fault[];
}

/** GET, with those who were chosen in the list of people. */
async function showMany(request: VisitorRequest): Promise<Reply> {
  const { calls, query } = request;
  const chosen: string[] = [];
  for (const id of query.getAll("id").slice(0, PEOPLE_PER_PAGE)) {
    const person = await unlessGone(calls.get("getParticipant", { id }));
    if (person) chosen.push(person.externalUid);
  }
  const names = chosen.join("\n");
  return manyPage(request, 200, { names, study: query.get("study") ?? "", skips: false, faults: [] });
}

async function manyPage(request: VisitorRequest, status: number, typed: Typed): Promise<Reply> {
  const { base, calls } = request;
  const view = {
    ...typed,
    names: shownAgain(typed.names),
    studies: await studiesOf(request),
    mayErase: includesRole(request.visitor.role, "admin"),
    key: newId(),
    curl: calls.curl("removeScreenerParticipants", {
      body: { screenerId: typed.study || "{screenerId}", screenerParticipantIds: [], dryRun: true },
    }),
  };
  return page(status, renderMany(base, signedIn(request), view));
}

/** POST: shows what it would do. */
async function planMany(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, file } = request;
  const fromFile = file ? await textOf(file.bytes) : "";
  await file?.rest;
  const [names, study, skips] = [`${fields("names")}\n${fromFile ?? ""}`, fields("study"), fields("skips") === "yes"];
  const refuse = (...faults: Fault[]) => manyPage(request, 422, { names: names.trim(), study, skips, faults });
  const act = fields("act") === "erase" ? "erase" : "remove";
  if (fromFile === undefined) return refuse({ field: "file", message: "The file is too long: take at most 4 MiB." });
  const listed = namesIn(names);
  const faults = faultsOf(listed, { act, study });
  if (faults.length) return refuse(...faults);
  const { people, unknown } = await findPeople(request, listed);
  const { ids, outside } =
    act === "erase" ? { ids: people.map(({ id }) => id), outside: [] } : await assignmentsOf(request, study, people);
  const missing = [...unknown, ...outside];
  if (missing.length && !skips) return refuse({ field: "names", message: missingInWords(missing, act) });
  if (!ids.length) return refuse({ field: "names", message: "Nobody is left." });
  const headers = { prefer: "respond-async", "idempotency-key": fields("key") || newId() };
  const job = await started(
    act === "erase"
      ? calls.send("eraseParticipants", { headers, body: { participantIds: ids, dryRun: true } })
      : calls.send("removeScreenerParticipants", {
          headers,
          body: { screenerId: study, screenerParticipantIds: ids, dryRun: true },
        }),
  );
  return redirect(`${base}/console/jobs/${job}`);
}

/** The file as text; undefined: it is too long. */
async function textOf(bytes: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size <= MAX_LIST_BYTES) parts.push(part);
  }
  return size > MAX_LIST_BYTES ? undefined : new TextDecoder().decode(Buffer.concat(parts));
}

function faultsOf(listed: readonly string[], { act, study }: { act: keyof typeof MAX_OF; study: string }): Fault[] {
  const max = MAX_OF[act];
  return [
    ...(listed.length ? [] : [{ field: "names", message: "Name them, or choose a file." }]),
    ...(listed.length > max
      ? [
          {
            field: "names",
            message: `These are ${shown(listed.length)}. Take at most ${shown(max)}, one part after the other.`,
          },
        ]
      : []),
    ...(act === "remove" && !study ? [{ field: "study", message: "Choose the study." }] : []),
  ];
}

function listOf(field: string, values: readonly string[]): string {
  const query = new URLSearchParams([["pagination[limit]", String(MAX_VALUES)]]);
  for (const value of values) query.append(`filter[${field}][in][]`, value);
  return query.toString();
}

/** Those with these ids, and of the others those with these emails. */
async function findPeople(request: VisitorRequest, names: readonly string[]) {
  const people = new Map<string, Participant>();
  const byId = await listAll(request, "externalUid", names);
  for (const one of byId) people.set(one.id, one);
  const ids = new Set(byId.map(({ externalUid }) => externalUid));
  const others = names.filter((name) => !ids.has(name));
  const byEmail = await listAll(
    request,
    "email",
    others.filter((name) => name.includes("@")),
  );
  for (const one of byEmail) people.set(one.id, one);
  const emails = new Set(byEmail.map(({ email }) => email!.toLowerCase()));
  return { people: [...people.values()], unknown: others.filter((name) => !emails.has(name.toLowerCase())) };
}

async function listAll({ calls }: VisitorRequest, field: "externalUid" | "email", values: readonly string[]) {
  const found: Participant[] = [];
  for (let at = 0; at < values.length; at += MAX_VALUES) {
    const query = listOf(field, values.slice(at, at + MAX_VALUES));
    found.push(...(await calls.get("listParticipants", { query })).items);
  }
  return found;
}

/** Their ids in the study, and who of them is not in it. */
async function assignmentsOf({ calls }: VisitorRequest, study: string, people: readonly Participant[]) {
  const ids: string[] = [];
  const outside: string[] = [];
  for (let at = 0; at < people.length; at += MAX_VALUES) {
    const some = people.slice(at, at + MAX_VALUES);
    const filter = listOf(
      "participantId",
      some.map(({ id }) => id),
    );
    const query = `filter[screenerId][eq]=${encodeURIComponent(study)}&${filter}`;
    const found = (await calls.get("listScreenerParticipants", { query })).items;
    const inStudy = new Set(found.map(({ participantId }) => participantId));
    ids.push(...found.map(({ id }) => id));
    outside.push(...some.filter(({ id }) => !inStudy.has(id)).map(({ externalUid }) => externalUid));
  }
  return { ids, outside };
}

function missingInWords(missing: readonly string[], act: keyof typeof MAX_OF): string {
  const [where, more] = [act === "erase" ? "not here" : "not in the study", missing.length - MAX_NAMED];
  const who = `${missing.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${shown(more)} more` : ""}`;
  return `${missing.length === 1 ? "One is" : `${shown(missing.length)} are`} ${where}: ${who}. Correct the list, or leave them out.`;
}
