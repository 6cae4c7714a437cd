// Statements on responses.

import type { Reader } from "../../db/connection.ts";
import {
  type CountedTable,
  type Filter,
  type ListDefinition,
  type ListResult,
  type Page,
  readPage,
} from "../../db/list.ts";
import { responseFrom, responseJson } from "./view.ts";

export const countedResponses: CountedTable = {
  table: "screener_response",
  facets: ["screener_id", "screener_publication_id"],
};

const responses: ListDefinition = {
  ...countedResponses,
  from: responseFrom,
  json: responseJson,
  filters: {
    screenerId: { column: "screener_id", references: { table: "screener", by: "uid" } },
    screenerPublicationId: {
      column: "screener_publication_id",
      references: { table: "screener_publication", by: "uid" },
    },
    screenerSessionId: { column: "screener_session_id", references: { table: "screener_session", by: "uid" } },
    screenerParticipantId: {
      column: "screener_session_id",
      references: { table: "screener_session", by: "screener_participant_uid", many: true },
    },
  },
};

export function listResponses(db: Reader, filters: readonly Filter[], page: Page): ListResult {
  return readPage(db, responses, filters, page);
}
