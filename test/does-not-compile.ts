// What must not compile. `npm run check` fails when one of these lines does: it then expects an error that is not there.

import * as v from "valibot";
import { countRow } from "../db/list/counts.ts";
import type { Writer } from "../db/sqlite/connection.ts";
import { ANY_OPERATOR, refersTo, uid } from "../src/base/members.ts";
import { resource } from "../src/base/resource.ts";
import type { ParticipantUpdatedEvent } from "../src/client/types.ts";
import type { Calls } from "../src/console/shell/calls.ts";
import { defineEndpoint, ok } from "../src/http/endpoint.ts";
import { defineList } from "../src/http/lists.ts";
import { publicationJob } from "../src/nouns/publications/job.ts";
import type { TextsOf } from "../src/nouns/question-types/question-type.ts";
import { assignment, countedAssignments } from "../src/nouns/screener-participants/resource.ts";
import { sessionList } from "../src/nouns/sessions/resource.ts";
import { submitJob } from "../src/writes/submit-job.ts";

declare const calls: Calls;
declare const db: Writer;
declare const participantEvent: ParticipantUpdatedEvent;
declare const request: Parameters<typeof submitJob>[0];
const list = { path: "/x", operationId: "x", tag: "Screeners", summary: "X" } as const;

// @ts-expect-error: a filter on a column of another table needs the column of `t` that leads there
uid("s.uid", ANY_OPERATOR);
uid("s.uid", { operators: ANY_OPERATOR, by: refersTo("screener_id", "screener", "uid") });

// @ts-expect-error: a member without a schema
resource({ type: "X", from: "x AS t", members: { id: { column: "t.uid" } }, example: { id: "" } });

// @ts-expect-error: a table's column that is no member
resource({ type: "X", from: "x AS t", members: { id: uid("t.uid") }, example: { id: "" }, columnOrder: ["uid"] });

// @ts-expect-error: a member without an example
resource({ type: "X", from: "x AS t", members: { id: uid("t.uid") }, example: {} });

// @ts-expect-error: JSON from other columns needs every member
assignment.jsonFrom({ id: "q.uid" });

// @ts-expect-error: this member has no filter
assignment.members.name.filter.by;

// @ts-expect-error: a facet is missing
countRow(db, countedAssignments, 1, { screener_id: 1 }, 1);

// @ts-expect-error: facets have names, not an order
countRow(db, countedAssignments, 1, [1, "NOT_STARTED"], 1);

// @ts-expect-error: sessions can't be shown without the address of their links
defineList(sessionList, list);

// @ts-expect-error: the payload is not what the job takes
submitJob(request, publicationJob, { screener: "1" });

const write = { ...list, method: "post", body: v.object({}), replies: {}, problems: [] } as const;
// @ts-expect-error: only what keeps its reply for the Idempotency-Key may answer a POST
defineEndpoint({ ...write, handle: () => ok("{}") });

// @ts-expect-error: no such operation
calls.get("getPerson", { id: "" });

// @ts-expect-error: a write is not read
calls.get("createScreener", { body: { title: "" } });

// @ts-expect-error: nothing is written by a read
calls.send("getScreener", { id: "" });

// @ts-expect-error: an id is missing
calls.get("getParticipant");

// @ts-expect-error: there is no id in the path
calls.get("listParticipants", { id: "" });

// @ts-expect-error: the resource has no such member
(await calls.get("getParticipant", { id: "" })).surname;

// @ts-expect-error: the member is null, too
(await calls.get("getParticipant", { id: "" })).name.length;

// @ts-expect-error: the items of the list have no such member
(await calls.get("listJobs")).items[0]?.state;

// @ts-expect-error: the body has no such member
calls.send("createScreener", { body: { title: "", state: "draft" } });

// @ts-expect-error: a member of the body is missing
calls.send("createScreener", { body: {} });

// @ts-expect-error: the member of the body has another type
calls.curl("publishScreener", { body: { screenerId: "", targetQualifiedParticipants: "10" } });

// @ts-expect-error: the operation has no such header
calls.send("cancelJob", { id: "", headers: { "if-match": "" } });

// @ts-expect-error: the answer to a write is by its status: a Job with 202
(await calls.send("openScreenerSession", { body: { screenerId: "" } })).value.progress;

// @ts-expect-error: nothing says whether the second label is a text for people
({ options: { part: "option" }, lowLabel: "text" }) satisfies TextsOf<Labelled>;
({ options: { part: "option" }, lowLabel: "text", highLabel: "code" }) satisfies TextsOf<Labelled>;

const [change] = participantEvent.changes;
if (change?.field === "email") {
  const was: string | null = change.from;
  // @ts-expect-error: the change of an email is from a text, or from none
  change.to satisfies number;
  was?.trim();
}

interface Labelled {
  lowLabel: string;
  highLabel: string | null;
  look: "STARS" | "NPS";
  options: { id: string; text: string }[];
}
