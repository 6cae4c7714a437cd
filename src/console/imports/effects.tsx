// What an import or an undo will do or has done, in numbers that lead to their rows.

import type { ComponentChildren, VNode } from "preact";
import type { Job } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import { countsOf, hasEffects, inWords } from "../shell/job-words.ts";
import { Figure } from "../shell/layout.tsx";

export const OUTCOMES = [
  "CREATED",
  "UPDATED",
  "UNCHANGED",
  "REMOVED",
  "ERASED",
  "REJECTED",
  "MOVED",
  "COUNTED",
  "OFFERED",
  "REVIEWED",
  "SKIPPED",
  "REVERTED",
  "KEPT",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What each number is called, before and after. */
export const EFFECTS: Record<Outcome, { count: string; planned: string; done: string }> = {
  CREATED: { count: "created", planned: "new", done: "new" },
  UPDATED: { count: "updated", planned: "will change", done: "changed" },
  UNCHANGED: { count: "unchanged", planned: "unchanged", done: "unchanged" },
  REMOVED: { count: "removed", planned: "will be removed", done: "removed" },
  ERASED: { count: "erased", planned: "will be erased for good", done: "erased" },
  REJECTED: { count: "rejected", planned: "wrong, not imported", done: "wrong, not imported" },
  MOVED: { count: "moved", planned: "will move", done: "moved" },
  COUNTED: { count: "counted", planned: "will be counted", done: "counted" },
  OFFERED: { count: "offered", planned: "will get an offer", done: "got an offer" },
  REVIEWED: { count: "reviewed", planned: "will be decided", done: "decided" },
  SKIPPED: { count: "skipped", planned: "will be skipped, with a reason", done: "skipped, with a reason" },
  REVERTED: { count: "reverted", planned: "will be taken back", done: "taken back" },
  KEPT: { count: "kept", planned: "will stay, with a reason", done: "stayed, with a reason" },
};

/** The numbers of a job. Those of one that can be taken back lead to their rows. */
export function Effects({ base, job, hasRows, fileId }: WrongProps & { hasRows: boolean }): VNode {
  const summary = countsOf(job);
  if (!hasEffects(job.kind))
    return (
      <dl class="figures">
        {Object.entries(summary).map(([name, value]) => (
          <Figure key={name} name={inWords(name)} value={shown(value!)} />
        ))}
      </dl>
    );
  const isPlan = job.status === "PLANNED";
  const listed = OUTCOMES.filter((outcome) => summary[EFFECTS[outcome].count] !== undefined);
  return (
    <>
      <ul class="effects">
        {listed.map((outcome) => {
          const { count, planned, done } = EFFECTS[outcome];
          const n = summary[count]!;
          const words: ComponentChildren = (
            <>
              <span class="number">{shown(n)}</span> {isPlan ? planned : done}
            </>
          );
          return (
            <li class={n > 0 ? `effect effect-${count}` : "effect effect-none"} key={outcome}>
              {n > 0 && hasRows ? (
                <a href={`${base}/console/jobs/${job.id}/rows?outcome=${outcome}`}>{words}</a>
              ) : (
                <p>{words}</p>
              )}
            </li>
          );
        })}
      </ul>
      {summary.leaving !== undefined && <TakenBack summary={summary} isPlan={isPlan} />}
      {summary.assigned !== undefined && <p class="note">Added to the study: {shown(summary.assigned)}.</p>}
      {(summary.rejected ?? 0) > 0 && hasRows && <Wrong base={base} job={job} fileId={fileId} />}
    </>
  );
}

/** What an undo does to people, each by itself. */
function TakenBack({ summary, isPlan }: { summary: ReturnType<typeof countsOf>; isPlan: boolean }): VNode | null {
  const { leaving = 0, returning = 0, changedBack = 0 } = summary;
  const parts: [number, string, string][] = isPlan
    ? [
        [leaving, "person leaves the study", "people leave the study"],
        [returning, "person returns to it", "people return to it"],
        [changedBack, "person gets former values back", "people get former values back"],
      ]
    : [
        [leaving, "person left the study", "people left the study"],
        [returning, "person returned to it", "people returned to it"],
        [changedBack, "person got former values back", "people got former values back"],
      ];
  const all = parts.filter(([n]) => n > 0).map((part) => counted(...part));
  return all.length ? <p>{new Intl.ListFormat("en-GB").format(all)}.</p> : null;
}

interface WrongProps {
  base: string;
  job: Job;
  /** The file, if it is still kept and the visitor may have it. */
  fileId: string | undefined;
}

/** Where the wrong rows are. */
export function Wrong({ base, job: { id }, fileId }: WrongProps): VNode {
  const file =
    fileId === undefined
      ? `${base}/console/jobs/${id}/rows.csv?outcome=REJECTED`
      : `${base}/console/files/${fileId}/wrong-rows.csv`;
  return (
    <p>
      <a href={`${base}/console/jobs/${id}/rows?outcome=REJECTED`}>See why rows are wrong</a>, or{" "}
      <a href={file} download>
        download the wrong rows (CSV)
      </a>
      {fileId === undefined
        ? ". Fix them in your file, and import it again."
        : ": as they are in your file, with the reasons. Fix them, and import that file next."}
    </p>
  );
}
