// Writes the client's types, from the API description: `npm run client`.

import { writeFileSync } from "node:fs";
import { describeApi } from "../http/openapi/openapi.ts";
import { typescriptTypes } from "../http/openapi/typescript-types.ts";
import { eventMessage } from "../webhooks/message.ts";
import { endpoints } from "./app.ts";

const FILE = new URL("../client/types.ts", import.meta.url);

/** What the file has to have now. */
export const clientTypes = () => typescriptTypes(describeApi(endpoints, [eventMessage]));

if (import.meta.main) writeFileSync(FILE, clientTypes());
