// What callers send to import participants. The list itself is read row by row (import/stage.ts).

import * as v from "valibot";
import { ImportParticipant } from "../participants/input.ts";
import { id } from "../schemas.ts";

const IMPORT_MODES = ["UPDATES_ONLY", "FULL_SYNC"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

const settings = {
  screenerId: id,
  importMode: v.optional(v.nullable(v.picklist(IMPORT_MODES, "must be UPDATES_ONLY, FULL_SYNC or null"))),
};

/** The whole payload, as it is described. */
export const ParticipantImport = v.object({ ...settings, participants: v.array(ImportParticipant) });

/** The payload around the list, whose rows are read on their own. */
export const ImportEnvelope = v.object({ ...settings, participants: v.array(v.unknown(), "must be an array") });
