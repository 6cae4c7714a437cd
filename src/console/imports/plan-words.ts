// What pages say of the kinds of jobs that can be planned and taken back: imports, moves of links, recounts, offers of places, and reviews.

import type { Job } from "../../client/types.ts";

interface PlanWords {
  /** `What the … will do`, `Undo this …`. */
  noun: string;
  /** The button that applies it. */
  apply: string;
  /** `There is nothing to …`. */
  verb: string;
  /** The number of the summary that says how much it does; null: see the import. */
  effect: string | null;
  /** Whether its rows are of links, or else of people. */
  isOfLinks: boolean;
  /** The page of the study that it comes from. */
  page: { path: string; name: string };
}

const IMPORT: PlanWords = {
  noun: "import",
  apply: "Import",
  verb: "import",
  effect: null,
  isOfLinks: false,
  page: { path: "import", name: "Import people" },
};

const QUOTAS = { path: "quotas", name: "Quotas" };

/** By the beginning of the kind: an undo says the same as what it undoes. */
const WORDS: Record<string, PlanWords> = {
  SCREENER_PARTICIPANTS_REMOVAL: {
    noun: "removal",
    apply: "Remove them",
    verb: "remove",
    effect: "removed",
    isOfLinks: false,
    page: { path: "import", name: "Import people" },
  },
  PARTICIPANTS_ERASURE: {
    noun: "erasure",
    apply: "Erase them for good",
    verb: "erase",
    effect: "erased",
    isOfLinks: false,
    page: { path: "", name: "" },
  },
  SCREENER_SESSIONS_MOVE: {
    noun: "move",
    apply: "Move them",
    verb: "move",
    effect: "moved",
    isOfLinks: true,
    page: { path: "publish", name: "Publish" },
  },
  SCREENER_QUOTA_RECOUNT: {
    noun: "recount",
    apply: "Count them",
    verb: "count",
    effect: "counted",
    isOfLinks: true,
    page: QUOTAS,
  },
  SCREENER_QUOTA_OFFER: {
    noun: "offer",
    apply: "Offer the places",
    verb: "offer",
    effect: "offered",
    isOfLinks: true,
    page: QUOTAS,
  },
  SCREENER_SESSIONS_REVIEW: {
    noun: "review",
    apply: "Decide",
    verb: "decide",
    effect: "reviewed",
    isOfLinks: true,
    page: { path: "review", name: "Review" },
  },
};

export function planWords({ kind }: Pick<Job, "kind">): PlanWords {
  return Object.entries(WORDS).find(([begin]) => kind.startsWith(begin))?.[1] ?? IMPORT;
}
