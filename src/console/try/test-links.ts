// Test links of a study: makes one, and deletes all with their answers.

import { Problem } from "../../base/problems.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { includesRole } from "../../workspaces/rights.ts";

import { newestOf } from "../shell/newest.ts";
import { Refusal, redirect, type VisitorRequest } from "../shell/request.ts";
import type { StudyFrame } from "../study/study-frame.tsx";
import { TEST_LINKS, type TestLinks } from "./test-links-card.tsx";

/** The newest ones are shown. */
const MAX_SHOWN = 10;

/** What the page shows of them. Undefined: the visitor may not open links. */
export async function testLinksOf({ calls, query }: VisitorRequest, frame: StudyFrame): Promise<TestLinks | undefined> {
  if (!includesRole(frame.signedIn.role, "researcher")) return undefined;
  const { total, items } = await newestOf(
    (sent) => calls.get("listScreenerSessions", { query: sent }),
    `filter[screenerId][eq]=${frame.id}&filter[isTest][eq]=true`,
    { limit: MAX_SHOWN, offset: 0 },
  );
  return { total, sessions: items, isDeleted: query.has("deleted") };
}

/** POST: opens a test session on the live version. */
export async function openTestLink({ base, calls, params }: VisitorRequest): Promise<Reply> {
  try {
    await calls.send("openScreenerSession", { body: { screenerId: params.id!, isTest: true } });
  } catch (error) {
    if (error instanceof Problem && error.code === "test_session_limit")
      throw new Refusal(409, "There are too many test links", "Delete the test answers of this study first.");
    if (error instanceof Problem && error.code === "screener_not_published")
      throw new Refusal(409, "This study is not published", "A test link opens what is live: publish the study first.");
    throw error;
  }
  return redirect(`${base}/console/studies/${params.id}/try#${TEST_LINKS}`);
}

/** POST: deletes all test sessions with their answers. */
export async function deleteTestLinks({ base, calls, params }: VisitorRequest): Promise<Reply> {
  const { status } = await calls.send("deleteScreenerTestSessions", { id: params.id! });
  // The job waits behind others.
  return redirect(
    status === 202 ? `${base}/console/jobs` : `${base}/console/studies/${params.id}/try?deleted#${TEST_LINKS}`,
  );
}
