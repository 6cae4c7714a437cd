// Shown when somebody else has changed the draft meanwhile: both versions, and the choice between them.

import type { JSX } from "preact";
import { differenceOf } from "../../nouns/content/advice/difference.ts";
import { askedIn, type Content } from "../../nouns/content/content.ts";
import { withKnownIds } from "./drafts/edits.ts";
import { Button } from "./inputs.tsx";
import { keepOurs, keepTheirs, knownIds } from "./saving.ts";

export function Conflict({ ours, theirs }: { ours: Content; theirs: Content }): JSX.Element {
  const mine = withKnownIds(ours, knownIds());
  return (
    <section class="summary conflict" role="alert" aria-labelledby="conflict">
      <h2 id="conflict">Somebody else has changed this draft</h2>
      <p>Nothing is lost yet. Which one is to be kept?</p>
      <div class="versions">
        <Version name="Yours" content={mine} from={theirs} />
        <Version name="Theirs" content={theirs} from={mine} />
      </div>
      <div class="tools">
        <Button onPress={keepOurs}>Keep yours, and drop theirs</Button>
        <Button onPress={keepTheirs}>Keep theirs, and drop yours</Button>
      </div>
    </section>
  );
}

/** One version, and what only this one has. */
function Version({ name, content, from }: { name: string; content: Content; from: Content }): JSX.Element {
  const changes = differenceOf(from, content);
  const questions = content.pages.reduce((count, page) => count + askedIn(page).length, 0);
  return (
    <div class="card">
      <h3>{name}</h3>
      <p>
        Pages: {content.pages.length}, questions: {questions}. Compared with the other one:
      </p>
      <ul>
        {changes.map(({ text, details }) => (
          <li key={text}>
            {text}
            {details.length > 0 && `: ${details.join("; ")}`}
          </li>
        ))}
      </ul>
      {changes.length === 0 && <p>They are the same.</p>}
    </div>
  );
}
