// A message as one person gets it.

import type { Control } from "../../db/control.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { getAppearance } from "../appearance/queries.ts";
import { parseAttributes } from "../base/attributes.ts";
import type { Parsed } from "../base/parsed.ts";
import type { Addressee, Correspondent, Unwritten } from "../mail/claims.ts";
import { filledWith, letterOf } from "../mail/letter.tsx";
import type { Letter } from "../mail/relay/compose.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { speechFor } from "../page-words/queries.ts";
import { speechIn } from "../words/languages.ts";
import type { Speech } from "../words/speech.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { answersOf } from "./answers.ts";
import { asksForAnswers, filling } from "./placeholders.ts";
import { type Step, type Texts, wordsFor } from "./texts.ts";

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
  /** The id of the person's assignment. Null: there is none. */
  assignment: string | null;
  /** The path of the person's link. Null: there is none. */
  link: string | null;
  /** The path of a link at which the person unsubscribes. Null: there is none. */
  stop: string | null;
}

/** What a message of a mailing says to a person. */
export function unwrittenFor(
  { publicUrl, cell, workspaceUid, screenerId }: From,
  { texts, step, to: { name, attributes }, assignment, link, stop }: Sent,
): Unwritten {
  const words = wordsFor(texts, step, parseAttributes(attributes).get(LANGUAGE));
  // Most messages have none: then nothing is read for it.
  const hasAnswers = assignment !== null && asksForAnswers(words);
  const app = publicUrl + appPath(cell, workspaceUid);
  return {
    ...{ screenerId, ...words, about: { name, attributes, ...(hasAnswers && { answersOf: assignment }) } },
    link: link === null ? null : app + link,
    ...(stop !== null && { stop: `${app}${stop}?unsubscribe` }),
  };
}

function fillFor(
  db: Reader,
  published: Parsed,
  { name, attributes, answersOf: assignment }: Addressee,
  speech: Speech,
) {
  const known = parseAttributes(attributes);
  const answerTo = answersOf(db, published, assignment, speech);
  return filling(name, { speech, answerTo, attribute: (key) => known.get(key) });
}

/** Where a message is written out. */
export interface Desk {
  control: Control;
  /** Publications of the process. */
  published: Parsed;
}

/** Writes out what a message says, with the words, the looks and the answers of now. */
export function letterFor(
  { control, published }: Desk,
  db: Reader,
  workspaceUid: string,
  { screenerId, language, subject, body, link, stop, about }: Unwritten,
): Letter {
  const speech = screenerId === null ? speechIn(language) : speechFor(db, language, screenerId);
  const fill = "named" in about ? filledWith(about.named) : fillFor(db, published, about, speech);
  const letter = letterOf({
    ...{ subject, body, fill, link, stop, speech },
    sender: findWorkspace(control.reader, workspaceUid)!.name,
    look: getAppearance(db),
  });
  return { ...letter, ...(stop !== undefined && { unsubscribe: stop }) };
}
