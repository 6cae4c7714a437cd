// The form of a new message. What is rare is folded, and open where something was typed in it or is wrong with it. It needs no script.

import type { VNode } from "preact";
import { Checks, Choices, fieldsOf, type Named, TextField, TimeField } from "../shell/fields.tsx";
import { Token } from "../shell/layout.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";
import { ConditionRows, Fold, PlainField as Plain, Select } from "./compose-fields.tsx";
import { OtherLanguages, Reminders, WordFields } from "./compose-words.tsx";
import { type FormView, isWrong } from "./form-view.ts";
import { LABELS, LISTS, type ListField } from "./typed.ts";

const DAYS: Named = [
  ["MON", "Monday"],
  ["TUE", "Tuesday"],
  ["WED", "Wednesday"],
  ["THU", "Thursday"],
  ["FRI", "Friday"],
  ["SAT", "Saturday"],
  ["SUN", "Sunday"],
].map(([id, text]) => ({ id: id!, text: text! }));

const KINDS = [
  { value: "INVITATION", label: "Invitation", hint: "People without a link get one." },
  { value: "REMINDER", label: "Reminder", hint: "To people who have a link." },
  {
    value: "MESSAGE",
    label: "Another message",
    hint: "Also to people who have finished, with or without a link.",
  },
];

const statusesOf = ({ hasReviews }: StudyFrame) => [
  {
    value: "NOT_STARTED,IN_PROGRESS",
    label: "People who have not finished",
    hint: "Not begun, or begun and not finished.",
  },
  { value: "NOT_STARTED", label: "People who have not begun", hint: "People who have answered nothing yet." },
  {
    value: "IN_PROGRESS",
    label: "People who have begun and not finished",
    hint: "Somewhere between the first page and the end.",
  },
  {
    value: "QUALIFIED",
    label: "People who qualified",
    hint: hasReviews
      ? "Those, too, who wait for a review or were rejected: “Only some of them” can leave these out."
      : "For another message: they have finished.",
  },
  { value: "DISQUALIFIED", label: "People who were screened out", hint: "For another message, too." },
  { value: "", label: "Everybody in the study", hint: "The plan says who is left out, and why." },
];

export function ComposeForm({ frame, path, view }: { frame: StudyFrame; path: string; view: FormView }): VNode {
  const { typed, offered, faults, key } = view;
  const field = fieldsOf(LABELS, typed.plain, faults);
  return (
    <form class="card" method="post" action={path} novalidate>
      {/* Enter in a field sends the first button: it only shows the message. */}
      <button class="unseen" type="submit" name="make" value="preview" tabIndex={-1} aria-hidden="true">
        Show it
      </button>
      <Token value={frame.signedIn.token} />
      <input type="hidden" name="key" value={key} />
      <Choices {...field("kind")} choices={KINDS} />
      <TextField {...field("name")} hint="For you and your colleagues. Nobody else sees it." />
      <WordFields view={view} step={0} language="" hasHints />
      <OtherLanguages view={view} />
      <Choices {...field("status")} choices={statusesOf(frame)} />
      <Who path={path} view={view} />
      <TimeField
        {...field("at")}
        hint={`In the time zone of the study, ${offered.timeZone}. Leave it empty to begin at once.`}
      />
      <When view={view} />
      <Reminders path={path} view={view} />
      <Look view={view} />
      <button class="button" type="submit" name="make" value="plan">
        Plan it
      </button>
      <p class="note">The plan says who gets it and who does not. Nothing is sent until you confirm it there.</p>
    </form>
  );
}

const EVERYBODY = { id: "", text: "Whatever the review says" };

function Who({ path, view }: { path: string; view: FormView }): VNode {
  const { typed, offered, faults } = view;
  const { plain, lists, conditions } = typed;
  const field = fieldsOf(LABELS, plain, faults);
  const isOpen =
    conditions.length > 0 ||
    [plain.review, plain.notInvitedSince, plain.notQualifiedSince, plain.limit, plain.order].some(Boolean) ||
    lists.quotaIds.length + lists.notInScreenerIds.length > 0 ||
    isWrong(view, /^(?:value-|review|notI|notQ|limit|order|quotaIds)/);
  return (
    <Fold id="who" name="Only some of them" note="Only people who match everything here get it." isOpen={isOpen}>
      <ConditionRows conditions={conditions} filters={offered.filters} faults={faults} again={`${path}#field-0`} />
      <Select
        {...field("review")}
        options={[
          EVERYBODY,
          { id: "PENDING", text: "Waits for a review" },
          { id: "ACCEPTED", text: "Was accepted" },
          { id: "REJECTED", text: "Was rejected" },
        ]}
      />
      <Plain
        {...field("notInvitedSince")}
        type="date"
        hint="People who got no message about this study since that day."
      />
      <Plain
        {...field("notQualifiedSince")}
        type="date"
        hint="People who have qualified for no study of this workspace since that day."
      />
      {listed("quotaIds", offered.quotas, view)}
      {listed("notInScreenerIds", offered.studies, view)}
      <Plain {...field("limit")} hint="Leave it empty for no limit." />
      <Select
        {...field("order")}
        options={[
          { id: "", text: "Who was added first" },
          { id: "RANDOM", text: "Anybody, by chance" },
        ]}
      />
    </Fold>
  );
}

function listed(name: ListField, options: Named, { typed, faults }: FormView): VNode | null {
  if (!options.length) return null;
  return <Checks name={name} label={LISTS[name]} options={options} chosen={typed.lists[name]} fault={faults[name]} />;
}

function When({ view }: { view: FormView }): VNode {
  const { typed, offered, faults } = view;
  const { plain, lists } = typed;
  const field = fieldsOf(LABELS, { ...plain, windowZone: plain.windowZone || offered.timeZone }, faults);
  const isOpen =
    lists.windowDays.length > 0 ||
    [plain.windowFrom, plain.windowTo, plain.perMinute, plain.resendUncertain].some(Boolean) ||
    isWrong(view, /^(?:window|perMinute)/);
  return (
    <Fold
      name="Only on some days and hours, and how fast"
      note="Messages that are due at another time wait. So do reminders."
      isOpen={isOpen}
    >
      {listed("windowDays", DAYS, view)}
      <Plain {...field("windowFrom")} type="time" />
      <Plain {...field("windowTo")} type="time" />
      <Plain {...field("windowZone")} hint="Such as Europe/Berlin." />
      <Plain {...field("perMinute")} hint="Leave it empty to send as fast as the service may." />
      <Select
        {...field("resendUncertain")}
        hint="If a connection ends at the wrong moment, nobody knows whether a message has left."
        options={[
          { id: "", text: "Are not sent again: some people may get none" },
          { id: "yes", text: "Are sent again: some people may get it twice" },
        ]}
      />
    </Fold>
  );
}

function Look({ view: { typed, faults } }: { view: FormView }): VNode {
  const field = fieldsOf(LABELS, typed.plain, faults);
  return (
    <fieldset class="field">
      <legend>Look at it first</legend>
      {typed.steps.length > 1 && (
        <Select
          {...field("which")}
          options={typed.steps.map((_, step) => ({
            id: step === 0 ? "" : String(step),
            text: step === 0 ? "The first message" : `Reminder ${step}`,
          }))}
        />
      )}
      <TextField {...field("person")} hint="The id of a person, or nothing." />
      <button class="button button-quiet" type="submit" name="make" value="preview">
        Show it
      </button>
      <TextField {...field("address")} hint="One message goes there, at once." />
      <button class="button button-quiet" type="submit" name="make" value="test">
        Send it to me
      </button>
    </fieldset>
  );
}
