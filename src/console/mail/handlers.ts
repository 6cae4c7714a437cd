// The page about mail: how the service sends it, or how to set that up, and a test to oneself.

import type { MailTest } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { type ConsoleRoute, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderMail } from "./page.tsx";

const path = "/console/mail";

export const mailPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => show(request, {}) },
  { method: "post", path, role: "admin", handle: sendTest },
];

async function show(
  request: VisitorRequest,
  { to = "", faults = {}, result }: { to?: string; faults?: Faults; result?: MailTest },
): Promise<Reply> {
  const { base, calls } = request;
  const settings = await calls.get("getMail");
  const view = { settings, to, faults, result, curl: calls.curl("getMail") };
  return page(Object.keys(faults).length ? 422 : 200, renderMail(base, signedIn(request), view));
}

/** POST: sends a test, and shows what has become of it. */
async function sendTest(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const to = fields("to");
  try {
    const { value } = await calls.send("sendTestMail", { body: { to } });
    return await show(request, { to, result: value });
  } catch (error) {
    return show(request, { to, faults: faultsOf(error, ["to"]) });
  }
}
