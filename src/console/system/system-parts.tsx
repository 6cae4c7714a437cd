// What the pages about what runs have in common: what is wrong, the backup, the versions.

import type { VNode } from "preact";
import { adviceOn } from "../../api/system/advice.ts";
import type { SystemState } from "../../api/system/state.ts";
import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";
import { Figure, Time } from "../shell/layout.tsx";

/** An instant, as messages that programs read have it. */
const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A message whose instants are said by the reader's clock. */
const withTimes = (message: string) =>
  clean(message)
    .split(INSTANT)
    .map((part, at) => (at % 2 ? <Time key={at} at={part} /> : part));

/** Everything that is wrong now, with what to do. */
export function Findings({ findings }: Pick<SystemState, "findings">): VNode {
  return (
    <section aria-labelledby="wrong">
      <h2 id="wrong">What is wrong</h2>
      {findings.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <ul class="cards">
          {findings.map(({ code, message, blocking, workspace }) => {
            const { heading, advice } = adviceOn(code);
            return (
              <li class="card" key={`${code} ${workspace} ${message}`}>
                <h3>{heading}</h3>
                {blocking && (
                  <p class="states">
                    <span class="state state-failed">
                      {blocking === "writes" ? "nothing is written" : "nobody is served"}
                    </span>
                  </p>
                )}
                <p>{withTimes(message)}</p>
                {workspace !== undefined && <p class="note">Workspace {workspace}</p>}
                <p>
                  <b>What to do:</b> {advice}
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

export function Backup({ backup, now }: Pick<SystemState, "backup"> & { now: number }): VNode {
  if (!backup) return <>None is known. Only backups by BACKUP_SCHEDULE and by the command “backup” are.</>;
  const { at, failed } = backup;
  return (
    <>
      {ageInWords(now - at)} ago (<Time at={at} />)
      {failed > 0 && `; ${counted(failed, "workspace is", "workspaces are")} not in it`}
    </>
  );
}

export function Versions({ versions }: Pick<SystemState, "versions">): VNode {
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <dl class="facts">
        {versions.map(([of, version]) => (
          <Figure key={of} name={of} value={version} />
        ))}
      </dl>
    </section>
  );
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** 1,500,000 as 1.5 MB. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[power]}`;
}

const SPANS = [
  ["day", 24 * 3_600_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** How long something is: 3 days. */
export function ageInWords(ms: number): string {
  const [name, length] = SPANS.find(([, one]) => ms >= one) ?? SPANS[SPANS.length - 1]!;
  const many = Math.max(0, Math.floor(ms / length));
  return `${many} ${name}${many === 1 ? "" : "s"}`;
}
