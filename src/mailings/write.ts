// Writes out the messages that were claimed: their words are put in, composed and signed. That keeps a processor busy: the thread does it that sends.

import { createHash } from "node:crypto";
import type { Stores } from "../engine/threads/side-task.ts";
import type { ToWrite, Written } from "../mail/claims.ts";
import { type Composing, compose } from "../mail/relay/compose.ts";
import { type Desk, letterFor } from "./letter.ts";

interface Writing {
  workspaceUid: string;
  composing: Composing;
  messages: ToWrite[];
}

/** In the order of the messages. */
export async function writeOut(
  { workspaces, ...desk }: Pick<Stores, "workspaces"> & Desk,
  { workspaceUid, composing, messages }: Writing,
): Promise<Written[]> {
  const letters = workspaces.read(workspaceUid, (db) =>
    messages.map(({ unwritten }) => letterFor(desk, db, workspaceUid, unwritten)),
  );
  return Promise.all(
    letters.map(async (letter, index) => {
      const { to, messageId, returning } = messages[index]!;
      return {
        composed: await compose(composing, { ...letter, to, messageId, returning }),
        hash: hashOf(JSON.stringify(letter)),
      };
    }),
  );
}

export function hashOf(words: string): string {
  return createHash("sha256").update(words).digest("base64url");
}
