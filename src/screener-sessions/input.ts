// What callers send about sessions.

import * as v from "valibot";
import { id } from "../schemas.ts";

export const NewSession = v.object({ screenerParticipantId: id });
