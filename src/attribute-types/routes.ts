// /workspace/attributes: what the attributes of the workspace's participants are.

import { isDeepStrictEqual } from "node:util";
import { type Change, changesBetween } from "../events/record.ts";
import { type AnyEndpoint, defineEndpoint, requireMatch, withTag } from "../http/endpoint.ts";
import { writeOnce } from "../writes/write-once.ts";
import { listTypes, setTypes } from "./queries.ts";
import {
  AttributesInput,
  AttributesView,
  type AttributeType,
  attributesExample,
  builtTypes,
  viewOf,
} from "./resource.ts";

const tag = "Workspace";
const path = "/workspace/attributes";

const read = defineEndpoint({
  method: "get",
  path,
  operationId: "getWorkspaceAttributes",
  scopes: ["read"],
  tag,
  summary: "Get what the attributes of participants are",
  description: "Those whose type somebody has said. Participants may have others.",
  headers: { "If-None-Match": "The ETag of what the caller has" },
  replies: {
    200: {
      description: "The types of attributes, in the order in which they were given",
      schema: AttributesView,
      headers: { ETag: "For If-Match and If-None-Match" },
    },
    304: { description: "If-None-Match names it as it is", headers: { ETag: "Its ETag" } },
  },
  examples: { types: { reply: attributesExample } },
  problems: [],
  handle({ context, principal }) {
    return withTag(context.workspaces.read(principal.workspaceUid, (db) => JSON.stringify(viewOf(listTypes(db)))));
  },
});

const replace = defineEndpoint({
  method: "put",
  path,
  operationId: "putWorkspaceAttributes",
  scopes: ["admin"],
  tag,
  summary: "Say what the attributes of participants are",
  description:
    "Replaces all of them. Imports read by them from now on: a value that is none of its type is a wrong row. What participants have already stays as it is.",
  body: AttributesInput,
  isConditional: true,
  replies: {
    200: { description: "The types as they are now", schema: AttributesView, headers: { ETag: "For If-Match" } },
  },
  examples: { types: { body: { attributes: attributesExample.attributes }, reply: attributesExample } },
  problems: [],
  handle(request) {
    const { body, principal } = request;
    return writeOnce(request, (db, record) => {
      const before = listTypes(db);
      requireMatch(request, JSON.stringify(viewOf(before)));
      setTypes(db, builtTypes(body));
      const after = listTypes(db);
      const changes = changesOf(before, after);
      const resource = { type: "Workspace", uid: principal.workspaceUid };
      if (changes.length) record({ type: "workspace.updated", resource, changes, at: new Date() });
      return withTag(JSON.stringify(viewOf(after)));
    });
  },
});

/** By the keys of the attributes; where only their order is another one, the keys in it. */
function changesOf(before: readonly AttributeType[], after: readonly AttributeType[]): Change[] {
  const byKey = (types: readonly AttributeType[]) =>
    JSON.stringify({ attributes: Object.fromEntries(types.map(({ key, ...type }) => [key, type])) });
  const changes = changesBetween(byKey(before), byKey(after));
  const [from, to] = [before.map(({ key }) => key), after.map(({ key }) => key)];
  return changes.length || isDeepStrictEqual(from, to) ? changes : [{ field: "attributes", from, to }];
}

export const attributeTypeRoutes: AnyEndpoint[] = [read, replace];
