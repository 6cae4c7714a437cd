// The page that publishes a study.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type {
  IncompletePiece,
  ScreenerPublication,
  ScreenerQuotaForecast,
  ScreenerTranslationProgress,
} from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import type { ContentChange } from "../../nouns/content/advice/changes.ts";
import { TARGET_WITH_REVIEW } from "../../nouns/content/advice/warnings.ts";
import { ForecastButtons, ForecastTable } from "../quotas/forecast-table.tsx";
import { placesInWords } from "../quotas/words.tsx";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, TextField } from "../shell/fields.tsx";
import { ApiCall, Figure, Time, Token } from "../shell/layout.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { Unopened } from "./after.tsx";
import { ChangeList } from "./changes.tsx";
import { IncompletePieces } from "./incomplete.tsx";
import type { Target } from "./target.ts";
import { Translated, Untranslated } from "./translated.tsx";
import { type PageOfVersions, Versions } from "./versions.tsx";

/** The field with the target, named as the member of the API. */
export const TARGET = "targetQualifiedParticipants";

export interface PublishView {
  /** The live version. Null: there is none. */
  live: Pick<ScreenerPublication, "version" | "createdAt"> | null;
  /** The version that was put into the draft just now. */
  restored: string | undefined;
  /** How many links that nobody has opened are on former versions. */
  unopened: number;
  /** What of the draft is not finished. */
  incomplete: readonly IncompletePiece[];
  /** A page of all versions, the newest first. */
  versions: PageOfVersions;
  /** The changes from the live version to the draft. Null: they are too long to be compared. */
  changes: ContentChange[] | null;
  warnings: string[];
  /** How many people are assigned; of sessions, how many are not started, being answered, completed. */
  people: { assigned: number; invited: number; answering: number; done: number };
  target: Target;
  /** The target as typed. */
  typed: string;
  /** Whether people review who qualifies. */
  isReviewed: boolean;
  /** Whether the draft has a quota with a limit. */
  hasLimit: boolean;
  /** Of the latest publication; empty: there is none. */
  latestId: string;
  /** The languages that the draft is translated to. */
  languages: readonly ScreenerTranslationProgress[];
  /** Whether the draft has quotas, as far as that is known. */
  hasQuotas: boolean;
  /** What they would let through, if that was asked for. */
  forecast: ScreenerQuotaForecast | null;
  /** The ETag of the draft. */
  version: string;
  key: string;
  faults: Faults;
  curl: string;
}

const LABELS = { [TARGET]: "Target" };

/** In a form, an empty field is what null is in JSON. */
function plainly(faults: Faults): Faults {
  return Object.fromEntries(Object.entries(faults).map(([name, text]) => [name, text.replace(" or null", "")]));
}

export function renderPublish(frame: StudyFrame, view: PublishView): string {
  const { live, restored, changes, faults, curl } = view;
  const isDraftLive = live !== null && changes?.length === 0;
  return renderStudyPage(
    frame,
    { at: "/publish", heading: "Publish", hasFaults: Object.keys(faults).length > 0 },
    <>
      {restored !== undefined && (
        <Done>The draft has the content of version {restored} now. Nothing is published yet.</Done>
      )}
      <FaultSummary faults={plainly(faults)} labels={LABELS} />
      {live && view.unopened > 0 && (
        <Unopened frame={frame} version={live.version} count={view.unopened} jobKey={view.key} />
      )}
      <section class="card">
        <h2>What changes</h2>
        {live ? (
          <p>
            Live is version {live.version}
            {live.createdAt !== null && (
              <>
                , since <Time at={live.createdAt} />
              </>
            )}
            .
          </p>
        ) : (
          <p>Nothing is live yet.</p>
        )}
        {isDraftLive && <p>The draft is what is live.</p>}
        <Changes changes={changes} />
      </section>
      <IncompletePieces frame={frame} pieces={view.incomplete} />
      <Warnings view={view} />
      <Untranslated frame={frame} languages={view.languages} />
      <People view={view} />
      {view.hasQuotas && <Forecast frame={frame} forecast={view.forecast} />}
      <section class="card">
        <h2>{isDraftLive ? "Publish again" : "Publish the draft"}</h2>
        <form method="post" action={`${frame.base}/console/studies/${frame.id}/publish`} novalidate>
          <Token value={frame.signedIn.token} />
          <input type="hidden" name="version" value={view.version} />
          <input type="hidden" name="key" value={view.key} />
          <input type="hidden" name="latest" value={view.latestId} />
          <TargetField frame={frame} view={view} />
          {view.languages.length > 0 && <Translated languages={view.languages} />}
          <button class="button" type="submit">
            Publish{live ? ` as version ${live.version + 1}` : ""}
          </button>
        </form>
      </section>
      <Versions frame={frame} versions={view.versions} version={view.version} live={view.live?.version} />
      <ApiCall curl={curl} />
    </>,
  );
}

