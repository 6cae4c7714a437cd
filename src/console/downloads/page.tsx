// The page on which the answers to a study are downloaded.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerArm, ScreenerPublication } from "../../client/types.ts";
import { Filtered, type FilteredBy, KeptFilters } from "../filters/filtered.tsx";
import { LabelledField } from "../shell/fault-list.tsx";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf } from "../shell/fields.tsx";
import { ApiCall } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

/** What the file is to have. All but the first three may be empty: then they leave nothing out. */
export interface Chosen {
  format: "xlsx" | "csv" | "spss";
  headings: "READABLE" | "KEYS";
  choices: "JOINED" | "COLUMNS";
  who: string;
  /** The id of a publication. */
  version: string;
  /** The id of an arm. */
  arm: string;
  /** Days in UTC. */
  from: string;
  until: string;
  attribute: string;
  value: string;
  /** `true`: also of those who have withdrawn. */
  withdrawn: string;
}

interface DownloadView {
  chosen: Chosen;
  faults: Faults;
  filtered: FilteredBy;
  publications: ScreenerPublication[];
  arms: ScreenerArm[];
  /** The keys of participants' attributes. */
  attributes: string[];
  curl: string;
}

const LABELS = { format: "The file", from: "First day", until: "Last day", attribute: "Attribute" };

const WHO = [
  ["", "Everybody who has started"],
  ["COMPLETED", "People who completed"],
  ["QUALIFIED", "People who qualified"],
  ["SCREENED_OUT", "People who were screened out"],
  ["OVER_QUOTA", "People for whom it was full"],
  ["NO_CONSENT", "People who did not agree"],
  ["IN_PROGRESS", "People who have not finished"],
] as const;

export function renderDownload(
  frame: StudyFrame,
  { chosen, faults, filtered, publications, arms, attributes, curl }: DownloadView,
): string {
  const path = `${frame.base}/console/studies/${frame.id}`;
  const hasFaults = Object.keys(faults).length > 0;
  const field = fieldsOf(LABELS, chosen, faults);
  return renderStudyPage(
    frame,
    { at: "/results", heading: "Download answers", hasFaults },
    <>
      {hasFaults && <FaultSummary faults={faults} labels={LABELS} />}
      <h2>Download answers</h2>
      <Filtered what="The file has" by={filtered} path={path} page="download" />
      <form method="get" action={`${path}/download`}>
        <KeptFilters filters={filtered.filters} />
        <Choices
          name="format"
          label="File"
          value={chosen.format}
          fault={faults.format}
          choices={[
            {
              value: "xlsx",
              label: "Excel",
              hint: "With a second sheet that says what each column means. Up to 300,000 cells.",
            },
            { value: "csv", label: "CSV", hint: "For any program, and with any number of rows." },
            {
              value: "spss",
              label: "SPSS",
              hint: "A zip: the answers as numbers, and the syntax that gives them their labels. It chooses its own headings and columns.",
            },
          ]}
        />
        <Choices
          name="headings"
          label="Headings"
          value={chosen.headings}
          choices={[
            { value: "READABLE", label: "Words", hint: "A question without a key gets one from its first words." },
            { value: "KEYS", label: "Keys and ids", hint: "They stay the same when a text changes." },
          ]}
        />
        <Choices
          name="choices"
          label="Questions with several answers"
          value={chosen.choices}
          choices={[
            { value: "JOINED", label: "One column", hint: "The chosen options, with semicolons between them." },
            { value: "COLUMNS", label: "A column for each option", hint: "1 if it was chosen, 0 if not." },
          ]}
        />
        <fieldset class="field">
          <legend>Whose answers</legend>
          <Select name="who" label="People" value={chosen.who} options={WHO} />
          <Select
            name="version"
            label="Version"
            value={chosen.version}
            options={[["", "All"], ...publications.map(({ id, version }) => [id, String(version)] as const)]}
          />
          {arms.length > 0 && (
            <Select
              name="arm"
              label="Arm"
              value={chosen.arm}
              options={[
                ["", "All"],
                ...arms.map(
                  ({ id, assignmentName, name }) => [id, `${clean(assignmentName)}: ${clean(name)}`] as const,
                ),
              ]}
            />
          )}
          <DayField {...field("from")} />
          <DayField {...field("until")} />
          {attributes.length > 0 && (
            <>
              <Select
                {...field("attribute")}
                options={[["", "Any"], ...attributes.map((key) => [key, clean(key)] as const)]}
              />
              <LabelledField id="value" label="Its value">
                {() => (
                  <input
                    class="entry"
                    id="value"
                    name="value"
                    dir="auto"
                    autocomplete="off"
                    value={clean(chosen.value)}
                  />
                )}
              </LabelledField>
            </>
          )}
          <div class="choice">
            <input type="checkbox" id="withdrawn" name="withdrawn" value="true" checked={chosen.withdrawn !== ""} />
            <label for="withdrawn">Also of people who have withdrawn</label>
          </div>
        </fieldset>
        <p class="actions">
          <button class="button" type="submit" name="file" value="answers">
            Download answers
          </button>
          <button class="button button-quiet" type="submit" name="file" value="codebook">
            Download codebook (CSV)
          </button>
        </p>
      </form>
      <p>
        <a href={`${path}/results`}>Back to the results</a>
      </p>
      <ApiCall curl={curl} />
    </>,
  );
}

interface SelectProps {
  name: string;
  label: string;
  value: string;
  fault?: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

function Select({ name, label, value, fault, options }: SelectProps): VNode {
  return (
    <LabelledField id={name} label={label} fault={fault && `${label} ${fault}`}>
      {(described) => (
        <select
          class="entry"
          id={name}
          name={name}
          aria-invalid={fault ? "true" : undefined}
          aria-describedby={described}
        >
          {options.map(([one, text]) => (
            <option key={one} value={one} selected={one === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** Days are in UTC, as all times of the API. */
function DayField({ name, label, value, fault }: Omit<SelectProps, "options">): VNode {
  return (
    <LabelledField id={name} label={label} hint="Of the last answer, in UTC" fault={fault && `${label} ${fault}`}>
      {(described) => (
        <input
          class="entry entry-short"
          type="date"
          id={name}
          name={name}
          value={value}
          aria-invalid={fault ? "true" : undefined}
          aria-describedby={described}
        />
      )}
    </LabelledField>
  );
}
