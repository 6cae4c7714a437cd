// The fields of one quota in the builder.

import type { JSX } from "preact";
import { counted, shown } from "../../languages/counted.ts";
import { askedIn, type Quota } from "../../nouns/content/content.ts";
import { endPosition } from "../../nouns/content/draft-references.ts";
import { withItem, withQuotas } from "./drafts/edits.ts";
import { NumberField, SelectField, TextField } from "./inputs.tsx";
import { Rule } from "./rule.tsx";
import { change, content, contentAsRead, errors } from "./state/draft.ts";
import type { LiveQuota } from "./state/saving.ts";
import { MarkedField } from "./texts.tsx";

export const changeQuotas = (quotas: Quota[], mark = "") => change(withQuotas(content.value, quotas), mark);

const questionsNow = () => contentAsRead.value.pages.flatMap(askedIn);

export const nameField = (id: string) => `${id}-name`;

/** The places of a quota. @param live undefined: it is not published */
export function limitWords({ mode, limit }: Quota, live: LiveQuota | undefined): string {
  if (mode === "COUNT") return `Only counts${live ? `: ${shown(live.taken)} so far` : ""}`;
  if (live) return `${shown(live.taken)} of ${counted(live.limit ?? 0, "place", "places")} taken`;
  if (limit === null) return "No limit yet";
  return counted(limit, "place", "places");
}
const MODES = [
  ["LIMIT", "Has a limit"],
  ["COUNT", "Only counts, and turns nobody away"],
] as const;

const ENDINGS = [
  ["NOW", "At once"],
  ["END", "At the end: they finish, and do not learn which answer it was"],
] as const;

interface FieldsProps {
  path: string;
  quota: Quota;
  /** Its position in the draft. */
  index: number;
  /** Who counts. */
  sentence: string;
  /** Undefined: it is not published. */
  live: LiveQuota | undefined;
}

export function QuotaFields({ path, quota, index, sentence, live }: FieldsProps): JSX.Element {
  const { id, name, when, mode, limit, ending } = quota;
  const at = `c:${id}`;
  const edit = (next: Partial<Quota>, mark = "") =>
    changeQuotas(withItem(content.value.quotas ?? [], index, { ...quota, ...next }), mark);
  const editEnding = (next: Partial<Quota["ending"]>, mark = "") => edit({ ending: { ...ending, ...next } }, mark);
  const isLimitLive = live !== undefined && live.limit !== null;
  return (
    <>
      <TextField
        id={nameField(id)}
        at={`${at}/name`}
        label="Name"
        hint="People who answer do not see it."
        value={name}
        onText={(text) => edit({ name: text }, nameField(id))}
      />
      {live ? (
        <PublishedRule at={`${at}/when`} sentence={sentence} />
      ) : (
        <Rule
          id={`${id}-when`}
          at={`${at}/when`}
          start="Counts people if"
          none="Everybody counts."
          condition={when}
          questions={questionsNow}
          onEdit={(condition, mark) => edit({ when: condition }, mark)}
        />
      )}
      <SelectField
        id={`${id}-mode`}
        at={`${at}/mode`}
        label="Limit"
        value={mode}
        options={MODES}
        onChoice={(choice) => edit({ mode: choice as Quota["mode"] })}
      />
      {mode === "LIMIT" && isLimitLive && (
        <p>
          {limitWords(quota, live)}
          {live.held > 0 && `, ${shown(live.held)} held`}. The limit of a published quota counts at once.{" "}
          <a href={`${path}/quotas/${live.id}`}>
            Change it on its page<span class="unseen">: {name}</span>
          </a>
        </p>
      )}
      {mode === "LIMIT" && !isLimitLive && (
        <NumberField
          id={`${id}-limit`}
          at={`${at}/limit`}
          label="Places"
          value={limit}
          onNumber={(number) => edit({ limit: number }, `${id}-limit`)}
        />
      )}
      {mode === "LIMIT" && (
        <details class="more" open={ending.thankYou !== null || ending.redirect !== null || ending.at === "END"}>
          <summary>What people see who find it full</summary>
          <SelectField
            id={`${id}-ending`}
            at={`${at}/ending/at`}
            label="When they are turned away"
            value={ending.at}
            options={ENDINGS}
            onChoice={(choice) => editEnding({ at: choice as Quota["ending"]["at"] })}
          />
          <MarkedField
            position={endPosition(content.value, true)}
            id={`${id}-thanks`}
            at={`${at}/ending/thankYou`}
            label="Closing text"
            hint="Without one, people read that the study is full."
            rows={2}
            value={ending.thankYou}
            onText={(text) => editEnding({ thankYou: text || null }, `${id}-thanks`)}
          />
          <TextField
            id={`${id}-redirect`}
            at={`${at}/ending/redirect`}
            label="Redirect to"
            hint="An address that begins with https://. Without one it is that of people who are screened out, if there is one."
            value={ending.redirect}
            onText={(text) => editEnding({ redirect: text || null }, `${id}-redirect`)}
          />
        </details>
      )}
    </>
  );
}

/** The rule of a quota that counts people by it already. */
function PublishedRule({ at, sentence }: { at: string; sentence: string }): JSX.Element {
  const wrong = [...errors.value].find(([key]) => key === at || key.startsWith(`${at}/`))?.[1];
  return (
    <div class={wrong ? "field field-wrong" : "field"}>
      {wrong && <p class="error">The rule {wrong}</p>}
      <p class="sentence" dir="auto">
        {sentence}.
      </p>
      <p class="note">
        The quota is published: its places were counted by this rule, so it stays. To count other people, remove the
        quota and add another one.
      </p>
    </div>
  );
}
