// The forms of the table of answers: what it is filtered by, and which columns it has. They need no script.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { type AskedTable, addressOf, isList, parametersOf } from "../filters/asked.ts";
import { type FilterField, filterInWords, operatorFor, wordsOf } from "../filters/filter-words.ts";
import { Checks } from "../shell/fields.tsx";
import type { AnswersView } from "./view.ts";

/** What the address says besides, as hidden fields of a form that changes it. */
export function Kept({ asked }: { asked: AskedTable }): VNode {
  return (
    <>
      {parametersOf(asked).map(([name, value]) => (
        <input key={name + value} type="hidden" name={name} value={clean(value)} />
      ))}
    </>
  );
}

export function Filters({ view }: { view: AnswersView }): VNode {
  const { asked, fields, path, timeZone, adding } = view;
  const field = fields.find((one) => one.field === adding);
  return (
    <section class="asked" aria-label="Filters">
      {asked.filters.length > 0 && (
        <ul class="chips">
          {asked.filters.map((filter) => (
            <li key={`${filter.field} ${filter.operator}`} class="chip">
              <span dir="auto">{clean(filterInWords(filter, fields, timeZone))}</span>{" "}
              <a href={addressOf(path, { ...asked, filters: asked.filters.filter((one) => one !== filter) })}>
                Remove<span class="unseen"> {clean(filterInWords(filter, fields, timeZone))}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {field ? <AddFilter view={view} field={field} /> : <ChooseField view={view} />}
    </section>
  );
}

function ChooseField({ view: { asked, fields, path } }: { view: AnswersView }): VNode {
  const groups = [...Map.groupBy(fields, ({ group }) => group)];
  return (
    <form class="choose" method="get" action={path}>
      <Kept asked={asked} />
      <div>
        <label for="add">Show only people whose</label>
        <select class="entry" id="add" name="add">
          {groups.map(([group, ofIt]) => (
            <optgroup key={group} label={group}>
              {ofIt.map(({ field, label }) => (
                <option key={field} value={field}>
                  {clean(shortened(label))}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <button class="button" type="submit">
        Add a filter
      </button>
    </form>
  );
}

function AddFilter({ view, field }: { view: AnswersView; field: FilterField }): VNode {
  const { asked, path, added } = view;
  const { label, operators, options = [], isTicked } = field;
  const { values = [], operator = operators[0]?.[0] } = added ?? {};
  return (
    <form class="choose adding" method="get" action={path}>
      <Kept asked={asked} />
      <input type="hidden" name="field" value={clean(field.field)} />
      <div>
        <label for="operator" dir="auto">
          {clean(shortened(label))}
        </label>
        <select class="entry" id="operator" name="operator">
          {operators.map(([one, words]) => (
            <option key={one} value={one} selected={operatorFor(one, isTicked ? values : []) === operator}>
              {isTicked ? wordsOf(operatorFor(one, options)) : words}
            </option>
          ))}
        </select>
      </div>
      {isTicked ? (
        <Checks name="value" label="Value" options={options} chosen={values} />
      ) : (
        <TypedValue field={field} values={values} />
      )}
      <p>
        <button class="button" type="submit">
          Filter
        </button>{" "}
        <a href={addressOf(path, asked)}>Cancel</a>
      </p>
    </form>
  );
}

function TypedValue({ field, values }: { field: FilterField; values: readonly string[] }): VNode {
  const { operators, options, typed } = field;
  const takesSeveral = operators.some(([operator]) => isList(operator));
  return (
    <div>
      <label for="value">{typed === "day" ? "Day" : "Value"}</label>
      <input
        class="entry"
        id="value"
        name="value"
        type={typed === "day" ? "date" : "text"}
        autocomplete="off"
        dir="auto"
        value={clean(values.join(", "))}
        list={options ? "options" : undefined}
        aria-describedby={takesSeveral ? "value-hint" : undefined}
      />
      {takesSeveral && (
        <p class="note" id="value-hint">
          Several values of “is one of” have commas between them.
        </p>
      )}
      {options && (
        <datalist id="options">
          {options.map(({ id, text }) => (
            <option key={id} value={clean(text)} />
          ))}
        </datalist>
      )}
    </div>
  );
}

/** Which columns are shown. */
export function ChooseColumns({ view: { asked, columns, shown, path } }: { view: AnswersView }): VNode {
  const { columns: _, texts: __, ...rest } = asked;
  const [who, ...others] = shown;
  return (
    <details class="columns-choice">
      <summary>Choose columns</summary>
      <form method="get" action={path}>
        <Kept asked={{ ...rest, columns: undefined }} />
        <fieldset class="field choices">
          <legend class="unseen">Columns</legend>
          {columns
            .filter(({ column }) => column !== who)
            .map(({ column, label }, at) => (
              <label key={column} class="choice" for={`column-${at}`}>
                <input
                  type="checkbox"
                  id={`column-${at}`}
                  name="column"
                  value={clean(column)}
                  checked={others.includes(column)}
                />{" "}
                <span dir="auto">{clean(shortened(label))}</span>
              </label>
            ))}
        </fieldset>
        <button class="button" type="submit">
          Show these columns
        </button>
      </form>
    </details>
  );
}

const MAX_LABEL = 80;

function shortened(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL).toWellFormed().trimEnd()}…` : label;
}
