// The API description (OpenAPI 3.1), made from the endpoints and the same schemas that check requests and replies.

import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { meaningOf, type ProblemCode, statusOf } from "../problems.ts";
import { itemSchemaOf, JobReference, problemEntries } from "../schemas.ts";
import { CURRENT_VERSION } from "./api-version.ts";
import { type AnyEndpoint, type Documented, formatsOf } from "./endpoint.ts";
import { MEDIA_TYPES } from "./formats.ts";
import { listParameters } from "./list-parameters.ts";
import { fileContents, queryParameters, TEXTS } from "./openapi-files.ts";
import { MAX_WAIT_SECONDS } from "./preferences.ts";

const Problem = v.pipe(v.object({ ...problemEntries, requestId: v.string() }), v.title("Problem"));

type Schemas = Record<string, JsonSchema>;

/** The 202 of every endpoint whose work is a job. The schema of Job is added by the endpoints of jobs. */
const ACCEPTED: Documented = {
  description: "The job, because it has not ended within the waiting time",
  schema: JobReference,
  headers: { Location: "The path of the job" },
};

/** The document at /openapi.json. */
export function describeApi(endpoints: readonly AnyEndpoint[]): object {
  const schemas: Schemas = {};
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
      description:
        "Screeners and their publications, participants, their assignments to screeners, sessions and responses.\n\n" +
        "Lists are ordered by creation, oldest first, unless their description says otherwise. JSON gives one page of a list. " +
        "`Accept: text/csv` or `Accept: application/x-ndjson` gives the whole list, without pagination. Unknown members of a body " +
        "are ignored. Unknown query parameters are errors. Every response has `X-Request-Id`.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [], apiSecret: [] }, { accessToken: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Service-Api-Key" },
        apiSecret: { type: "apiKey", in: "header", name: "X-Service-Api-Secret" },
        accessToken: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint, schemas: Schemas): object {
  const { operationId, tag, summary, description, body } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(endpoint.isPublic && { security: [] }),
    parameters: parameters(endpoint, schemas),
    ...(body && {
      requestBody: {
        required: !endpoint.bodyIsOptional,
        content: { "application/json": { schema: schemaOf(body, schemas, "input") }, ...fileContents(endpoint) },
      },
    }),
    responses: { ...successes(endpoint, schemas), ...failures(endpoint, schemas) },
  };
}

/** Headers of every reply to a POST. */
const OF_POST = { "Idempotency-Replayed": "`true` if an earlier request with the same Idempotency-Key had this reply" };

function successes(endpoint: AnyEndpoint, schemas: Schemas): object {
  const ofAll = endpoint.method === "post" ? OF_POST : {};
  return Object.fromEntries(
    Object.entries({ ...endpoint.replies, ...(endpoint.isJob && { 202: ACCEPTED }) }).map(
      ([status, { description, schema, headers }]) => [
        status,
        {
          description,
          headers: headerObjects({ ...headers, ...ofAll }),
          ...(schema && {
            content: Object.fromEntries(
              (formatsOf(endpoint) ?? ["json"]).map((format) => [
                MEDIA_TYPES[format],
                { schema: format === "json" ? schemaOf(schema, schemas, "output") : TEXTS[format] },
              ]),
            ),
          }),
        },
      ],
    ),
  );
}

function headerObjects(headers: Record<string, string>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

function failures(endpoint: AnyEndpoint, schemas: Schemas): object {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(endpoint))
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  const schema = schemaOf(Problem, schemas, "output");
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !endpoint.replies[status])
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join("\n\n"),
          ...(endpoint.method === "post" && { headers: headerObjects(OF_POST) }),
          content: { "application/problem+json": { schema } },
        },
      ]),
  );
}

/** Every problem that an endpoint can answer with. */
export function problemsOf(endpoint: AnyEndpoint): ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_request", "unsupported_api_version"];
  if (!endpoint.isPublic) codes.push("unauthenticated", "too_many_requests");
  codes.push("not_acceptable");
  if (endpoint.body) codes.push("body_too_large", "request_timeout", "unsupported_media_type");
  if (endpoint.method === "post") codes.push("idempotency_key_reused");
  if (endpoint.isJob) codes.push("job_cancelled", "job_crashed");
  codes.push(
    ...endpoint.problems,
    "headers_too_large",
    "internal_error",
    "store_busy",
    "store_full",
    "store_unavailable",
  );
  return codes;
}

function parameters(endpoint: AnyEndpoint, schemas: Schemas): object[] {
  const list: object[] = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  if (endpoint.filters) list.push(...listParameters(endpoint.filters, endpoint.sorts));
  if (endpoint.parameters) list.push(...queryParameters(endpoint, (schema) => schemaOf(schema, schemas, "input")));
  const header = (name: string, description: string, schema: object) =>
    list.push({ name, in: "header", description, schema });
  header("X-Service-Api-Version", "MAJOR.MINOR.PATCH. Default: the current version", {
    type: "string",
    pattern: "^1\\.\\d+\\.\\d+$",
    examples: [CURRENT_VERSION],
  });
  if (endpoint.method === "post") {
    header("Idempotency-Key", "For 24 hours, a request with the same key and body gets the first response again", {
      type: "string",
      minLength: 1,
      maxLength: 255,
    });
  }
  for (const [name, description] of Object.entries(endpoint.headers ?? {}))
    header(name, description, { type: "string" });
  if (endpoint.isJob) {
    header(
      "Prefer",
      `\`respond-async\`: answer 202 at once. \`wait=N\`: wait up to N seconds for the job, at most ${MAX_WAIT_SECONDS}, then answer 202 (RFC 7240)`,
      { type: "string" },
    );
  }
  return list;
}

/** A schema as JSON Schema. Schemas with a title move to `schemas` (the components), and are referred to. */
function schemaOf(schema: v.GenericSchema, schemas: Schemas, typeMode: "input" | "output"): JsonSchema {
  const { $schema, ...json } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
    ignoreActions: ["check", "transform"],
    overrideAction({ valibotAction, jsonSchema }) {
      const item = itemSchemaOf(valibotAction);
      if (!item) return undefined;
      const { itemSchema, ...array } = jsonSchema as JsonSchema & { itemSchema: unknown };
      return { ...array, items: schemaOf(item, schemas, typeMode) };
    },
  });
  return hoist(json, schemas) as JsonSchema;
}

function hoist(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hoist(inner, schemas)]));
  const { title } = copy;
  if (typeof title !== "string") return copy;
  schemas[title] = copy as JsonSchema;
  return { $ref: `#/components/schemas/${title}` };
}
