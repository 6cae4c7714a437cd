// What events say to people, with the names of the study and the person that they are about.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import { isUuid } from "../../base/schemas.ts";
import type { Event } from "../../client/types.ts";
import { DOWNLOADED, type DownloadedData, EVENTS } from "../../events/types.ts";
import type { Calls } from "./calls.ts";

/** A text, or the name of something, which may have a page. */
type Piece = string | { name: string; path?: string };

/** An event, and what it says to people. */
export type EventInWords = Event & { words: Piece[] };

/** Events with their words. Each thing is looked up once. @param base of the console's addresses */
export async function wordsOf(calls: Calls, base: string, events: readonly Event[]): Promise<EventInWords[]> {
  const findSession = once((id) => calls.get("getScreenerSession", { id }));
  const findStudy = once((id) => calls.get("getScreener", { id }));
  const findAssignment = once((id) => calls.get("getScreenerParticipant", { id }));
  const findPerson = once((id) => calls.get("getParticipant", { id }));
  const found: EventInWords[] = [];
  for (const event of events) {
    const { type, resource, summary } = event;
    const of = (kind: string) => (resource._type === kind ? resource.id : undefined);
    const session = await findSession(of("ScreenerSession"));
    const study = await findStudy(of("Screener") ?? summary?.screenerId ?? session?.screenerId);
    const assignment = await findAssignment(session?.screenerParticipantId);
    const person = await findPerson(of("Participant") ?? summary?.participantId ?? assignment?.participantId);
    const names: Record<string, Piece> = {
      "{study}": study
        ? { name: study.title ?? "Without a title", path: `${base}/console/studies/${study.id}` }
        : "a study",
      "{person}": summary?.isTest
        ? "a test"
        : person
          ? { name: person.name || person.externalUid, path: `${base}/console/people/${person.id}` }
          : "somebody",
    };
    const words = EVENTS[type].inWords
      .replace("{data}", () => downloadIn(summary))
      .split(/(\{\w+\})/)
      .filter(Boolean)
      .map((piece) => names[piece] ?? piece);
    found.push({ ...event, words });
  }
  return found;
}

/** What was downloaded: `the answers to {study} (1,204 rows, CSV; filtered by status)`. */
function downloadIn(summary: Event["summary"]): string {
  const { data, format, rows, isWhole, filters } = (summary ?? {}) as Partial<Download>;
  const what = (data && DOWNLOADED[data]) ?? "data";
  const count = rows === undefined ? [] : [`${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`];
  const all = [...count, ...(format ? [format] : [])].join(", ");
  const some = filters?.length
    ? `; filtered by ${filters.map(({ field, values }) => [field, ...(values ?? []).filter((value) => !isUuid(value))].join(" ")).join(", ")}`
    : "";
  return `${what} (${all}${some}${isWhole === false ? "; broken off" : ""})`;
}

interface Download {
  data: DownloadedData;
  format: string;
  rows: number;
  isWhole: boolean;
  filters: { field: string; values?: string[] }[];
}

/** Looks each thing up once, by its id. Undefined: there is none, or not any more. */
function once<T>(get: (id: string) => Promise<T>): (id: unknown) => Promise<T | undefined> {
  const known = new Map<string, T | undefined>();
  return async (id) => {
    if (typeof id !== "string") return undefined;
    if (!known.has(id)) known.set(id, await unlessGone(get(id)));
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
