// The form that replaces the draft of a study by JSON.

import type { Faults } from "../shell/faults.ts";
import { FaultSummary, TextArea } from "../shell/fields.tsx";
import { ApiCall, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

interface ContentForm {
  /** Undefined: it is too long to be shown again. */
  json: string | undefined;
  /** The ETag of the draft that is replaced. */
  version: string;
  faults: Faults;
  curl: string;
}

export function renderContentForm(frame: StudyFrame, { json, version, faults, curl }: ContentForm): string {
  return renderStudyPage(
    frame,
    { at: "", heading: "Replace the draft by JSON", hasFaults: Object.keys(faults).length > 0 },
    <>
      <FaultSummary faults={faults} labels={{ json: "The text" }} />
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/content`} novalidate>
        <Token value={frame.signedIn.token} />
        <input type="hidden" name="version" value={version} />
        {json === undefined && (
          <p class="note">
            The text that you sent is too long to be shown here again. Fix it where you have it, and paste it once more.
          </p>
        )}
        <TextArea
          name="json"
          label="The new draft, as JSON"
          hint="As “Save the draft as JSON” gives it, from this study or another one. It replaces the whole draft. What is published stays."
          rows={16}
          value={json ?? ""}
          fault={faults.json && `: the text ${faults.json}`}
        />
        <button class="button" type="submit">
          Replace the draft
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}
