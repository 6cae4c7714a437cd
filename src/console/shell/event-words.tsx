// What events say to people, with the names of the study and the person that they are about.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import { isUuid } from "../../base/schemas.ts";
import type { Event } from "../../client/types.ts";
import { DOWNLOADED, type DownloadedData, EVENTS, type EventType } from "../../events/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { findUserName } from "../../workspaces/console-users.ts";
import { findApiKeyByUid } from "../../workspaces/queries.ts";
import { inWords, nameOfJob } from "./job-words.ts";
import { inWords as inKnownWords, OUTCOMES, REVIEWS } from "./known-words.ts";
import type { VisitorRequest } from "./request.ts";

/** A text, or the name of something, which may have a page. */
type Piece = string | { name: string; path?: string };

/** An event, and what it says to people. */
export type EventInWords = Event & { words: Piece[] };

/** Events with their words. Each thing is looked up once. */
export async function wordsOf(request: VisitorRequest, events: readonly Event[]): Promise<EventInWords[]> {
  const { base } = request;
  const find = finders(request);
  const found: EventInWords[] = [];
  for (const event of events) {
    const { type, resource, summary } = event;
    const of = (kind: string) => (resource._type === kind ? resource.id : undefined);
    const session = await find.session(of("ScreenerSession"));
    const publication = await find.publication(of("ScreenerPublication"));
    const mailing = await find.mailing(of("Mailing"));
    const about = summary?.screenerId ?? (session ?? publication ?? mailing)?.screenerId;
    const study = await find.study(of("Screener") ?? about);
    const assignment = await find.assignment(session?.screenerParticipantId);
    const person = await find.person(of("Participant") ?? summary?.participantId ?? assignment?.participantId);
    const names: Record<string, Piece> = {
      "{who}": actorIn(event),
      "{study}": study
        ? { name: study.title ?? "Without a title", path: `${base}/console/studies/${study.id}` }
        : "a study",
      "{person}": summary?.isTest
        ? "a test"
        : person
          ? { name: person.name || person.externalUid, path: `${base}/console/people/${person.id}` }
          : "somebody",
      "{version}": versionIn(publication?.version ?? summary?.version),
      "{name}": await find.name(event),
      "{what}": membersIn(event.changes),
      "{job}": jobIn(event),
    };
    const words = (isKnown(type) ? (otherWords(event) ?? EVENTS[type].inWords) : UNKNOWN_WORDS)
      .replace("{data}", () => downloadIn(summary))
      .split(/(\{\w+\})/)
      .filter(Boolean)
      .map((piece) => names[piece] ?? piece);
    found.push({ ...event, words: sentence(words) });
  }
  return found;
}

/** What is said where nobody of the workspace has done it, but the person has; and where data was shown, and not sent as a file. */
function otherWords({ type, actor, summary }: Event): string | undefined {
  const isSelf = actor._type === "ScreenerSessionActor";
  if (isSelf && type === "screener-session.created") return "{person} got a link to {study}.";
  return type === "data.exported" && isPaged(summary) ? "{who} looked at {data}." : undefined;
}

/** Pages are parts: of them it is not said whether they are all. */
function isPaged(summary: Event["summary"]): boolean {
  return summary !== null && !("isWhole" in summary);
}

/** While an upgrade rolls, the log may have events of the new release. */
const UNKNOWN_WORDS = "{who} did something for which this release has no words yet.";