function TargetField({ frame, view: { target, typed, faults } }: { frame: StudyFrame; view: PublishView }): VNode {
  if (target.of === "quota")
    return (
      <p>
        Target: {placesInWords(target.quota)}.{" "}
        <a href={`${frame.base}/console/studies/${frame.id}/quotas/${target.quota.id}`}>Change the target</a>
      </p>
    );
  return (
    <TextField
      name={TARGET}
      label={LABELS[TARGET]}
      hint={
        target.of === "publication"
          ? "The study is full when this many people have qualified. Without a number it is never full."
          : "How many people the study takes, over all its versions. It becomes a quota of everybody. Without a number the study is never full."
      }
      value={typed}
      fault={plainly(faults)[TARGET]}
    />
  );
}

function Changes({ changes }: { changes: ContentChange[] | null }): VNode | null {
  if (changes === null) return <p>The draft is too long to be compared here with what is live.</p>;
  return <ChangeList changes={changes} />;
}

function Warnings({ view: { warnings, target, typed, hasLimit, isReviewed } }: { view: PublishView }): VNode | null {
  const isNeverFull = target.of !== "quota" && typed === "" && !hasLimit;
  const isBoth = isReviewed && target.of !== "quota" && typed !== "";
  const all = [
    ...warnings,
    ...(isNeverFull ? ["There is no target: the study is never full."] : []),
    ...(isBoth ? [TARGET_WITH_REVIEW] : []),
  ];
  if (!all.length) return null;
  return (
    <section class="card card-warning">
      <h2>Check before you publish</h2>
      <ul class="differences">
        {all.map((warning) => (
          <li key={warning}>
            <bdi>{clean(warning)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Forecast({ frame, forecast }: { frame: StudyFrame; forecast: ScreenerQuotaForecast | null }): VNode {
  return (
    <section class="card" id="forecast">
      <h2>Forecast</h2>
      <p>What the draft’s quotas would let through. Nothing is changed by it.</p>
      <form method="get" action={`${frame.base}/console/studies/${frame.id}/publish#forecast`}>
        <ForecastButtons name="forecast" />
      </form>
      {forecast && <ForecastTable forecast={forecast} />}
    </section>
  );
}

function People({ view: { people, live } }: { view: PublishView }): VNode {
  return (
    <section class="card">
      <h2>Who is affected</h2>
      <dl class="figures">
        <Figure name="Assigned" value={shown(people.assigned)} />
        <Figure name="Have a link, not begun" value={shown(people.invited)} />
        <Figure name="Are answering" value={shown(people.answering)} />
        <Figure name="Have answered" value={shown(people.done)} />
      </dl>
      {live ? (
        <p>
          Existing links keep the old version: those that nobody has opened can be moved to the new one afterwards. New
          links lead to the new version. Answers that were given stay as they are.
        </p>
      ) : (
        <p>You can create links as soon as the study is published.</p>
      )}
    </section>
  );
}
