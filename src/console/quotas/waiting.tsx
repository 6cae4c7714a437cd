// Who waits for places of a quota: people who were turned away, and those who have finished before it was there.

import type { VNode } from "preact";
import { counted, shown } from "../../languages/counted.ts";
import { MAX_HOLD_HOURS, MIN_HOLD_HOURS } from "../../quota-jobs/offer-job.ts";
import type { Waiting } from "../../quota-jobs/waiting.ts";
import { TextField } from "../shell/fields.tsx";
import { Token } from "../shell/layout.tsx";

interface Forms {
  /** The path of the quota's page. */
  path: string;
  /** Of the form, as all of the console have it. */
  token: string;
  /** Of the job that it starts. */
  key: string;
}

/** Offers places to people who were turned away. */
export function Offer({
  offers,
  hours,
  forms,
}: {
  offers: NonNullable<Waiting["offers"]>;
  hours: string;
  forms: Forms;
}): VNode | null {
  const { offered, people } = offers;
  if (!people) return null;
  const fault = /^([1-9]\d{0,2})$/.test(hours) && Number(hours) <= MAX_HOLD_HOURS ? undefined : WRONG_HOURS;
  return (
    <section class={offered > 0 ? "card card-warning" : "card"} id="offer">
      <h2>People who were turned away</h2>
      <p>
        {counted(people, "person was", "people were")} turned away because it had no room.{" "}
        {offered === 0
          ? "None of them would fit now."
          : offered === 1
            ? "1 would fit now."
            : `${shown(offered)} would fit now.`}
      </p>
      {offered > 0 && (
        <form method="post" action={`${forms.path}/offer`} novalidate>
          <Token value={forms.token} />
          <input type="hidden" name="key" value={forms.key} />
          <TextField
            name="holdHours"
            label="Hours for which the places are held"
            hint="They go on where they were. Links stay the same, but for people whom another site may know. Those who have not come by then are turned away again."
            value={hours}
            fault={fault}
          />
          <button class="button" type="submit">
            See who would get an offer …
          </button>
        </form>
      )}
    </section>
  );
}

const WRONG_HOURS = `must be a whole number from ${MIN_HOLD_HOURS} to ${MAX_HOLD_HOURS}`;

/** Counts answers of former versions. */
export function Recount({ count, forms }: { count: number; forms: Forms }): VNode {
  return (
    <section class="card" id="recount">
      <h2>Answers from before this quota</h2>
      <form method="post" action={`${forms.path}/recount`}>
        <Token value={forms.token} />
        <input type="hidden" name="key" value={forms.key} />
        <p>
          {counted(count, "person has", "people have")} finished a version without this quota. It began at zero: those
          of them who are in it can be counted.
        </p>
        <button class="button button-quiet" type="submit">
          See who would be counted …
        </button>
      </form>
    </section>
  );
}
