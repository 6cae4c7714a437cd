// A page as people see it, for the preview of how pages look. It has what the colour is used for.

import type { Content } from "../../nouns/content/content.ts";
import { Wording } from "../../nouns/content/wording.ts";
import { UTC } from "../../nouns/screeners/time-zones.ts";
import { renderQuestionPage } from "../../participant-page/question-page.tsx";
import { resumeRehearsal } from "../../participant-page/rehearsal.ts";
import { speechIn } from "../../words/languages.ts";
import type { VisitorRequest } from "../shell/request.ts";
import { imagesIn, lookIn } from "../study/look.ts";
import { personal, somebody } from "../try/person.ts";

const OPTIONS = ["Every day, or nearly", "Every week", "Less often"];

const CONTENT: Content = {
  pages: [
    {
      _type: "ScreenerPage",
      id: "sample",
      title: null,
      description: null,
      showWhen: null,
      disqualifyWhen: null,
      questions: [
        {
          _type: "ScreenerSingleSelectQuestion",
          id: "often",
          key: "often",
          prompt: "How often do you cook?",
          helpText: null,
          required: true,
          showWhen: null,
          allowsWriteIn: false,
          options: OPTIONS.map((text) => ({ id: text, text })),
        },
      ],
    },
  ],
  qualifyWhen: null,
  thankYou: null,
  thankYouByOutcome: null,
};

/** The page, with the look that the workspace's pages have now. */
export async function renderSample(request: VisitorRequest): Promise<string> {
  const { base, visitor } = request;
  const said = { languages: ["en"], language: "en", wording: new Wording(CONTENT), speech: speechIn("en") };
  const content = personal(CONTENT, { timeZone: UTC }, somebody(), said);
  const { view } = resumeRehearsal(content, "Cooking at home", new Map());
  const look = await lookIn(request);
  const screen = { base, images: imagesIn(request), workspaceName: visitor.workspace_name, look, isTrial: true };
  return (await renderQuestionPage({ ...screen, view: view!, path: "", shownAt: "", within: [] })).join("");
}