function isKnown(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** What events name, each looked up once, by its id. */
function finders(request: VisitorRequest) {
  const { calls, context, visitor } = request;
  const { reader } = context.control;
  const workspaceId = visitor.workspace_id;
  const names: Record<string, (id: unknown) => Promise<string | undefined>> = {
    ScreenerQuota: once(async (id) => (await calls.get("getScreenerQuota", { id })).name),
    ScreenerLink: once(async (id) => (await calls.get("getScreenerLink", { id })).name),
    WebhookEndpoint: once(async (id) => (await calls.get("getWebhookEndpoint", { id })).url),
    User: once(async (id) => findUserName(reader, workspaceId, id)),
    ApiKey: once(async (id) => findApiKeyByUid(reader, workspaceId, id)?.name),
  };
  return {
    session: once((id) => calls.get("getScreenerSession", { id })),
    study: once((id) => calls.get("getScreener", { id })),
    publication: once((id) => calls.get("getScreenerPublication", { id })),
    mailing: once((id) => calls.get("getMailing", { id })),
    assignment: once((id) => calls.get("getScreenerParticipant", { id })),
    person: once((id) => calls.get("getParticipant", { id })),
    /** Of the resource of an event. One that does not exist any more may have its name among the changes. */
    name: async ({ resource, changes, summary }: Event): Promise<Piece> => {
      const named = changes.find(({ field }) => field === "name" || field === "url");
      const quota = await names.ScreenerQuota!(summary?.screenerQuotaId);
      const name = (await names[resource._type]?.(resource.id)) ?? quota ?? named?.to ?? named?.from;
      return typeof name === "string" ? { name } : "–";
    },
  };
}

function actorIn({ actor }: Event): Piece {
  if (actor._type === "ServiceActor") return "The service";
  if (actor._type === "ScreenerSessionActor") return "somebody";
  return { name: actor.name };
}

/** Events that an earlier release has written do not say the kind. */
function jobIn({ type, summary }: Event): string {
  if (typeof summary?.kind === "string") return `the job “${nameOfJob(summary.kind)}”`;
  if (!type.startsWith("import.")) return "a job";
  // An undo counts what it takes back.
  return summary && "reverted" in summary ? "the undo of an import" : "an import";
}

function versionIn(version: unknown): string {
  return typeof version === "number" ? `version ${shown(version)}` : "a version";
}

/** A sentence begins with a capital. */
function sentence([first, ...rest]: Piece[]): Piece[] {
  return [typeof first === "string" ? first.charAt(0).toUpperCase() + first.slice(1) : first!, ...rest];
}

/** What members are called that an event has changed, where their own names do not say it. */
const MEMBERS: Record<string, string> = {
  "content.revision": "the draft",
  acceptance: "whether it takes answers",
  opensAt: "when it opens",
  closesAt: "when it closes",
  linkExpiresAt: "when links expire",
  quotaHoldMinutes: "how long places are held",
  externalUid: "the id",
  paused: "the pause",
  doNotContact: "whether to contact",
};

/** What a member is called in a sentence. */
function memberInWords(field: string): string {
  if (field.startsWith("attributes.")) return field.slice("attributes.".length);
  return MEMBERS[field] ?? `the ${inWords(field.replaceAll(".", " ")).toLowerCase()}`;
}

/** What a member is called beside its values. */
function nameOfMember(field: string): string {
  const words = memberInWords(field).replace(/^the /, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The members whose values are words of the API. */
const WITH_WORDS = new Set(["acceptance", "review", "mode", "role", "state", "status", "outcome", "outcomeReason"]);

/** Those that are called otherwise on screens. */
const SAID: Record<string, string> = { ...OUTCOMES, OVER_QUOTA: "Full" };

/** A change, as people read it. */
export function changeInWords({ field, from, to }: Event["changes"][number]) {
  const said = (value: unknown) => {
    // Of a session; that of a study is a word.
    if (field === "review" && value !== null && typeof value === "object")
      return inKnownWords(REVIEWS, (value as { state: keyof typeof REVIEWS }).state);
    return WITH_WORDS.has(field) && typeof value === "string" ? (SAID[value] ?? inWords(value)) : value;
  };
  return { name: nameOfMember(field), from: said(from), to: said(to) };
}

/** Up to three of them are named. */
function membersIn(changes: Event["changes"]): string {
  const names = [...new Set(changes.map(({ field }) => memberInWords(field)))];
  if (!names.length) return "something";
  if (names.length > 3) return `${names.length} things`;
  return new Intl.ListFormat("en-GB").format(names);
}

/** What was downloaded: `the answers to {study} (1,204 rows, CSV; filtered by status)`. */
function downloadIn(summary: Event["summary"]): string {
  const { data, format, rows, isWhole, isMixed, filters } = (summary ?? {}) as Partial<Download>;
  const what = (data && DOWNLOADED[data]) ?? "data";
  const count = rows === undefined ? [] : [counted(rows, "row", "rows")];
  const all = [...count, ...(format ? [format] : [])].join(", ");
  const some = filters?.length
    ? `; filtered by ${filters.map(({ field, values }) => [field, ...(values ?? []).filter((value) => !isUuid(value))].join(" ")).join(", ")}`
    : "";
  const paged = isMixed ? "; page by page, with several filters" : "; page by page";
  const how = isPaged(summary) ? paged : isWhole === false ? "; broken off" : "";
  return `${what} (${all}${some}${how})`;
}

interface Download {
  data: DownloadedData;
  format: string;
  rows: number;
  isWhole?: boolean;
  isMixed?: true;
  filters: { field: string; values?: string[] }[];
}

/** Looks each thing up once, by its id. Undefined: there is none, or not any more. */
function once<T>(get: (id: string) => Promise<T | undefined>): (id: unknown) => Promise<T | undefined> {
  const known = new Map<string, T | undefined>();
  return async (id) => {
    if (typeof id !== "string") return undefined;
    if (!known.has(id)) known.set(id, await unlessForbidden(unlessGone(get(id))));
    return known.get(id);
  };
}

/** Undefined: what a call was about does not exist, or not any more. */
export async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error) => {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  });
}

/** Undefined: the visitor's role may not see it. */
async function unlessForbidden<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error) => {
    if (error instanceof Problem && error.status === 403) return undefined;
    throw error;
  });
}

export function Words({ pieces }: { pieces: readonly Piece[] }): VNode {
  return (
    <>
      {pieces.map((piece) => {
        if (typeof piece === "string") return piece;
        const name = <bdi>{clean(piece.name)}</bdi>;
        return piece.path ? <a href={piece.path}>{name}</a> : name;
      })}
    </>
  );
}
