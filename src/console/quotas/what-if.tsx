// What other limits than those that count now would let through, beside the live quotas.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerContent, ScreenerQuota, ScreenerQuotaForecast } from "../../client/types.ts";
import { FaultSummary, LabelledField } from "../shell/fault-list.tsx";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { unchecked } from "../shell/forms.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { StudyFrame } from "../study/study-frame.tsx";
import { ForecastTable } from "./forecast-table.tsx";

/** A quota with a limit, and the limit to try. */
interface Tried {
  name: string;
  limit: string;
  fault: string | undefined;
}

export interface WhatIfView {
  /** In the order of the draft. */
  tried: Tried[];
  /** Null: it was not asked for, or limits are wrong. */
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
  const typed = query.getAll("limit");
  const tried = all.filter(isTried);
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
  const faultOf = (quota: (typeof all)[number]) => {
    const pointer = `/quotas/${all.indexOf(quota)}/limit`;
    return faults[pointer]?.slice(pointer.length + 1) ?? undefined;
  };
  return {
    tried: tried.map((quota, at) => ({ name: quota.name, limit: limitOf(at), fault: faultOf(quota) })),
    forecast,
  };
}

export function WhatIf({ frame, view: { tried, forecast } }: { frame: StudyFrame; view: WhatIfView }): VNode {
  const faults = tried.flatMap(({ fault, name }, at) =>
    fault === undefined ? [] : [{ field: `limit-${at}`, message: `${name} ${fault}` }],
  );
  return (
    <section class="card" id="what-if">
      <h2>What if</h2>
      <p>What other limits would let through. Nothing is changed by it.</p>
      <FaultSummary faults={faults} />
      <form method="get" action={`${frame.base}/console/studies/${frame.id}/quotas#what-if`}>
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
        <div class="acts">
          <button class="button button-quiet" type="submit" name="basis" value="ANSWERS">
            By the answers so far
          </button>
          <button class="button button-quiet" type="submit" name="basis" value="ROSTER">
            By people's attributes
          </button>
        </div>
      </form>
      {forecast && <ForecastTable forecast={forecast} />}
    </section>
  );
}
