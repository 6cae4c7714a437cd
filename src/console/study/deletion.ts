// Deletes a study, whose title is typed in.

import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { countBelongings, getScreener } from "../../nouns/screeners/queries.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { renderDeletion } from "./deletion-page.tsx";
import { studyFrame } from "./handlers.ts";

/** GET of the question whether a study is to be deleted. */
export function askDeletion(request: VisitorRequest): Promise<Reply> {
  return deletionPage(request, 200, {});
}

/** POST: deletes a study. It leads to the job. */
export async function deleteStudy(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const typed = fields("confirm");
  try {
    const query = new URLSearchParams({ confirm: typed }).toString();
    const headers = { prefer: "respond-async" };
    const { headers: replied } = await calls.send("deleteScreener", { id: params.id!, query, headers });
    return redirect(`${base}/console${replied.Location}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "confirmation_required") return deletionPage(request, 422, { typed, isWrong: true });
    const { jobId } = error.document;
    if (jobId === undefined) throw error;
    return redirect(`${base}/console/jobs/${jobId}`);
  }
}

async function deletionPage(
  request: VisitorRequest,
  status: number,
  { typed = "", isWrong = false }: { typed?: string; isWrong?: boolean },
): Promise<Reply> {
  const { context, visitor, calls } = request;
  const { frame, screener } = await studyFrame(request);
  const word = screener.title ?? screener.id;
  const belongings = context.workspaces.read(visitor.workspace_uid, (db) =>
    countBelongings(db, getScreener(db, screener.id).id),
  );
  const fault = isWrong ? `Type ${word} to confirm.` : undefined;
  const query = new URLSearchParams({ confirm: word }).toString();
  const curl = calls.curl("deleteScreener", { id: screener.id, query });
  return page(status, renderDeletion(frame, { belongings, isArchived: screener.archived, word, typed, fault, curl }));
}
