// The page about mail: how the service sends it, or how to set that up, and a test to oneself.

import type { MailTest } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { type ConsoleRoute, page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderMail } from "./page.tsx";

const path = "/console/mail";

export const mailPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => show(request, {}) },
  { method: "post", path, role: "admin", handle: sendTest },
  { method: "post", path: `${path}/cap`, role: "admin", handle: setCap },
];

async function show(
  request: VisitorRequest,
  { to = "", faults = {}, result, typed }: { to?: string; faults?: Faults; result?: MailTest; typed?: Cap },
): Promise<Reply> {
  const { base, calls } = request;
  const settings = await calls.get("getMail");
  const { messages = "", days = "" } = settings.contactCap ?? {};
  const cap = typed ?? { messages: String(messages), days: String(days) };
  const view = { settings, cap, to, faults, result, curl: calls.curl("getMail") };
  return page(Object.keys(faults).length ? 422 : 200, renderMail(base, signedIn(request), view));
}

/** What was typed as the contact cap. */
interface Cap {
  messages: string;
  days: string;
}

/** POST: sets the contact cap, or ends it. */
async function setCap(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields } = request;
  const typed = { messages: fields("messages").trim(), days: fields("days").trim() };
  const isNone = typed.messages === "" && typed.days === "";
  const contactCap = isNone ? null : { messages: Number(typed.messages), days: Number(typed.days) };
  try {
    await calls.send("changeMail", { body: { contactCap } });
  } catch (error) {
    return show(request, { typed, faults: capFaults(faultsOf(error, [])) });
  }
  return redirect(base + path);
}

function capFaults(faults: Faults): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([pointer, message]) => [
      pointer.replace("/contactCap/", ""),
      message.replace(`${pointer} `, ""),
    ]),
  );
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
