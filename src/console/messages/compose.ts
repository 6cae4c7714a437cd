// The page from which people of a study are written to: what was written, and a new message, its preview, its test and its plan.

import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import type { MailTest, NewMailingPreview } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { askedIn } from "../filters/asked.ts";
import { type FilterField, fieldsOfColumns, fieldsOfSessions } from "../filters/filter-words.ts";
import { namesOf } from "../filters/names.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { nameOf } from "../shell/language-name.tsx";
import { byTime, newestOf } from "../shell/newest.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import { type Preview, renderMessages } from "./compose-page.tsx";
import { conditionsOf } from "./conditions.ts";
import type { Offered } from "./form-view.ts";
import { LABELS, labelsOf, mailingOf, readTyped, stepOf, type Typed } from "./typed.ts";

const MAILINGS_PER_PAGE = 20;

/** How many other studies are offered, the newest ones. */
const MAX_STUDIES = 50;

/** Texts in several languages, each sign of which may take nine bytes. */
export const MAX_MESSAGE_FORM_BYTES = 2 * 1024 * 1024;

export const pathOf = ({ base, params }: VisitorRequest) => `${base}/console/studies/${params.id}/messages`;

/** GET of what was written, with the form of a new message: to the people whom the address names as that of the table of answers does. */
export async function showMessages(request: VisitorRequest): Promise<Reply> {
  const { filters } = askedIn(request.query);
  if (!filters.length) return replyWith(request, {});
  const { timeZone } = await request.calls.get("getScreener", { id: request.params.id! });
  const conditions = conditionsOf(filters, { by: await fieldsFor(request), timeZone });
  const words = { subject: "", body: "Dear {{name|participant}},\n\n" };
  const plain = { ...FIRST.plain, kind: "MESSAGE", status: "" };
  const typed = { ...FIRST, plain, steps: [{ days: "", words: new Map([["", words]]) }], conditions };
  return replyWith(request, { typed });
}

interface Shown {
  typed?: Typed;
  faults?: Faults;
  preview?: Preview;
  tested?: MailTest;
}

/** What the form has before anything is typed. */
const FIRST: Typed = {
  plain: {
    ...(Object.fromEntries(Object.keys(LABELS).map((name) => [name, ""])) as Typed["plain"]),
    ...{ kind: "INVITATION", status: "NOT_STARTED,IN_PROGRESS" },
  },
  lists: { windowDays: [], quotaIds: [], notInScreenerIds: [] },
  steps: [
    {
      days: "",
      words: new Map([
        [
          "",
          {
            subject: "Your invitation",
            body: "Dear {{name|participant}},\n\nplease answer our questions. This is your own link:\n\n{{link}}\n\nThank you!",
          },
        ],
      ]),
    },
  ],
  conditions: [],
};

async function replyWith(request: VisitorRequest, { typed = FIRST, faults = {}, ...made }: Shown): Promise<Reply> {
  const { calls, context, params, query } = request;
  const { frame } = await studyFrame(request);
  const read = (sent: string) => calls.get("listMailings", { query: sent });
  const filter = `filter[screenerId][eq]=${params.id}`;
  const { items, ...list } = await byTime(read, filter, { query, limit: MAILINGS_PER_PAGE });
  const labels = labelsOf(typed, nameOf);
  const form = context.mail && { typed, offered: await offeredTo(request), labels, faults, key: newId() };
  const curl = calls.curl("listMailings", { query: filter });
  const view = { mailings: items, ...list, form, ...made, curl };
  return page(Object.keys(faults).length ? 422 : 200, renderMessages(frame, view));
}

/** What the form offers to choose from. */
async function offeredTo(request: VisitorRequest): Promise<Offered> {
  const { calls, params } = request;
  const id = params.id!;
  const { timeZone } = await calls.get("getScreener", { id });
  const { quotas } = await namesOf(request);
  const read = (query: string) => calls.get("listScreeners", { query });
  const { items } = await newestOf(read, "", { limit: MAX_STUDIES + 1, offset: 0 });
  const studies = items
    .filter((one) => one.id !== id)
    .slice(0, MAX_STUDIES)
    .map((one) => ({ id: one.id, text: one.title ?? "Without a title" }));
  return { timeZone, languages: await languagesOf(request), filters: await fieldsFor(request), quotas, studies };
}

