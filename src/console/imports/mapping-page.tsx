// The page that asks what the columns of a file are, and what happens to people who are not in it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { JobProblem } from "../../client/types.ts";
import { type Fault, FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { READING } from "./columns.ts";
import { Dates, Decimals, type HowRead, Sheets, shortened, Words } from "./how-read.tsx";
import { titleOf } from "./import-page.tsx";

interface MappingView extends HowRead {
  title: string | null;
  problem: JobProblem | undefined;
  key: string;
  curl: string;
}

const TARGETS = [
  ["externalUid", "Id of the person"],
  ["email", "Email"],
  ["name", "Name"],
  ["name.first", "First name"],
  ["name.last", "Last name"],
  ["attributes", "Attribute, with this heading"],
  ["ignore", "Do not import"],
] as const;

const MODES = [
  [
    "UPDATES_ONLY",
    "Add and change people",
    "New people are added to the study, and what has changed of others is changed. Nobody is removed.",
  ],
  [
    "FULL_SYNC",
    "Make the study’s list the same as this file",
    "As above, and people of the study who are not in the file are removed from it: their links do not work any more. You see who before it happens.",
  ],
] as const;

/** How many examples of a column are shown. */
const EXAMPLES = 3;

export function renderMapping(base: string, signedIn: SignedIn, view: MappingView): string {
  const { chosen, title, token, key, faults, problem, curl } = view;
  const all: Fault[] = [
    ...[...faults].map(([column, message]) => ({
      field: column === READING ? "is-read-rightly" : `column-${Math.max(column, 0)}`,
      message,
    })),
    ...(problem ? [{ message: problem.detail }] : []),
    ...(problem?.errors ?? []).map(({ pointer, message }) => ({ message: `${pointer} ${message}`.trim() })),
  ];
  return renderPage(
    { base, title: `${all.length ? "Error – " : ""}What the columns are`, signedIn, at: "/console/studies" },
    <>
      <p class="back">
        <a href={`${base}/console/studies/${chosen.screenerId}/import`}>Import people</a>
      </p>
      <FaultSummary faults={all} />
      <h1>What the columns are</h1>
      <p>
        <bdi class="strong">{clean(chosen.name)}</bdi> into <bdi class="strong">{titleOf(title)}</bdi>. We have guessed
        from the headings. Nothing is imported yet.
      </p>
      <Sheets base={base} view={view} />
      <form method="post" action={`${base}/console/files/${chosen.id}`}>
        <Token value={token} />
        <input type="hidden" name="key" value={key} />
        <Words view={view} />
        <Columns view={view} />
        <p class="note">
          People are matched by the id. Without a column of ids they are matched by their email, and new people get an
          id of the service.
        </p>
        <Decimals view={view} />
        <Dates view={view} />
        <Modes choice={view.choice} />
        <button class="button" type="submit">
          Show what will happen
        </button>
      </form>
      <FirstRows preview={view.preview} />
      <ApiCall curl={curl} />
    </>,
  );
}

function Columns({ view: { preview, choice, faults } }: { view: MappingView }): VNode {
  return (
    <div class="mapping">
      {preview.columns.map(({ heading }, at) => {
        const id = `column-${at}`;
        const fault = faults.get(at) ?? (at === 0 ? faults.get(-1) : undefined);
        const examples = preview.rows.map((row) => row[at] ?? "").filter((cell) => cell.trim());
        return (
          <div class={fault ? "mapped field-wrong" : "mapped"} key={id}>
            <div class="about">
              <label for={id}>
                <bdi>{heading ? clean(heading) : `Column ${at + 1}, without a heading`}</bdi>
              </label>
              <p class="note" id={`${id}-examples`}>
                <bdi>{clean(examples.slice(0, EXAMPLES).map(shortened).join(", ")) || "empty in the first rows"}</bdi>
              </p>
              {fault && (
                <p class="error" id={`${id}-fault`}>
                  {fault}
                </p>
              )}
            </div>
            {heading ? (
              <select
                class="entry"
                id={id}
                name="column"
                aria-describedby={`${id}-examples${fault ? ` ${id}-fault` : ""}`}
                aria-invalid={fault ? "true" : undefined}
              >
                {TARGETS.map(([value, label]) => (
                  <option key={value} value={value} selected={choice.targets[at] === value}>
                    {label}
                  </option>
                ))}
              </select>
            ) : (
              <>
                <input type="hidden" name="column" value="" />
                <p class="note" id={id}>
                  Not imported. It must be empty.
                </p>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}

function Modes({ choice }: Pick<MappingView, "choice">): VNode {
  return (
    <fieldset class="modes">
      <legend>What happens to people who are in the study already</legend>
      {MODES.map(([value, label, hint]) => (
        <div class="mode" key={value}>
          <input
            type="radio"
            id={value}
            name="mode"
            value={value}
            checked={choice.importMode === value}
            aria-describedby={`${value}-hint`}
          />
          <div>
            <label for={value}>{label}</label>
            <p class="note" id={`${value}-hint`}>
              {hint}
            </p>
          </div>
        </div>
      ))}
      <div class="mode">
        <input
          type="checkbox"
          id="joined"
          name="joined"
          value="yes"
          checked={choice.includesJoined}
          aria-describedby="joined-hint"
        />
        <div>
          <label for="joined">Then also remove people who have joined by an open link</label>
          <p class="note" id="joined-hint">
            Otherwise they stay: a file from elsewhere does not have them.
          </p>
        </div>
      </div>
    </fieldset>
  );
}

function FirstRows({ preview: { columns, rows } }: { preview: MappingView["preview"] }): VNode | null {
  if (!rows.length) return null;
  return (
    <>
      <h2 class="apart" id="first-rows">
        The first rows
      </h2>
      {/* A wide table scrolls in its own frame, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it */}
      <section class="frame" aria-labelledby="first-rows" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(({ heading }, at) => (
                <th key={`${at} ${heading}`} scope="col">
                  {clean(heading)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={`${at} ${row[0]}`}>
                {columns.map(({ heading }, column) => (
                  <td key={`${column} ${heading}`}>{clean(shortened(row[column] ?? ""))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
