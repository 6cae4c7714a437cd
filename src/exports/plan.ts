// Plans the table of a screener's answers: which columns it has, and where the answers to each publication's questions go.
// It reads whole contents, so it runs in a thread.

import type { Reader } from "../../db/sqlite/connection.ts";
import { listArms } from "../arms/queries.ts";
import type { AskedFilter } from "../base/members.ts";
import type { ProblemDetail } from "../base/problems.ts";
import type { SideTask } from "../engine/threads/side-task.ts";
import type { Content } from "../nouns/content/content.ts";
import { shufflesOf } from "../nouns/content/order.ts";
import { findPublishedJson } from "../nouns/content/queries.ts";
import { asRead } from "../nouns/content/sentences.ts";
import { listPublications } from "../nouns/publications/queries.ts";
import { listQuotas } from "../nouns/quotas/queries.ts";
import { findScreener } from "../nouns/screeners/queries.ts";
import { listStartedOrRemoved } from "../nouns/sessions/started.ts";
import { namedQuestions } from "./asked-questions.ts";
import { type ArmColumn, armColumns, quotaColumns } from "./headings.ts";
import { matchingOf } from "./matching.ts";
import { type OrderColumn, OrderColumns, type OrderSlot } from "./orders.ts";
import { type Layout, type TableQuestion, TableQuestions } from "./questions.ts";
import { type Slot, slotsIn } from "./slots.ts";

/** The data that rows are made with. Threads get copies of it. */
export interface TablePlan {
  title: string | null;
  /** The headings of all columns of questions. */
  headings: string[];
  /** The quotas that have a column each. */
  quotas: { id: number; heading: string; name: string }[];
  /** The assignments to arms that have a column each. */
  arms: ArmColumn[];
  /** By rowid of the publication, the slots of its questions by position. */
  publications: ReadonlyMap<number, readonly Slot[]>;
  /** The columns of orders by chance, and what is in them by rowid of the publication. */
  orderHeadings: string[];
  orders: ReadonlyMap<number, readonly OrderSlot[]>;
}

/** A plan with what a codebook says. */
export interface FullPlan extends TablePlan {
  questions: TableQuestion[];
  orderColumns: OrderColumn[];
}

/** Why there is no plan: there is no such screener, the table has more columns than MAX_COLUMNS, or filters have errors. */
export type NoPlan = "missing" | "tooManyColumns" | { errors: ProblemDetail[] };

/** As many as a spreadsheet has. The headings and each row take milliseconds of the event loop. */
export const MAX_COLUMNS = 16_384;

export interface WantedTable {
  workspaceUid: string;
  screenerUid: string;
  layout: Layout;
}

interface WantedRows extends WantedTable {
  /** What sessions are filtered by beside what SQL compares. */
  asked?: readonly AskedFilter[] | undefined;
}

export const planTable: SideTask<WantedRows, (TablePlan & { ids: number[] | undefined }) | NoPlan> = {
  name: "plan-table",
  perform: ({ workspaces }, { workspaceUid, screenerUid, layout, asked }) =>
    workspaces.read(workspaceUid, (db) =>
      db.snapshot(() => {
        const plan = tablePlan(db, screenerUid, layout);
        if (typeof plan === "string") return plan;
        const ids = matchingIds(db, screenerUid, asked);
        if (ids && "errors" in ids) return ids;
        // Without the questions: with all their options they would take long to copy.
        const { questions: _, orderColumns: __, ...short } = plan;
        return { ...short, ids };
      }),
    ),
};

/** The rowids of the sessions that these filters let through, in order. undefined: there are no filters. */
export function matchingIds(
  db: Reader,
  screenerUid: string,
  asked: readonly AskedFilter[] = [],
): number[] | undefined | { errors: ProblemDetail[] } {
  const screener = findScreener(db, screenerUid);
  if (!asked.length || !screener) return undefined;
  const matches = matchingOf(db, screener, namedQuestions(db, screener.id), asked);
  if (typeof matches === "object") return { errors: matches };
  return matches(listStartedOrRemoved(db, screener.id));
}

export function tablePlan(db: Reader, screenerUid: string, layout: Layout): FullPlan | "missing" | "tooManyColumns" {
  const screener = findScreener(db, screenerUid);
  if (!screener) return "missing";
  const questions = new TableQuestions();
  const publications = listPublications(db, screener.id).map(({ id, version }) => {
    const content = asRead(JSON.parse(findPublishedJson(db, id)) as Content);
    const { pages } = content;
    return {
      id,
      version,
      content: shufflesOf(content).length ? content : undefined,
      indexes: questions.add(pages, version),
    };
  });
  if (questions.countColumns(layout) > MAX_COLUMNS) return "tooManyColumns";
  const { list, columns } = questions.lay(layout);
  const slotOf = slotsIn(columns);
  const orders = new OrderColumns();
  const ordersOf = publications.map(({ id, version, content, indexes }) => {
    const laid = indexes.map(({ question }) => ({ index: question, heading: list[question]!.heading }));
    return [id, content ? orders.add(content, version, laid) : []] as const;
  });
  return {
    title: screener.title,
    questions: list,
    headings: list.flatMap((question) => question.columns.map(({ heading }) => heading)),
    quotas: quotaColumns(listQuotas(db, screener.id)),
    arms: armColumns(listArms(db, screener.id)),
    publications: new Map(publications.map(({ id, indexes }) => [id, indexes.map(slotOf)])),
    orderHeadings: orders.columns.map(({ heading }) => heading),
    orderColumns: orders.columns,
    orders: new Map(ordersOf),
  };
}
