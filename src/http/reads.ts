// GET of one resource by its id.

import type { ProblemCode } from "../base/problems.ts";
import type { Resource } from "../base/resource.ts";
import { type ApiRequest, defineEndpoint, type Endpoint, found, withTag } from "./endpoint.ts";

type ReadEndpoint = Pick<Endpoint, "path" | "operationId" | "tag" | "summary"> & {
  /** Default: what all of them have in common. */
  description?: string;
  /** Names the resource in the API description: "The screener". */
  reply: string;
  /** The problem when the id is unknown. */
  unknown: ProblemCode;
  /** Default: `read`. */
  scopes?: Endpoint["scopes"];
};

type Found<Scope> = Pick<Resource<never, Scope>, "find" | "schema" | "example">;

/** Defines GET of a resource. `scopeOf` gives the values that its SQL needs. */
export function defineRead(resource: Found<void>, endpoint: ReadEndpoint): Endpoint;
export function defineRead<Scope>(
  resource: Found<Scope>,
  endpoint: ReadEndpoint,
  scopeOf: (request: ApiRequest) => Scope,
): Endpoint;
export function defineRead<Scope>(
  { find, schema, example }: Found<Scope | undefined>,
  { reply, unknown, scopes = ["read"], ...endpoint }: ReadEndpoint,
  scopeOf?: (request: ApiRequest) => Scope,
): Endpoint {
  return defineEndpoint({
    description: "An id of another workspace is unknown, like an id that nobody has.",
    ...endpoint,
    method: "get",
    scopes,
    headers: { "If-None-Match": "The ETag of what the caller has" },
    replies: {
      200: {
        description: reply,
        schema,
        headers: { ETag: "For If-None-Match, and for If-Match where a write takes it" },
      },
      304: { description: "If-None-Match names it as it is", headers: { ETag: "Its ETag" } },
    },
    examples: { found: { reply: example } },
    problems: [unknown],
    handle(request) {
      const { context, principal, params } = request;
      const scope = scopeOf?.(request);
      return withTag(
        found(
          context.workspaces.read(principal.workspaceUid, (db) => find(db, params.id!, scope)),
          unknown,
        ),
      );
    },
  });
}
