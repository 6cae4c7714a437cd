// Files for translators on a language's page, and what one of them would change.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerTranslationChanges } from "../../client/types.ts";
import { counted } from "../../languages/counted.ts";
import { Token } from "../shell/layout.tsx";
import { Table } from "../shell/table.tsx";

/** What a file would change. */
export interface Dry {
  name: string;
  changed: number;
  /** Null: they are too many to be shown. */
  changes: ScreenerTranslationChanges | null;
}

export function Files({ path, fault, token }: { path: string; fault: string | undefined; token: string }): VNode {
  return (
    <section class="card apart">
      <h2>For translators</h2>
      <p>
        <a href={`${path}/file?format=xliff`}>Download XLIFF</a>, for translation programs, or{" "}
        <a href={`${path}/file?format=csv`}>Download CSV</a>, for spreadsheets.
      </p>
      <form method="post" action={`${path}/file`} enctype="multipart/form-data">
        <Token value={token} />
        <div class={fault ? "field field-wrong" : "field"}>
          <label for="file">Translated file</label>
          <p class="note" id="file-hint">
            The XLIFF or the CSV. First you see what it changes.
          </p>
          {fault && (
            <p class="error" id="file-fault">
              The file {clean(fault)}
            </p>
          )}
          <input
            class="entry"
            type="file"
            id="file"
            name="file"
            accept=".xliff,.xlf,.csv,.txt,application/xliff+xml,text/csv"
            aria-describedby={fault ? "file-hint file-fault" : "file-hint"}
            aria-invalid={fault ? "true" : undefined}
          />
        </div>
        <button class="button" type="submit">
          Look at the file
        </button>
      </form>
    </section>
  );
}

export function DryRun({
  dry: { name, changed, changes },
  path,
  token,
}: {
  dry: Dry;
  path: string;
  token: string;
}): VNode {
  const ignored = changes?.ignored.length ?? 0;
  return (
    <section class="card" id="changes" role="status">
      <h2>
        What <bdi>{clean(name)}</bdi> changes
      </h2>
      <p>
        {counted(changed, "text changes", "texts change")}.{" "}
        {ignored > 0 && counted(ignored, "is left out.", "are left out.")} Nothing is saved yet.
      </p>
      {ignored > 0 && (
        <p class="note">
          A translation is left out if the draft no longer has its text, or if it is of a former text that has a newer
          translation.
        </p>
      )}
      {changes === null && <p>They are too many to be shown here: send the file by the API.</p>}
      {changes && changed > 0 && (
        <>
          <Table columns={["Text", "Before", "After"]} of="translations">
            {changes.changes.map((change) => (
              <tr key={change.id}>
                <td data-label="Text" dir="auto">
                  {clean(change.source)}
                </td>
                <td data-label="Before" lang={changes.language} dir="auto">
                  {clean(change.from ?? "–")}
                </td>
                <td data-label="After" lang={changes.language} dir="auto">
                  {clean(change.to ?? "–")} {change.state === "STALE" && <span class="state state-failed">stale</span>}
                </td>
              </tr>
            ))}
          </Table>
          <form method="post" action={`${path}/changes`}>
            <Token value={token} />
            <input type="hidden" name="changed" value={changed} />
            <input type="hidden" name="changes" value={JSON.stringify({ strings: stringsOf(changes) })} />
            <button class="button" type="submit">
              Take these changes
            </button>
          </form>
        </>
      )}
    </section>
  );
}

/** The changes as they are sent. A text that changes meanwhile makes its translation stale. */
function stringsOf({ changes }: ScreenerTranslationChanges) {
  return changes.map(({ id, source, madeFrom = source, to, state }) => ({ id, source: madeFrom, text: to, state }));
}
