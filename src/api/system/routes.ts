// /workspace/usage.

import { type AnyEndpoint, defineEndpoint } from "../../http/endpoint.ts";
import { Usage, usageExample, usageOf } from "./usage.ts";

const usage = defineEndpoint({
  method: "get",
  path: "/workspace/usage",
  operationId: "getWorkspaceUsage",
  scopes: ["read"],
  tag: "Workspace",
  summary: "What the workspace takes",
  description:
    "Rows, bytes and unfinished jobs of the workspace of the credentials, and the limits that hold for them.",
  replies: { 200: { description: "What it takes now", schema: Usage } },
  examples: { usage: { reply: usageExample } },
  problems: [],
  async handle({ context, principal }) {
    return { status: 200, body: JSON.stringify(await usageOf(context, principal)) };
  },
});

export const systemRoutes: AnyEndpoint[] = [usage];
