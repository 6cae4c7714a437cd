// What is to be done after a study was published: for links that nobody has opened, and for quotas that are new.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { counted, shown } from "../../languages/counted.ts";
import { Token } from "../shell/layout.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";

/** How many new quotas are named. */
const MAX_BEGUN = 10;

/** Leads to the recounts of quotas that are new. */
export function Begun({ frame, quotas }: { frame: StudyFrame; quotas: { id: string; name: string }[] }): VNode {
  const path = `${frame.base}/console/studies/${frame.id}/quotas`;
  return (
    <section class="card card-warning">
      <h2>{quotas.length === 1 ? "A new quota begins" : "New quotas begin"} at zero</h2>
      <p>
        People who have finished former versions are not in {quotas.length === 1 ? "it" : "them"}. You can count them:
      </p>
      <ul>
        {quotas.slice(0, MAX_BEGUN).map(({ id, name }) => (
          <li key={id}>
            <a href={`${path}/${id}#recount`}>
              <bdi>{clean(name)}</bdi>
            </a>
          </li>
        ))}
        {quotas.length > MAX_BEGUN && (
          <li>
            <a href={path}>{shown(quotas.length - MAX_BEGUN)} more</a>
          </li>
        )}
      </ul>
    </section>
  );
}

interface UnopenedProps {
  frame: StudyFrame;
  /** The live one. */
  version: number;
  /** How many links. */
  count: number;
  /** Of the job that moves them. */
  jobKey: string;
}

/** Offers to move the links that still lead to former versions. */
export function Unopened({ frame, version, count, jobKey }: UnopenedProps): VNode {
  const isOne = count === 1;
  return (
    <section class="card card-warning">
      <h2>{isOne ? "A link keeps" : "Links keep"} the old version</h2>
      <form method="post" action={`${frame.base}/console/studies/${frame.id}/move`}>
        <Token value={frame.signedIn.token} />
        <input type="hidden" name="key" value={jobKey} />
        <p>
          {counted(count, "link", "links")} that nobody has opened {isOne ? "keeps" : "keep"} the old version. Move{" "}
          {isOne ? "it" : "them"} to version {version}?
        </p>
        <p class="note">
          The links stay the same. People who have begun keep the old version. You can take it back for 30 days.
        </p>
        <button class="button" type="submit">
          Move {isOne ? "it" : "them"} to version {version}
        </button>
      </form>
    </section>
  );
}
