// The list of sessions as callers read it: in other orders, and each with its participant and outcome where that is asked for.

import * as v from "valibot";
import { json, optional } from "../../base/members.ts";
import { countedList, type List, resource, type Sorts } from "../../base/resource.ts";
import { uuid } from "../../base/schemas.ts";
import { NOBODY } from "../participants/resource.ts";
import { countedSessions, OUTCOMES, session, sessionList } from "./resource.ts";
import { UPDATED } from "./updated.ts";

/** What a page of sessions may have in them, beyond the sessions themselves. */
export const EXPANDED = ["participant", "outcome"] as const;

export type Expanded = (typeof EXPANDED)[number];

const SessionParticipant = v.pipe(
  v.object({ id: uuid, externalUid: v.string(), email: v.nullable(v.string()), name: v.nullable(v.string()) }),
  v.title("ScreenerSessionParticipant"),
);

// The text `null` is JSON, where an expression that is null leaves the member out.
const PERSON = `(SELECT iif(x.id = ${NOBODY}, 'null', json_object('id', x.uid, 'externalUid', x.external_uid, 'email', x.email, 'name', x.name))
  FROM participant AS x WHERE x.id = t.participant_id)`;

/** Sessions with what is asked for. */
function listOf(expanded: readonly Expanded[]): typeof sessionList {
  const sqlOf = (name: Expanded, sql: string) => (expanded.includes(name) ? sql : "NULL");
  const expandable = resource({
    type: "ScreenerSession",
    title: "ListedScreenerSession",
    from: session.from,
    members: {
      ...session.members,
      participant: optional(
        json(sqlOf("participant", PERSON), v.nullable(SessionParticipant)),
        "Whose session it is, now: only with `expand=participant`. Null in a test session that is nobody's",
      ),
      outcome: optional(
        json(sqlOf("outcome", "coalesce('\"' || t.outcome || '\"', 'null')"), v.nullable(v.picklist(OUTCOMES))),
        "Only with `expand=outcome`. Null until the session is completed",
      ),
    },
    example: { ...session.example, participant: undefined, outcome: undefined },
    parameters: session.parameters,
  });
  const paged = { ...expandable, filters: sessionList.filters };
  return countedList("screener-sessions", countedSessions, paged, paged, SORTS);
}

const SORTS: Sorts = {
  createdAt: "t.id",
  startedAt: "t.started_at",
  lastActiveAt: "t.last_active_at",
  completedAt: "t.completed_at",
  updatedAt: UPDATED,
};

const expandedLists = new Map<string, typeof sessionList>();

interface Expansion {
  appUrl: string;
  expanded: readonly Expanded[];
}

function expandedList({ expanded }: Expansion): typeof sessionList {
  const key = EXPANDED.filter((name) => expanded.includes(name)).join();
  const list = expandedLists.get(key) ?? listOf(expanded);
  expandedLists.set(key, list);
  return list;
}

/** The list of sessions whose pages have what is asked for. */
export const expandedSessionList: List<Expansion> = {
  ...listOf([]),
  page: (db, filters, page, scope, sort) => expandedList(scope).page(db, filters, page, scope.appUrl, sort),
  longRead: (db, filters, page, scope, sort) => expandedList(scope).longRead!(db, filters, page, scope.appUrl, sort),
  columns: sessionList.columns,
  slices: (db, filters, { appUrl }) => sessionList.slices(db, filters, appUrl),
};
