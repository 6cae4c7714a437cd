// The API description (OpenAPI 3.1), made from the endpoints and the same schemas that check requests and replies.

import { describeDeprecation } from "../deprecation.ts";
import type { AnyEndpoint } from "../endpoint.ts";
import { examplesAs } from "../example.ts";
import { INTRODUCTION, OF_JOBS, OF_LISTS, TAGS } from "../tags.ts";
import { CURRENT_VERSION } from "../wire/request-headers.ts";
import { fileContents } from "./files.ts";
import { headerComponentsOf } from "./headers.ts";
import { describeMessage, type SentMessage } from "./messages.ts";
import { parametersOf } from "./parameters.ts";
import { repliesOf } from "./replies.ts";
import { NamedSchemas } from "./schemas.ts";

/** The document at /openapi.json. @param server the path or URL before all paths */
export function describeApi(endpoints: readonly AnyEndpoint[], messages: readonly SentMessage[], server = "/"): object {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Screening service",
      version: CURRENT_VERSION,
      description: INTRODUCTION,
      contact: { name: "The operator of the installation" },
      license: { name: "UNLICENSED" },
    },
    servers: [{ url: server }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [], apiSecret: [] }, { accessToken: [] }],
    paths,
    webhooks: Object.fromEntries(messages.map((message) => [message.name, describeMessage(message, schemas)])),
    components: {
      schemas: schemas.all,
      headers: headerComponentsOf(endpoints.some(({ deprecated }) => deprecated)),
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Service-Api-Key", description: "Goes with the secret." },
        apiSecret: { type: "apiKey", in: "header", name: "X-Service-Api-Secret", description: "Goes with the key." },
        accessToken: { type: "http", scheme: "bearer", description: "An access token of a workspace user." },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint, schemas: NamedSchemas): object {
  const { operationId, tag, summary, description, body } = endpoint;
  const scopes = endpoint.scopes?.map((scope) => `\`${scope}\``).join(" or ");
  const texts = [
    endpoint.deprecated && describeDeprecation(endpoint.deprecated),
    description,
    endpoint.filters && OF_LISTS,
    endpoint.isJob && OF_JOBS,
    scopes && `Needs the scope ${scopes}.`,
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: texts.filter((text) => text).join("\n\n"),
    ...(endpoint.deprecated && { deprecated: true }),
    ...(endpoint.isPublic && { security: [] }),
    parameters: parametersOf(endpoint, schemas),
    ...(body && {
      requestBody: {
        required: !endpoint.bodyIsOptional,
        content: {
          "application/json": {
            schema: schemas.add(body, "input"),
            ...examplesAs(endpoint, (example) => example.body),
          },
          ...fileContents(endpoint),
        },
      },
    }),
    responses: repliesOf(endpoint, schemas),
  };
}
