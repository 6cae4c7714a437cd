// The open link by which somebody comes, and whether that person may join its study now.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import { acceptedOf, attributesAt } from "../nouns/links/attributes.ts";
import { findLinkByToken, type LinkRow, statusOf } from "../nouns/links/queries.ts";
import type { LinkStatus } from "../nouns/links/resource.ts";
import { NOBODY } from "../nouns/participants/resource.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { refusalOf } from "../nouns/screeners/queries.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { SIGNATURE } from "../nouns/signing-keys/parameter.ts";
import { listSecrets } from "../nouns/signing-keys/queries.ts";
import { signedPart } from "../nouns/signing-keys/sign.ts";
import { type Answering, answeringAtFirst, stillAnswering } from "../screening/answering.ts";
import type { Study } from "../screening/join.ts";
import { isFullAtStart } from "../screening/places.ts";
import type { Speech } from "../words/speech.ts";
import type { WorkspaceRow } from "../workspaces/queries.ts";
import { type AskedLanguages, askedIn, speechAsked } from "./asked.ts";
import { type Ending, type EndView, endingWith } from "./ending.ts";
import { findOpened, type Known, type Opened } from "./queries.ts";
import { folderOf } from "./replies.ts";
import { type PageRequest, workspaceOf } from "./requests.ts";
import type { Visit } from "./visit.ts";

const ENDINGS: Record<Exclude<LinkStatus, "OPEN">, Ending> = {
  NOT_YET_OPEN: "notYetOpen",
  CLOSED: "closed",
  FULL: "full",
  REVOKED: "removed",
};

/** Who comes by a link. */
export interface Arrival {
  link: LinkRow;
  /** The text of src/base/attributes.ts. */
  attributes: string;
  asked: AskedLanguages;
  /** Whether the link asks for a signature, and the address has none that is right. */
  isForged: boolean;
  /** What was read for somebody who came before. It may have changed since. */
  known?: Known | undefined;
}

/** The study that somebody who comes by a link may join. */
export interface Admitted {
  opened: Opened;
  answering: Answering;
}

/**
 * Or why nobody may join now. @param seed of the order by chance @param before what was found a moment ago for this arrival with this seed: what
 * can't have changed is not worked out again
 */
export function admit(
  db: Reader,
  published: Parsed,
  { link, attributes, asked, isForged, known }: Arrival,
  seed: string,
  before?: Answering,
): Admitted | Visit {
  const opened = known?.opened ?? db.once(`opened ${link.screener_id}`, () => findOpened(db, link)!);
  const ended = (viewIn: (speech: Speech) => EndView): Visit => {
    const speech = speechAsked(asked);
    const offered = { languages: JSON.parse(opened.languages ?? "[]") as string[], language: speech.language };
    return { kind: "ending", ...viewIn(speech), offered };
  };
  const status = statusOf(link, new Date());
  const ending = status === "OPEN" ? refusalOf(opened) : ENDINGS[status];
  if (ending) {
    const opensAt = status === "NOT_YET_OPEN" ? link.opens_at : opened.opens_at;
    return ended((speech) => endingWith(ending, speech, opensAt, opened.time_zone));
  }
  if (isForged) return { kind: "ending", ...endingWith("forged", speechAsked(asked)) };
  const id = opened.active_publication_id;
  const publication = known?.publication ?? (id && db.once(`publication ${id}`, () => findPublicationById(db, id)));
  if (!publication) return ended((speech) => endingWith("notYetOpen", speech));
  const answering =
    (before && stillAnswering(db, published, publication, before)) ??
    answeringAtFirst(db, published, publication, attributes, seed);
  if (isFullAtStart(db, answering, { state: "NOT_STARTED", participant_id: NOBODY }))
    return ended((speech) => endingWith("full", speech));
  return { opened, answering };
}

/** What somebody joins who was admitted. */
export function studyOf({ opened, answering }: Admitted): Study {
  return { screener: opened.screener_uid, publication: answering.publication };
}

/** An open link that was found, and who comes by it. */
export interface FoundLink {
  workspace: WorkspaceRow;
  arrival: Arrival;
  /** The path of the link, and its address with what it accepts. */
  path: string;
  address: string;
}

/** @param knownLinks where it may be known from before */
export function findOpenLink(request: PageRequest, knownLinks?: PageRequest["knownLinks"]): FoundLink | undefined {
  const workspace = workspaceOf(request);
  const known = workspace && knownLinks?.get(`${workspace.uid} ${request.params.token}`);
  const find = (db: Reader) => findLinkByToken(db, request.params.token!);
  const link = known?.link ?? (workspace && request.context.workspaces.read(workspace.uid, find));
  if (!workspace || !link) return undefined;
  const path = `${folderOf(request, workspace)}/o/${link.token}`;
  const accepted = link.requires_signature ? signedQuery(request, workspace, link) : plainQuery(request, link);
  return {
    workspace,
    arrival: {
      link,
      attributes: accepted ? attributesAt(link, acceptedOf(link, new URLSearchParams(accepted))) : link.attributes,
      asked: askedIn(request),
      isForged: accepted === undefined,
      known,
    },
    path,
    address: accepted ? `${path}?${accepted}` : path,
  };
}

/** By which it is known. */
export const keyOf = ({ workspace, arrival }: FoundLink) => `${workspace.uid} ${arrival.link.token}`;

/** What a link accepts of the query in its address. */
function plainQuery({ querystring }: PageRequest, link: LinkRow): string {
  return querystring && acceptedOf(link, new URLSearchParams(querystring)).toString();
}

/** The query as it was signed, with its signature; undefined: it was not, or was changed since. What comes behind it counts for nothing. */
function signedQuery(
  { context, querystring }: PageRequest,
  workspace: WorkspaceRow,
  link: LinkRow,
): string | undefined {
  const secrets = context.workspaces.read(workspace.uid, (db) => listSecrets(db, new Date()));
  const { publicUrl } = context.config;
  const base = `${publicUrl.replace(/\/+$/, "")}${appPath(context.cell, workspace.uid)}/o/${link.token}`;
  const part = signedPart(base, querystring, secrets);
  if (part === undefined) return undefined;
  const signatures = querystring
    .slice(part.length)
    .split("&")
    .filter((one) => one.startsWith(`${SIGNATURE}=`));
  return [...(part ? [part] : []), ...signatures].join("&");
}
