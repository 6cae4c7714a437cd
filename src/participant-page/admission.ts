// Whether somebody who comes by an open link may join its study now.

import type { Reader } from "../../db/sqlite/connection.ts";
import type { Parsed } from "../base/parsed.ts";
import { type LinkRow, statusOf } from "../nouns/links/queries.ts";
import type { LinkStatus } from "../nouns/links/resource.ts";
import { NOBODY } from "../nouns/participants/resource.ts";
import { findPublicationById } from "../nouns/publications/queries.ts";
import { refusalOf } from "../nouns/screeners/queries.ts";
import { type Answering, answeringAtFirst, stillAnswering } from "../screening/answering.ts";
import type { Study } from "../screening/join.ts";
import { isFullAtStart } from "../screening/places.ts";
import type { Speech } from "../words/speech.ts";
import { type AskedLanguages, speechAsked } from "./asked.ts";
import { type Ending, type EndView, endingWith } from "./ending.ts";
import { findOpened, type Opened } from "./queries.ts";
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
  { link, attributes, asked, isForged }: Arrival,
  seed: string,
  before?: Answering,
): Admitted | Visit {
  const opened = db.once(`opened ${link.screener_id}`, () => findOpened(db, link)!);
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
  const publication = id && db.once(`publication ${id}`, () => findPublicationById(db, id));
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
