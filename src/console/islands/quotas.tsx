// The quotas of a draft in the builder: cells of people, each with its rule, its limit, and what those see who find it full.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { MAX_QUOTAS, type Quota } from "../../nouns/content/content.ts";
import { ContentNames, quotaRule } from "../../nouns/content/sentences.ts";
import { moved, newQuota, without } from "./drafts/edits.ts";
import { GridMaker } from "./grid.tsx";
import { Button, errorAt, MoveButtons } from "./inputs.tsx";
import { changeQuotas, limitWords, nameField, QuotaFields } from "./quota-fields.tsx";
import { content, deadEnds, errors, focusOn, isFresh, startFresh } from "./state/draft.ts";
import { knownId, type LiveQuota, liveQuotas } from "./state/saving.ts";

export function QuotasEditor({ path }: { path: string }): JSX.Element {
  const { quotas = [] } = content.value;
  const open = useSignal("");
  const isGridOpen = useSignal(false);
  const byId = new ContentNames(content.value);
  const wrong = errorAt("end/quotas");
  const add = () => {
    const quota = newQuota();
    startFresh(`c:${quota.id}`, cardOf(quota.id));
    changeQuotas([...quotas, quota]);
    open.value = quota.id;
    focusOn(nameField(quota.id));
  };
  return (
    <>
      <section class="card">
        <h2 id="shown-page" tabIndex={-1}>
          Quotas
        </h2>
        <p>
          A quota says how many people of a kind the study takes. It counts over all versions of the study. When it is
          full, further people who count in it are turned away. A person who counts in several quotas needs a place in
          each.
        </p>
        {wrong && <p class="error">The list of quotas {wrong}</p>}
        <div class="tools">
          <Button id="add-quota" onPress={add} isOff={quotas.length >= MAX_QUOTAS}>
            Add a quota
          </Button>
          <Button
            id="make-grid"
            onPress={() => {
              isGridOpen.value = !isGridOpen.value;
              if (isGridOpen.value) focusOn("grid-question-0");
            }}
          >
            {isGridOpen.value ? "Close the grid" : "Make a grid"}
          </Button>
        </div>
      </section>
      {isGridOpen.value && (
        <GridMaker
          present={quotas}
          onMake={(made) => {
            changeQuotas([...quotas, ...made]);
            isGridOpen.value = false;
            focusOn("shown-page");
          }}
        />
      )}
      <ol class="cards quotas">
        {quotas.map((quota, index) => (
          <QuotaCard
            key={quota.id}
            path={path}
            quota={quota}
            index={index}
            of={quotas.length}
            open={open}
            sentence={quotaRule(quota, byId)}
            live={liveQuotas.value.get(knownId(quota.id))}
          />
        ))}
      </ol>
    </>
  );
}

const cardOf = (id: string) => `card-${id}`;

interface CardProps {
  path: string;
  quota: Quota;
  index: number;
  /** How many there are. */
  of: number;
  /** The id of the quota that is changed. */
  open: Signal<string>;
  /** Who counts. */
  sentence: string;
  /** Undefined: it is not published. */
  live: LiveQuota | undefined;
}

/** With the same values, it is not made anew: so typing is as fast with many quotas. */
function QuotaCard({ path, quota, index, of, open, sentence, live }: CardProps): JSX.Element {
  const { id } = quota;
  const at = `c:${id}`;
  const name = quota.name || `quota ${index + 1}`;
  const isWrong = !isFresh(at) && [...errors.value.keys()].some((key) => key.startsWith(`${at}/`));
  const list = (next: (quotas: Quota[]) => Quota[]) => changeQuotas(next(content.value.quotas ?? []));
  const remove = () =>
    list((all) => {
      const next = all[index + 1] ?? all[index - 1];
      focusOn(next ? `${next.id}-open` : "add-quota");
      return without(all, index);
    });
  const isOpen = open.value === id;
  const toggle = () => {
    open.value = isOpen ? "" : id;
    if (!isOpen) focusOn(nameField(id));
  };
  // What is wrong can only be seen at its field.
  const isShown = isOpen || isWrong;
  const dead = deadEnds.value.get(`${at}/when`);
  return (
    <li id={cardOf(id)} class={isWrong ? "card card-wrong" : "card"}>
      <div class="card-head">
        <h3 dir="auto">{quota.name || `Quota ${index + 1}`}</h3>
        <div class="tools">
          <MoveButtons about={name} {...{ index, of }} onMove={(by) => list((all) => moved(all, index, by))} />
          <Button id={`${id}-open`} about={name} isOff={isWrong && !isOpen} onPress={toggle}>
            {isShown ? "Close" : "Change"}
          </Button>
          <Button about={name} onPress={remove}>
            Remove
          </Button>
        </div>
      </div>
      {isShown ? (
        // One that is shown for what is wrong stays when that is put right.
        <div
          onFocusIn={() => {
            open.value = id;
          }}
        >
          <QuotaFields path={path} quota={quota} index={index} sentence={sentence} live={live} />
        </div>
      ) : (
        <p dir="auto">
          {sentence}. {limitWords(quota, live)}.
        </p>
      )}
      {dead && !isShown && <p class="dead">{dead}</p>}
    </li>
  );
}
