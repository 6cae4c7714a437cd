// What quotas say to people: their places, their states, and their names.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { Problem } from "../../base/problems.ts";
import type { ScreenerQuota, ScreenerQuotaPlace } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import type { Calls } from "../shell/calls.ts";
import type { Known } from "../shell/known-words.ts";

const STATUSES: Record<ScreenerQuota["status"], string> = {
  OPEN: "Open",
  HELD_FULL: "Full for now (held)",
  FULL: "Full",
  PAUSED: "Paused",
  RETIRED: "Removed from the draft",
};

export function statusOf({ mode, status }: Pick<ScreenerQuota, "mode" | "status">): string {
  return mode === "COUNT" && status === "OPEN" ? "Only counts" : STATUSES[status];
}

type Counts = Pick<ScreenerQuota, "mode" | "limit" | "taken" | "held">;

/** How many places are taken and held: `38 of 40 taken, 1 held`. */
export function placesInWords({ mode, limit, taken, held }: Counts): string {
  const isLimit = mode === "LIMIT" && limit !== null;
  const over = isLimit ? taken - limit : 0;
  return [
    isLimit ? `${shown(taken)} of ${shown(limit)} taken` : `${shown(taken)} taken`,
    ...(held > 0 ? [`${shown(held)} held`] : []),
    ...(over > 0 ? [`over by ${shown(over)}`] : []),
  ].join(", ");
}

/** The same as a bar: what is taken, and after it what is held. */
export function PlacesBar({ mode, limit, taken, held }: Counts): VNode | null {
  if (mode === "COUNT" || limit === null) return null;
  const most = Math.max(limit, taken + held, 1);
  const width = (count: number) => ((count / most) * 100).toFixed(2);
  return (
    <svg class="bar places-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-ground" width="100" height="10" />
      <rect class="bar-held" width={width(taken + held)} height="10" />
      <rect width={width(taken)} height="10" />
    </svg>
  );
}

export const PLACE_STATES: Record<ScreenerQuotaPlace["state"], string> = {
  TAKEN: "Taken",
  HELD: "Held",
  RELEASED: "Given back",
};

export const REASONS: Record<Known<ScreenerQuotaPlace["reason"]>, string> = {
  LAPSED: "No answer for too long",
  ANSWERS_CHANGED: "Other answers since",
  SCREENED_OUT: "Screened out",
  OVER_QUOTA: "Another quota was full",
  NO_CONSENT: "No consent",
  WITHDRAWN: "Consent was withdrawn",
  UNASSIGNED: "Removed from the study",
  SESSION_REMOVED: "The link was revoked",
  OVERRIDDEN: "Set to Screened out by hand",
  REJECTED: "Rejected in review",
  UNDONE: "The job that gave it was undone",
};

/** How many quotas are named. */
const MAX_NAMED = 5;

/** The names of quotas, as part of a sentence. Null: there are no ids. */
export async function namesOfQuotas(calls: Calls, ids: readonly string[]): Promise<string | null> {
  if (!ids.length) return null;
  const names: string[] = [];
  for (const id of ids.slice(0, MAX_NAMED)) {
    const found = await calls.get("getScreenerQuota", { id }).catch((error) => {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    });
    names.push(found ? `“${clean(found.name)}”` : "a quota that is gone");
  }
  const more = ids.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${shown(more)} more` : ""}`;
}
