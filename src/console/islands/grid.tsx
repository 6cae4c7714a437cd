// Makes a grid in the builder: a quota for each combination of the answers to two or three questions.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { counted, shown } from "../../languages/counted.ts";
import { askedIn, MAX_QUOTAS, type Quota } from "../../nouns/content/content.ts";
import { combinations } from "../../nouns/content/grids/grids.ts";
import { quoted } from "../../nouns/question-types/comparisons.ts";
import { newQuota } from "./drafts/edits.ts";
import {
  fieldOf,
  type GridQuestion,
  gridQuestion,
  type How,
  isByCell,
  isForGrid,
  isPercent,
  type NewCell,
  planGrid,
} from "./drafts/grid-plan.ts";
import { GridTable } from "./grid-table.tsx";
import { Button, NumberField, SelectField, TextField } from "./inputs.tsx";
import { contentAsRead, focusOn } from "./state/draft.ts";

const HOW: readonly (readonly [How, string])[] = [
  ["PERCENT", "Percentages, for each answer"],
  ["NUMBER", "Numbers of people, for each answer"],
  ["CELL_PERCENT", "Percentages, for each combination"],
  ["CELL_NUMBER", "Numbers of people, for each combination"],
];

const LABELS = ["First question", "Second question", "Third question, if there is one"];

interface MakerProps {
  /** The quotas that are there. */
  present: readonly Quota[];
  onMake: (quotas: Quota[]) => void;
}

export function GridMaker({ present, onMake }: MakerProps): JSX.Element {
  const chosen = useSignal(["", "", ""]);
  const ranges = useSignal<Record<string, string>>({});
  const how = useSignal<How>("PERCENT");
  const total = useSignal<number | null>(null);
  const typed = useSignal<Record<string, string>>({});
  const isTried = useSignal(false);
  const all = contentAsRead.value.pages.flatMap(askedIn);
  const asked = chosen.value.flatMap((id) => all.find((question) => question.id === id) ?? []);
  const questions = asked.map((question) => gridQuestion(question, ranges.value[question.id] ?? ""));
  const type = (field: string) => (text: string) => {
    typed.value = { ...typed.value, [field]: text };
  };
  const { faults, cells } = planGrid({ questions, how: how.value, total: total.value, typed: typed.value, present });
  const make = () => {
    isTried.value = true;
    if (faults.length) focusOn("grid-faults");
    else onMake(cells.map((cell) => newQuota(cell)));
  };
  return (
    <section class="card grid" aria-labelledby="grid">
      <h2 id="grid">Make a grid</h2>
      <p>
        It makes a quota for each combination of answers, such as “Women, under 30”. People who answer something else,
        or outside of the ranges, count in none of them, and are not turned away by them.
      </p>
      {LABELS.map((label, index) => (
        <SelectField
          key={label}
          id={`grid-question-${index}`}
          at=""
          label={label}
          value={chosen.value[index]!}
          options={[
            ["", "None"],
            ...all.flatMap((question, at) =>
              isForGrid(question) ? [[question.id, `${at + 1}. ${quoted(question.prompt)}`] as const] : [],
            ),
          ]}
          onChoice={(id) => {
            chosen.value = chosen.value.with(index, id);
            typed.value = {};
          }}
        />
      ))}
      {asked.map(
        (question) =>
          !("options" in question) && (
            <TextField
              key={question.id}
              id={`grid-ranges-${question.id}`}
              at=""
              label={`Ranges for ${quoted(question.prompt)}`}
              hint="One in each line: “under 30”, “30 to 49”, “50 and over”. An end that is named belongs to the range."
              rows={4}
              value={ranges.value[question.id] ?? ""}
              onText={(text) => {
                ranges.value = { ...ranges.value, [question.id]: text };
              }}
            />
          ),
      )}
      <SelectField
        id="grid-how"
        at=""
        label="What you give"
        value={how.value}
        options={HOW}
        onChoice={(next) => {
          how.value = next as How;
        }}
      />
      {isPercent(how.value) && (
        <NumberField
          id="grid-total"
          at=""
          label="People in total"
          value={total.value}
          onNumber={(number) => {
            total.value = number;
          }}
        />
      )}
      <Shares questions={questions} how={how.value} typed={typed.value} onType={type} />
      {isTried.value && faults.length > 0 && (
        <div class="summary" role="alert" id="grid-faults" tabIndex={-1}>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}.</li>
            ))}
          </ul>
        </div>
      )}
      {faults.length === 0 && <Preview questions={questions} cells={cells} />}
      <Button id="grid-make" onPress={make}>
        {cells.length > 0 ? `Make ${counted(cells.length, "quota", "quotas")}` : "Make the quotas"}
      </Button>
    </section>
  );
}

interface SharesProps {
  questions: readonly GridQuestion[];
  how: How;
  typed: Readonly<Record<string, string>>;
  onType: (field: string) => (text: string) => void;
}

/** The fields for each answer, or for each combination. */
function Shares({ questions, how, typed, onType }: SharesProps): JSX.Element | null {
  const unit = isPercent(how) ? "Percentages" : "Numbers";
  const input = (field: string, label: string) => (
    <TextField key={field} id={`grid-${field}`} at="" label={label} value={typed[field] ?? ""} onText={onType(field)} />
  );
  if (!isByCell(how))
    return (
      <>
        {questions.map(({ id, prompt, answers }, index) => (
          <fieldset key={id} class="choices">
            <legend>
              {unit} for {quoted(prompt)}
            </legend>
            {isPercent(how) && <p class="note">Without any, all answers get the same.</p>}
            <div class="pair">{answers.map(({ name }, at) => input(fieldOf([index, at]), name))}</div>
          </fieldset>
        ))}
      </>
    );
  const lengths = questions.map(({ answers }) => answers.length);
  const size = lengths.reduce((product, length) => product * length, 1);
  // More than there may be would let the page wait.
  if (questions.length < 2 || size > MAX_QUOTAS) return null;
  return (
    <fieldset class="choices">
      <legend>{unit} for each combination</legend>
      <div class="pair">
        {combinations(lengths).map((positions) =>
          input(fieldOf(positions, true), positions.map((at, index) => questions[index]!.answers[at]!.name).join(", ")),
        )}
      </div>
    </fieldset>
  );
}

/** The numbers as a table. */
function Preview({ questions, cells }: { questions: readonly GridQuestion[]; cells: readonly NewCell[] }): JSX.Element {
  // The cells are in the order of the combinations.
  const indexOf = (positions: readonly number[]) =>
    positions.reduce((index, at, question) => index * questions[question]!.answers.length + at, 0);
  return (
    <GridTable
      label="Places for each combination"
      questions={questions.map(({ prompt, answers }) => ({ prompt, answers: answers.map(({ name }) => name) }))}
      cellOf={(positions) => cells[indexOf(positions)]!.limit}
      show={shown}
      showSum={(limits) => shown(limits.reduce((sum, limit) => sum + limit, 0))}
      hasLinks={false}
    />
  );
}
