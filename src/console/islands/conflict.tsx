// Shown when somebody else has changed the draft meanwhile: what was brought together, and the choice where both have changed the same.

import type { JSX } from "preact";
import { Button } from "./inputs.tsx";
import { type BothChanged, bothChanged, broughtTogether, choose, chooseAll } from "./state/merging.ts";
import { type LastChange, lastChange, theirs } from "./state/saving.ts";

/** Who has changed the draft, and when: `Bo has changed this draft at 14:02`. */
function whoAndWhen(change: LastChange | undefined): string {
  if (!change) return "Somebody else has changed this draft";
  const at = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(change.at));
  return `${change.name} has changed this draft at ${at}`;
}

export function Conflict(): JSX.Element | null {
  if (theirs.value && bothChanged.value.length > 0) return <Choices all={bothChanged.value} />;
  if (!broughtTogether.value) return null;
  const { change, what } = broughtTogether.value;
  return (
    <section class="card card-warning conflict" role="status">
      <h2>{whoAndWhen(change)}</h2>
      <p>Their changes are in the draft now, and so are yours. Undo takes theirs out again.</p>
      <ul>
        {what.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <Button
        onPress={() => {
          broughtTogether.value = null;
        }}
      >
        Close this note
      </Button>
    </section>
  );
}

function Choices({ all }: { all: readonly BothChanged[] }): JSX.Element {
  return (
    <section class="summary conflict" role="alert" aria-labelledby="conflict">
      <h2 id="conflict">{whoAndWhen(lastChange.value)}</h2>
      <p>
        Both of you have changed the same. Nothing is lost yet: choose which is kept. All other changes of both are
        kept.
      </p>
      <ol class="parts">
        {all.map((one, index) => (
          <li key={one.key}>
            <div class="versions">
              <Version name="Yours" changes={one.ours} />
              <Version name="Theirs" changes={one.theirs} />
            </div>
            {one.chosen ? (
              <p>{one.chosen === "ours" ? "Yours is kept." : "Theirs is kept."}</p>
            ) : (
              <div class="tools">
                <Button about={`of ${index + 1}`} onPress={() => choose(one.key, "ours")}>
                  Keep yours
                </Button>
                <Button about={`of ${index + 1}`} onPress={() => choose(one.key, "theirs")}>
                  Keep theirs
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {all.length > 1 && (
        <div class="tools">
          <Button onPress={() => chooseAll("ours")}>Keep yours everywhere</Button>
          <Button onPress={() => chooseAll("theirs")}>Keep theirs everywhere</Button>
        </div>
      )}
    </section>
  );
}

/** What one of both has changed. */
function Version({ name, changes }: { name: string; changes: readonly string[] }): JSX.Element {
  return (
    <div class="card">
      <h3>{name}</h3>
      <ul>
        {changes.map((one) => (
          <li key={one} dir="auto">
            {one}
          </li>
        ))}
      </ul>
    </div>
  );
}
