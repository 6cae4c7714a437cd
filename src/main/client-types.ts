// Writes the clients' types, from the API description: `npm run client`.

import { writeFileSync } from "node:fs";
import { eventMessages } from "../api/event-schemas.ts";
import { describeApi } from "../http/openapi/openapi.ts";
import { pythonModels, pythonOperations } from "../http/openapi/python-types.ts";
import { typescriptTypes } from "../http/openapi/typescript-types.ts";
import { endpoints } from "./app.ts";

/** The files, from the folder of the project, with what each has to have now. */
export function clientTypes(): Record<string, string> {
  const description = describeApi(endpoints, eventMessages);
  return {
    "src/client/types.ts": typescriptTypes(description),
    "clients/python/screening_client/models.py": pythonModels(description),
    "clients/python/screening_client/operations.py": pythonOperations(description),
  };
}

const ROOT = new URL("../../", import.meta.url);

if (import.meta.main)
  for (const [file, text] of Object.entries(clientTypes())) writeFileSync(new URL(file, ROOT), text);