/** By what people can be chosen: the same as the table of answers is filtered by. */
async function fieldsFor(request: VisitorRequest): Promise<FilterField[]> {
  const { calls, params } = request;
  const { items } = await calls.get("listScreenerAnswerColumns", { id: params.id! });
  return [...fieldsOfColumns(items), ...fieldsOfSessions(await namesOf(request))];
}

/** Those in which people can read the study, besides its own. */
async function languagesOf({ calls, params }: VisitorRequest): Promise<string[]> {
  const { activePublicationId: id } = await calls.get("getScreener", { id: params.id! });
  return id === null ? [] : (await calls.get("getScreenerPublication", { id })).languages.slice(1);
}

/** POST: shows a message as one person gets it, sends it to oneself, or plans the mailing. */
export async function compose(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const typed = readTyped(fields, await languagesOf(request));
  const make = fields("make");
  if (make === "preview") return look(request, typed, previewOf);
  if (make === "test") return look(request, typed, testOf);
  return make === "plan" ? plan(request, typed) : replyWith(request, { typed });
}

/** Shows one message of a mailing, or sends it to oneself. */
async function look(request: VisitorRequest, typed: Typed, make: typeof previewOf | typeof testOf): Promise<Reply> {
  const { words, fields } = stepOf(typed, Number(typed.plain.which));
  try {
    const participantId = await personIdOf(request, typed.plain.person);
    const asked = { screenerId: request.params.id!, ...words, ...(participantId !== undefined && { participantId }) };
    return await replyWith(request, { typed, ...(await make(request, asked, typed.plain.address)) });
  } catch (error) {
    return replyWith(request, { typed, faults: faultsIn(error, new Map([...fields, ["/to", "address"]])) });
  }
}

/** What a call refuses, by the fields. @param fields by the pointers of their members */
function faultsIn(error: unknown, fields: ReadonlyMap<string, string>): Faults {
  const found: Faults = {};
  for (const [pointer, message] of Object.entries(faultsOf(error, []))) {
    let at = pointer;
    while (at.includes("/") && !fields.has(at)) at = at.slice(0, at.lastIndexOf("/"));
    const name = fields.get(at) ?? pointer.slice(1);
    const isField = fields.has(at) || Object.hasOwn(LABELS, name);
    found[isField ? name : pointer] ??= isField ? message.slice(pointer.length + 1) : message;
  }
  return found;
}

/** @throws Problem that says so of the field, if nobody has the id */
async function personIdOf({ calls }: VisitorRequest, externalUid: string): Promise<string | undefined> {
  if (externalUid === "") return undefined;
  const query = `filter[externalUid][eq]=${encodeURIComponent(externalUid)}`;
  const { items } = await calls.get("listParticipants", { query });
  if (items[0]) return items[0].id;
  const errors = [{ pointer: "/person", message: "is nobody’s" }];
  throw new Problem("invalid_request", { detail: "Nobody has this id.", errors });
}

async function previewOf({ calls }: VisitorRequest, body: NewMailingPreview): Promise<{ preview: Preview }> {
  return { preview: (await calls.send("previewMailing", { body })).value };
}

async function testOf({ calls }: VisitorRequest, body: NewMailingPreview, to: string): Promise<{ tested: MailTest }> {
  return { tested: (await calls.send("testMailing", { body: { ...body, to } })).value };
}

async function plan(request: VisitorRequest, typed: Typed): Promise<Reply> {
  const { calls, fields: sent, params } = request;
  const study = await calls.get("getScreener", { id: params.id! });
  const { body, fields, faults } = mailingOf(study, typed, await fieldsFor(request));
  if (Object.keys(faults).length) return replyWith(request, { typed, faults });
  const headers = { "idempotency-key": sent("key") || newId() };
  try {
    const { value, headers: replied } = await calls.send("createMailing", { body, headers });
    const job = (value as { id?: string }).id ?? String(replied.Location).split("/").at(-1);
    return redirect(`${pathOf(request)}/plans/${job}`);
  } catch (error) {
    return replyWith(request, { typed, faults: faultsIn(error, fields) });
  }
}
