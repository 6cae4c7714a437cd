// The draft of a study as JSON: saved as a file, and replaced by what a person pastes.

import { Readable } from "node:stream";
import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { SentFile } from "../shell/calls.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { page, redirect, type VisitorRequest } from "../shell/request.ts";
import { shownAgain } from "../shell/shown-again.ts";
import { studyFrame } from "../study/handlers.ts";
import { renderContentForm } from "./page.tsx";

/** Of the form: JSON of a large study, at three bytes a character. */
export const MAX_CONTENT_FORM_BYTES = 8 * 1024 * 1024;

/** GET of the draft, as a file. */
export async function saveContent({ calls, params }: VisitorRequest): Promise<Reply> {
  const { status, body } = await calls.reply("getScreenerContent", { id: params.id! });
  return { status, body, attachment: `study-${params.id}.json` };
}

/** GET of the form that replaces the draft. */
export async function showContentForm(request: VisitorRequest): Promise<Reply> {
  const { headers } = await request.calls.reply("getScreenerContent", { id: request.params.id! });
  return replyWithForm(request, "", headers?.ETag ?? "", {});
}

/** POST: replaces the draft, if it is still the one that the form was shown for. */
export async function replaceContent(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, params, base } = request;
  const [json, version] = [fields("json"), fields("version")];
  // The API reads it in a thread.
  const body = new SentFile("application/json", Readable.from([Buffer.from(json)]));
  try {
    await calls.send("putScreenerContent", { id: params.id!, headers: { "if-match": version }, body });
  } catch (error) {
    if (error instanceof Problem && error.code === "precondition_failed") {
      const text =
        "Somebody has changed the draft since you opened this page. Open the page again, and look at the draft.";
      return replyWithForm(request, json, version, { "": text });
    }
    const whole = error instanceof Problem && error.document.errors?.find(({ pointer }) => pointer === "");
    return replyWithForm(request, json, version, whole ? { json: whole.message } : faultsOf(error, []));
  }
  return redirect(`${base}/console/studies/${params.id}/build`);
}

async function replyWithForm(request: VisitorRequest, json: string, version: string, faults: Faults): Promise<Reply> {
  const { frame } = await studyFrame(request);
  const curl = request.calls.curl("putScreenerContent", { id: frame.id, body: { pages: [] } });
  return page(
    Object.keys(faults).length ? 422 : 200,
    renderContentForm(frame, { json: shownAgain(json), version, faults, curl }),
  );
}
