// What must not compile. `npm run check` fails when one of these lines does: it then expects an error that is not there.

import * as v from "valibot";
import type { Writer } from "../db/connection.ts";
import { countRow } from "../db/counts.ts";
import { defineEndpoint, ok } from "../src/http/endpoint.ts";
import { defineList } from "../src/http/lists.ts";
import { ANY_OPERATOR, refersTo, uid } from "../src/members.ts";
import { resource } from "../src/resource.ts";
import { assignment, countedAssignments } from "../src/screener-participants/resource.ts";
import { publicationJob } from "../src/screener-publications/job.ts";
import { sessionList } from "../src/screener-sessions/resource.ts";
import { submitJob } from "../src/writes/submit-job.ts";

declare const db: Writer;
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
