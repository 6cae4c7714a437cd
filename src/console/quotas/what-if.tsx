// What other limits than those that count now would let through, beside the live quotas.

import { hash } from "node:crypto";
import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerContent, ScreenerQuota, ScreenerQuotaForecast } from "../../client/types.ts";
import { FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { StudyFrame } from "../study/study-frame.tsx";
import { ForecastButtons, ForecastTable } from "./forecast-table.tsx";

/** A quota with a limit, and the limit to try. */
interface Tried {
  name: string;
  limit: string;
  fault: string | undefined;
}

export interface WhatIfView {
  /** In the order of the draft. */
  tried: Tried[];
  /** Which quotas these are: fields are told apart by their order alone, because an address has no room for 500 ids. */
  of: string;
  /** What else is wrong. */
  faults: string[];
  /** Null: it was not asked for, or something is wrong. */
  forecast: ScreenerQuotaForecast | null;
}

/** @param quotas those that are live */
export async function whatIf(
  { calls, params, query }: VisitorRequest,
  draft: ScreenerContent | undefined,
  quotas: readonly ScreenerQuota[],
): Promise<WhatIfView | null> {
  const limits = new Map(quotas.map(({ id, limit }) => [id, limit]));
  const all = draft?.quotas ?? [];
  const isTried = ({ mode, id }: (typeof all)[number]) => mode === "LIMIT" && limits.has(id);
  const tried = all.filter(isTried);
  const of = hash("sha256", tried.map(({ id }) => id).join()).slice(0, 16);
  const typed = query.get("of") === of ? query.getAll("limit") : [];
  const limitOf = (at: number) => typed[at]?.trim() ?? String(limits.get(tried[at]!.id) ?? "");
  const basis = query.get("basis");
  let forecast: ScreenerQuotaForecast | null = null;
  let faults: Faults = {};
  if (basis === "ANSWERS" || basis === "ROSTER") {
    const wanted = all.map((quota) => {
      if (!isTried(quota)) return quota;
      const limit = limitOf(tried.indexOf(quota));
      return { ...quota, limit: /^\d+$/.test(limit) ? Number(limit) : unchecked<number>(limit) };
    });
    try {
      forecast = (await calls.send("forecastScreenerQuotas", { id: params.id!, body: { quotas: wanted, basis } }))
        .value;
    } catch (error) {
      faults = faultsOf(error, []);
    }
  }
  if (!tried.length) return null;
  const pointers = new Map(tried.map((quota) => [quota.id, `/quotas/${all.indexOf(quota)}/limit`]));
  const faultOf = (id: string) => faults[pointers.get(id)!]?.slice(pointers.get(id)!.length + 1);
  const ofLimits = new Set(pointers.values());
  return {
    tried: tried.map(({ id, name }, at) => ({ name, limit: limitOf(at), fault: faultOf(id) })),
    of,
    faults: Object.entries(faults).flatMap(([pointer, message]) => (ofLimits.has(pointer) ? [] : [message])),
    forecast,
  };
}

export function WhatIf({ frame, view }: { frame: StudyFrame; view: WhatIfView }): VNode {
  const { tried, of, forecast } = view;
  const faults = [
    ...tried.flatMap(({ fault, name }, at) =>
      fault === undefined ? [] : [{ field: `limit-${at}`, message: `${name} ${fault}` }],
    ),
    ...view.faults.map((message) => ({ message })),
  ];
  return (
    <section class="card" id="what-if">
      <h2>What if</h2>
      <p>What other limits would let through. Nothing is changed by it.</p>
      <FaultSummary faults={faults} />
      <form method="get" action={`${frame.base}/console/studies/${frame.id}/quotas#what-if`}>
        <input type="hidden" name="of" value={of} />
        <div class="limits">
          {tried.map(({ name, limit, fault }, at) => (
            <LabelledField
              key={name}
              id={`limit-${at}`}
              label={<bdi>{clean(name)}</bdi>}
              fault={fault && `${name} ${fault}`}
            >
              {(described) => (
                <input
                  class="entry entry-short"
                  id={`limit-${at}`}
                  name="limit"
                  type="text"
                  inputMode="numeric"
                  autocomplete="off"
                  value={clean(limit)}
                  aria-describedby={described}
                  aria-invalid={fault ? "true" : undefined}
                />
              )}
            </LabelledField>
          ))}
        </div>
        <ForecastButtons name="basis" />
      </form>
      {forecast && <ForecastTable forecast={forecast} />}
    </section>
  );
}
