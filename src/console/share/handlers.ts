// The page from which a study is shared, and its forms.

import { renderSVG } from "uqr";
import { newId } from "../../base/ids.ts";
import type { NewScreenerLink, NewScreenerParticipant, Screener } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { begunQuotas, countUnopened } from "../publish/leftovers.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import { byTime } from "../shell/newest.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { studyFrame } from "../study/handlers.ts";
import type { Typed } from "../study/person-form.tsx";
import { type AddedPerson, type NewVersion, renderShare } from "./page.tsx";

const LINKS_PER_PAGE = 20;

const BOXES = ["askName", "askEmail", "confirmEmail", "required", "oneEach", "requireSignature"];
const TEXTS = ["name", "limit", "accept", "email", "personName", "externalUid"];

/** GET of the page. */
export function showShare(request: VisitorRequest): Promise<Reply> {
  return replyWith(request, {});
}

/** POST: makes an open link, or adds one person. */
export async function share(request: VisitorRequest): Promise<Reply> {
  const { fields } = request;
  const typed = Object.fromEntries([...BOXES, ...TEXTS].map((name) => [name, fields(name).trim()]));
  return fields("make") === "person" ? addPerson(request, typed) : makeLink(request, typed);
}

/** GET of an open link as a QR code, with the white margin that readers need. */
export async function sendCode({ calls, params }: VisitorRequest): Promise<Reply> {
  const { link } = await calls.get("getScreenerLink", { id: params.link! });
  return { status: 200, type: "image/svg+xml", body: renderSVG(link, { border: 4, ecc: "M" }) };
}

/** POST: revokes an open link. */
export async function revokeLink({ base, calls, params }: VisitorRequest): Promise<Reply> {
  await calls.send("revokeScreenerLink", { id: params.link! });
  return redirect(`${base}/console/studies/${params.id}/share`);
}

const once = ({ fields }: VisitorRequest) => ({ "idempotency-key": fields("key") });

async function makeLink(request: VisitorRequest, typed: Typed): Promise<Reply> {
  const { base, calls, params } = request;
  const { name = "", limit = "", accept = "" } = typed;
  const body: NewScreenerLink = {
    screenerId: params.id!,
    name,
    ask: [
      ...(typed.askName ? (["NAME"] as const) : []),
      ...(typed.askEmail || typed.confirmEmail ? (["EMAIL"] as const) : []),
    ],
    required: typed.required !== "",
    limit: limit === "" ? null : /^\d+$/.test(limit) ? Number(limit) : unchecked<number>(limit),
    oneEach: typed.confirmEmail ? "EMAIL" : typed.oneEach ? "BROWSER" : "NONE",
    confirmEmail: typed.confirmEmail !== "",
    requireSignature: typed.requireSignature !== "",
    accept: accept.split(",").flatMap((key) => key.trim() || []),
  };
  try {
    await calls.send("createScreenerLink", { body, headers: once(request) });
  } catch (error) {
    return replyWith(request, { typed, faults: faultsOf(error, ["name", "limit", "accept", "required"]) });
  }
  return redirect(`${base}/console/studies/${params.id}/share#open-links`);
}

async function addPerson(request: VisitorRequest, typed: Typed): Promise<Reply> {
  const { calls, params } = request;
  const { email, personName, externalUid } = typed;
  if (!(email || personName || externalUid))
    return replyWith(request, { typed, faults: { email: "is required, unless a name or an id is given" } });
  const body: NewScreenerParticipant = {
    screenerId: params.id!,
    ...(email && { email }),
    ...(personName && { name: personName }),
    ...(externalUid && { externalUid }),
  };
  try {
    const { value: person } = await calls.send("addScreenerParticipant", { body, headers: once(request) });
    const { value: opened } = await calls.send("openScreenerSession", { body: { screenerParticipantId: person.id } });
    const { screenerSessionLink: link } = opened as { screenerSessionLink: string };
    return await replyWith(request, { added: { name: person.name ?? person.email, link } });
  } catch (error) {
    const { name, ...faults } = faultsOf(error, ["email", "name", "externalUid"]);
    return replyWith(request, { typed, faults: { ...faults, ...(name !== undefined && { personName: name }) } });
  }
}

async function replyWith(
  request: VisitorRequest,
  { typed = {}, faults = {}, added }: { typed?: Typed; faults?: Faults; added?: AddedPerson },
): Promise<Reply> {
  const { calls, params, query } = request;
  const { frame, screener } = await studyFrame(request);
  const read = (sent: string) => calls.get("listScreenerLinks", { query: sent });
  const filter = `filter[screenerId][eq]=${params.id}`;
  const { items, ...list } = await byTime(read, filter, { query, limit: LINKS_PER_PAGE });
  const isPublished = screener.activePublicationId !== null;
  const curl = calls.curl("listScreenerLinks", { query: filter });
  const published = query.has("published") ? await newVersion(request, screener) : undefined;
  const view = { published, links: items, ...list, isPublished, typed, faults, added, curl, key: newId() };
  return page(Object.keys(faults).length ? 422 : 200, renderShare(frame, view));
}

async function newVersion(request: VisitorRequest, { activePublicationId }: Screener): Promise<NewVersion | undefined> {
  if (activePublicationId === null) return undefined;
  const live = await request.calls.get("getScreenerPublication", { id: activePublicationId });
  return {
    version: live.version,
    unopened: await countUnopened(request),
    begun: await begunQuotas(request, live),
  };
}
