// The page that asks before a study is deleted with all that people have answered in it.

import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";
import type { Belongings } from "../../nouns/screeners/queries.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, Token } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "./study-frame.tsx";

interface DeletionView {
  belongings: Belongings;
  isArchived: boolean;
  /** What is to be typed: its title, or its id. */
  word: string;
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderDeletion(frame: StudyFrame, view: DeletionView): string {
  const { belongings, isArchived, word, typed, fault, curl } = view;
  const { publications, screenerParticipants, sessions, responses } = belongings;
  return renderStudyPage(
    frame,
    { at: "", heading: "Delete the study", hasFaults: fault !== undefined },
    <>
      <FaultSummary faults={fault === undefined ? [] : [{ field: "confirm", message: fault }]} />
      <h2>Delete the study for good?</h2>
      <p>These are deleted with it, and nothing brings them back:</p>
      <ul>
        <li>{counted(publications, "version", "versions")}, and the draft</li>
        <li>who is in it: {counted(screenerParticipants, "person", "people")}</li>
        <li>{counted(sessions, "link", "links")}</li>
        <li>{counted(responses, "answer", "answers")}</li>
      </ul>
      <p>The people themselves stay in the workspace. Jobs that were accepted before are done first.</p>
      {!isArchived && <p>If you only want it out of the way, archive it: then you can bring it back.</p>}
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/delete`}>
        <Token value={frame.signedIn.token} />
        <ConfirmField
          label={frame.title === null ? "The study’s id" : "The study’s title"}
          word={clean(word)}
          typed={typed}
          fault={fault}
        />
        <button class="button button-grave" type="submit">
          Delete this study
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}
