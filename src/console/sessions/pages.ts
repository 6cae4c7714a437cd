// The pages of a person's own account: sessions, workspaces, and two-factor sign-in.

import type { ConsoleRoute } from "../shell/request.ts";
import { changePassword, chooseNotices, endOne, showSessions } from "./handlers.ts";
import { removeTwoFactor, setTwoFactorUp, showTwoFactor } from "./two-factor.tsx";
import { enterWorkspace, showWorkspaces } from "./workspaces.tsx";

export const TWO_FACTOR = "/console/two-factor";

export const accountPages: readonly ConsoleRoute[] = [
  { method: "get", path: "/console/workspaces", role: "viewer", handle: showWorkspaces },
  { method: "post", path: "/console/workspaces/:id", role: "viewer", handle: enterWorkspace },
  { method: "get", path: TWO_FACTOR, role: "viewer", handle: showTwoFactor },
  { method: "post", path: TWO_FACTOR, role: "viewer", handle: setTwoFactorUp },
  { method: "post", path: `${TWO_FACTOR}/removal`, role: "viewer", handle: removeTwoFactor },
  { method: "get", path: "/console/sessions", role: "viewer", handle: showSessions },
  { method: "post", path: "/console/sessions/notices", role: "viewer", handle: chooseNotices },
  { method: "post", path: "/console/sessions/:id/end", role: "viewer", handle: endOne },
  { method: "post", path: "/console/sessions/password", role: "viewer", handle: changePassword },
];

const BEFORE_SET_UP = [TWO_FACTOR, "/console/sign-out", "/console/workspaces", "/console/workspaces/:id"];

/** Whether a visitor may use it whose workspace requires two-factor sign-in, and who has not set it up. */
export function isBeforeSetUp({ path }: Pick<ConsoleRoute, "path">): boolean {
  return BEFORE_SET_UP.includes(path);
}
