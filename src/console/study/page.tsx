// The page of a study: its state, its settings, and what can be done with it.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { timeZones } from "../../nouns/screeners/time-zones.ts";
import { wordsOf } from "../../participant-page/end-pages.tsx";
import type { Ending } from "../../participant-page/ending.ts";
import { ENGLISH } from "../../words/languages.ts";
import { includesRole } from "../../workspaces/rights.ts";

import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf, SelectField, TextField, TimeField } from "../shell/fields.tsx";
import { ApiCall, Token } from "../shell/layout.tsx";
import { type Study, StudyFigures } from "../studies/page.tsx";
import type { Settings } from "./new-study-page.tsx";
import { PersonForm } from "./person-form.tsx";
import { NUMBER_LABELS, SignalsForm } from "./signals-form.tsx";
import { Done, renderStudyPage, type StudyFrame } from "./study-frame.tsx";
import type { TypedSignals } from "./typed-signals.ts";

export interface StudyView {
  study: Study;
  settings: Settings;
  signals: TypedSignals;
  /** The settings as they were when the form was opened. */
  shown: Settings;
  faults: Faults;
  isSaved: boolean;
  isArchived: boolean;
  curl: string;
  /** Of the form that makes a copy. */
  key: string;
}

/** The names of the settings, by the members of the API. */
export const LABELS = {
  title: "Title",
  acceptance: "Answers",
  opensAt: "Opens",
  closesAt: "Closes",
  linkExpiresAt: "Links expire",
  quotaHoldMinutes: "Minutes that a place is held",
  timeZone: "Time zone",
  review: "Review",
};

export function renderStudy(frame: StudyFrame, view: StudyView): string {
  const { study, faults, isSaved, curl } = view;
  const mayChange = includesRole(frame.signedIn.role, "researcher");
  return renderStudyPage(
    frame,
    { at: "", heading: "", hasFaults: Object.keys(faults).length > 0 },
    <>
      {isSaved && <Done>Saved</Done>}
      <FaultSummary faults={faults} labels={{ ...LABELS, ...NUMBER_LABELS }} />
      <section class="card">
        <h2>So far</h2>
        <StudyFigures study={study} />
        <p>
          <a href={`${frame.base}/console/studies/${frame.id}/feasibility`}>Who fits this study?</a>
        </p>
      </section>
      {mayChange && frame.state !== "draft" && (
        <section aria-labelledby="one-person">
          <h2 id="one-person">Add one person</h2>
          <PersonForm frame={frame} personKey={view.key} />
          <p>
            <a href={`${frame.base}/console/studies/${frame.id}/share`}>Share the study</a> with an open link, or{" "}
            <a href={`${frame.base}/console/studies/${frame.id}/import`}>import a list</a>.
          </p>
        </section>
      )}
      {mayChange && <SettingsForm frame={frame} view={view} />}
      {mayChange && <SignalsForm frame={frame} signals={view.signals} faults={faults} />}
      <ScreensOfPeople />
      <More frame={frame} view={view} mayChange={mayChange} />
      <ApiCall curl={curl} />
    </>,
  );
}

function SettingsForm({ frame, view }: { frame: StudyFrame; view: StudyView }): VNode {
  const { settings, faults } = view;
  const field = fieldsOf(LABELS, settings, faults);
  return (
    <section class="card">
      <h2>Settings</h2>
      <form method="post" action={`${frame.base}/console/studies/${frame.id}`} novalidate>
        <Token value={frame.signedIn.token} />
        {Object.entries(view.shown).map(([name, value]) => (
          <input key={name} type="hidden" name={`was-${name}`} value={clean(value)} />
        ))}
        <TextField {...field("title")} hint="People see the new title in the next version." />
        <Choices
          {...field("acceptance")}
          choices={[
            { value: "OPEN", label: "Open", hint: "Links work between the dates below." },
            { value: "PAUSED", label: "Paused", hint: "Nobody can answer for now. What was answered is kept." },
            { value: "CLOSED", label: "Closed", hint: "Nobody can answer any more. You can open it again." },
          ]}
        />
        <SelectField
          {...field("timeZone")}
          hint="The dates below are in this time zone. Dates that you don’t change stay at the same moment when you choose another one."
          options={[...new Set([settings.timeZone, ...timeZones()])]}
        />
        <TimeField {...field("opensAt")} hint="Without a date it is open from the first version on." />
        <TimeField {...field("closesAt")} hint="For everybody. Without a date it closes when you close it." />
        <TimeField
          {...field("linkExpiresAt")}
          hint="From then on the links of people whom you have invited take no answers, and say that they have expired."
        />
        <TextField
          {...field("quotaHoldMinutes")}
          hint="While somebody answers, a quota holds a place for them, so that nobody else gets it. So many minutes after their last answer the place is free again: 1 to 1440, which is a day."
        />
        <Choices
          {...field("review")}
          choices={[
            { value: "NONE", label: "No review", hint: "A person who qualifies takes a place in the quotas at once." },
            {
              value: "ALL",
              label: "Review who qualifies",
              hint: "You accept or reject each person. Until then a place is held for them, and nobody else gets it.",
            },
            {
              value: "SIGNALS",
              label: "Review who qualifies and has signals",
              hint: "Only people whose answers have a signal. You choose the signals below.",
            },
          ]}
        />
        <button class="button" type="submit">
          Save
        </button>
      </form>
    </section>
  );
}

const SCREENS: readonly (readonly [Ending, string])[] = [
  ["notYetOpen", "Before it opens"],
  ["paused", "While it is paused"],
  ["closed", "When it is closed"],
  ["expired", "When links have expired"],
  ["full", "When its target is reached"],
];

function ScreensOfPeople(): VNode {
  return (
    <details class="more">
      <summary>What people see who cannot answer</summary>
      <dl>
        {SCREENS.map(([ending, when]) => {
          const { heading, text } = wordsOf(ending, ENGLISH);
          return (
            <div key={ending}>
              <dt>{when}</dt>
              <dd>
                <strong>{heading}.</strong> {text}
              </dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}

function More({ frame, view, mayChange }: { frame: StudyFrame; view: StudyView; mayChange: boolean }): VNode {
  const path = `${frame.base}/console/studies/${frame.id}`;
  return (
    <section class="card">
      <h2>The study</h2>
      <ul class="plain">
        {mayChange && (
          <li>
            <form method="post" action={`${path}/duplicate`}>
              <Token value={frame.signedIn.token} />
              <input type="hidden" name="key" value={view.key} />
              <button class="button button-quiet" type="submit">
                Duplicate the study
              </button>
            </form>
          </li>
        )}
        {mayChange && (
          <li>
            <form method="post" action={`${path}/archive`}>
              <Token value={frame.signedIn.token} />
              <input type="hidden" name="archived" value={view.isArchived ? "" : "yes"} />
              <button class="button button-quiet" type="submit">
                {view.isArchived ? "Bring the study back from the archive" : "Archive the study"}
              </button>
              <p class="note">
                {view.isArchived
                  ? "It is archived: the list of studies leaves it out."
                  : "It leaves the list of studies. Nothing else changes, and you can bring it back."}
              </p>
            </form>
          </li>
        )}
        <li>
          <a href={`${path}/content.json`}>Save the draft as JSON</a>
        </li>
        {mayChange && (
          <li>
            <a href={`${path}/content`}>Replace the draft by JSON</a>
          </li>
        )}
        {includesRole(frame.signedIn.role, "admin") && (
          <li>
            <a href={`${path}/delete`}>Delete the study …</a>
          </li>
        )}
      </ul>
    </section>
  );
}
