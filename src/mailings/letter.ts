// A message of a mailing as one person gets it.

import type { Control } from "../../db/control.ts";
import type { Reader } from "../../db/sqlite/connection.ts";
import { getAppearance } from "../appearance/queries.ts";
import { parseAttributes } from "../base/attributes.ts";
import { letterOf } from "../mail/letter.tsx";
import type { Letter } from "../mail/relay/relay.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { speechFor } from "../page-words/queries.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { filling, type Step, type Texts, wordsFor } from "./texts.ts";

/** Whom a message is written to. */
export interface Correspondent {
  name: string | null;
  /** The text of src/base/attributes.ts. */
  attributes: string;
}

/** The attribute of a person that names their language. */
const LANGUAGE = "language";

interface From {
  control: Control;
  publicUrl: string;
  cell: string | null;
  workspaceUid: string;
  screenerId: number;
}

interface Written {
  texts: Pick<Texts, "language">;
  step: Step;
  to: Correspondent;
  /** The path of the person's link. Null: there is none. */
  link: string | null;
  /** The path of a link at which the person unsubscribes. Null: there is none. */
  stop: string | null;
}

export function letterFor(
  db: Reader,
  { control, publicUrl, cell, workspaceUid, screenerId }: From,
  { texts, step, to, link, stop }: Written,
): { letter: Letter; language: string } {
  const attributes = parseAttributes(to.attributes);
  const { subject, body, language } = wordsFor(texts, step, attributes.get(LANGUAGE));
  const app = publicUrl + appPath(cell, workspaceUid);
  const unsubscribe = stop === null ? undefined : `${app}${stop}?unsubscribe`;
  const letter = letterOf({
    ...{ subject, body, fill: filling(to.name, attributes) },
    speech: speechFor(db, language, screenerId),
    sender: findWorkspace(control.reader, workspaceUid)!.name,
    look: getAppearance(db),
    link: link === null ? null : app + link,
    stop: unsubscribe,
  });
  return { letter: { ...letter, ...(unsubscribe !== undefined && { unsubscribe }) }, language };
}
