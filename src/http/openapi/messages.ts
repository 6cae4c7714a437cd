// The messages that the service sends, in the API description: its `webhooks`.

import type * as v from "valibot";
import type { TAGS } from "../tags.ts";
import type { NamedSchemas } from "./schemas.ts";

/** A message that is sent to receivers. */
export interface SentMessage {
  name: string;
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  body: v.GenericSchema;
  example?: object;
  /** What its headers mean, by their names. */
  headers: Record<string, string>;
  /** What answers mean, by their status. */
  answers: Record<string, string>;
}

/** The object of a message in `webhooks`. */
export function describeMessage(message: SentMessage, schemas: NamedSchemas): object {
  const { operationId, tag, summary, description, body, example, headers, answers } = message;
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description,
      security: [],
      parameters: Object.entries(headers).map(([header, meaning]) => ({
        name: header,
        in: "header",
        required: true,
        description: meaning,
        schema: { type: "string" },
      })),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: schemas.add(body, "output"),
            ...(example && { examples: { message: { value: example } } }),
          },
        },
      },
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, meaning]) => [status, { description: meaning }]),
      ),
    },
  };
}
