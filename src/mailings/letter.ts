// A message as one person gets it.

import type { Control } from "../../db/control.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { getAppearance } from "../appearance/queries.ts";
import { parseAttributes } from "../base/attributes.ts";
import type { Correspondent, Unwritten } from "../mail/claims.ts";
import { filledWith, letterOf } from "../mail/letter.tsx";
import type { Letter } from "../mail/relay/compose.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { speechFor } from "../page-words/queries.ts";
import { speechIn } from "../words/languages.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { filling, type Step, type Texts, wordsFor } from "./texts.ts";

/** The attribute of a person that names their language. */
const LANGUAGE = "language";

interface From {
  publicUrl: string;
  cell: string | null;
  workspaceUid: string;
  screenerId: number;
}

interface Sent {
  texts: Pick<Texts, "language">;
  step: Step;
  to: Correspondent;
  /** The path of the person's link. Null: there is none. */
  link: string | null;
  /** The path of a link at which the person unsubscribes. Null: there is none. */
  stop: string | null;
}

/** What a message of a mailing says to a person. */
export function unwrittenFor(
  { publicUrl, cell, workspaceUid, screenerId }: From,
  { texts, step, to: { name, attributes }, link, stop }: Sent,
): Unwritten {
  const words = wordsFor(texts, step, parseAttributes(attributes).get(LANGUAGE));
  const app = publicUrl + appPath(cell, workspaceUid);
  return {
    ...{ screenerId, ...words, about: { name, attributes } },
    link: link === null ? null : app + link,
    ...(stop !== null && { stop: `${app}${stop}?unsubscribe` }),
  };
}

/** Writes out what a message says, with the words and the looks of now. */
export function letterFor(
  control: Control,
  db: Reader,
  workspaceUid: string,
  { screenerId, language, subject, body, link, stop, about }: Unwritten,
): Letter {
  const fill = "named" in about ? filledWith(about.named) : filling(about.name, parseAttributes(about.attributes));
  const letter = letterOf({
    ...{ subject, body, fill, link, stop },
    speech: screenerId === null ? speechIn(language) : speechFor(db, language, screenerId),
    sender: findWorkspace(control.reader, workspaceUid)!.name,
    look: getAppearance(db),
  });
  return { ...letter, ...(stop !== undefined && { unsubscribe: stop }) };
}
