// /workspace/sandbox-reset

import { exampleJob } from "../base/examples.ts";
import { Problem } from "../base/problems.ts";
import { JobReference } from "../base/schemas.ts";
import { type AnyEndpoint, defineEndpoint } from "../http/endpoint.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { replyWithJobItself, submitJob } from "../writes/submit-job.ts";
import { sandboxResetJob } from "./job.ts";

const reset = defineEndpoint({
  method: "post",
  path: "/workspace/sandbox-reset",
  operationId: "resetSandbox",
  scopes: ["admin"],
  tag: "Workspace",
  summary: "Empty a sandbox",
  description:
    "Removes all that the workspace has: studies, people, links, answers, messages, images and settings, and the results of its jobs. Users, " +
    "keys, tokens and webhooks stay, and so does the log, without what its events said. Only a workspace that was created as a sandbox can be " +
    "emptied. The summary of the job says how much there was. Nothing brings it back.",
  isJob: true,
  deletes: true,
  replies: {
    200: { description: "The job, which is done", schema: JobReference, headers: { Location: "The path of the job" } },
  },
  examples: {
    reset: {
      reply: {
        ...exampleJob,
        kind: sandboxResetJob.kind,
        status: "SUCCEEDED",
        summary: {
          ...{
            screeners: 2,
            publications: 3,
            participants: 40,
            screenerParticipants: 45,
            sessions: 45,
            responses: 180,
          },
          ...{ mailings: 1, messages: 40, images: 2 },
        },
        finishedAt: "2026-01-31T12:00:00.300Z",
      },
    },
  },
  problems: ["workspace_not_sandbox"],
  async handle(request) {
    const { context, principal } = request;
    const workspace = findWorkspace(context.control.reader, principal.workspaceUid)!;
    if (!workspace.is_sandbox) throw new Problem("workspace_not_sandbox");
    return replyWithJobItself(request, await submitJob(request, sandboxResetJob, { workspaceId: workspace.uid }));
  },
});

export const sandboxRoutes: AnyEndpoint[] = [reset];
