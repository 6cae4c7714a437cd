// The page from which a study is shared, which publishing leads to: by an open link, with one person, a list, or a mailing.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { Begun, Unopened } from "../publish/after.tsx";
import { FaultSummary } from "../shell/fields.tsx";
import { ApiCall, Copyable } from "../shell/layout.tsx";
import { PERSON_LABELS, PersonForm } from "../study/person-form.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { LINK_LABELS, OpenLinks, type OpenLinksView } from "./open-links.tsx";

/** Somebody who was added just now, with a link of their own. */
export interface AddedPerson {
  /** Null: it has none. */
  name: string | null;
  link: string;
}

/** A version that was published just now, and what it leaves to be done. */
export interface NewVersion {
  version: number;
  /** How many links that nobody has opened are on former versions. */
  unopened: number;
  /** Quotas that began with it, while people have finished former versions. */
  begun: { id: string; name: string }[];
}

interface ShareView extends OpenLinksView {
  /** Undefined: nothing was published just now. */
  published: NewVersion | undefined;
  isPublished: boolean;
  added: AddedPerson | undefined;
  curl: string;
}

const LABELS = { ...LINK_LABELS, ...PERSON_LABELS };

export function renderShare(frame: StudyFrame, view: ShareView): string {
  const { base, id } = frame;
  const { isPublished, typed, faults, added, curl, key } = view;
  return renderStudyPage(
    frame,
    { at: "/share", heading: "Share", hasFaults: Object.keys(faults).length > 0 },
    <>
      {view.published && <Published frame={frame} published={view.published} jobKey={key} />}
      <FaultSummary faults={faults} labels={LABELS} />
      {added && <Added person={added} />}
      {!isPublished && (
        <p class="notice">
          Nobody can answer yet: <a href={`${base}/console/studies/${id}/publish`}>publish the study</a> first.
        </p>
      )}
      <OpenLinks frame={frame} view={view} />
      <section class="apart" aria-labelledby="one-person">
        <h2 id="one-person">One person</h2>
        <PersonForm frame={frame} personKey={key} typed={typed} faults={faults} />
      </section>
      <section class="apart" aria-labelledby="a-list">
        <h2 id="a-list">A list</h2>
        <p class="note">A file with a line for each person. Each gets a link of their own.</p>
        <p>
          <a class="button" href={`${base}/console/studies/${id}/import`}>
            Import a list of people
          </a>
        </p>
      </section>
      <section class="apart" aria-labelledby="a-mailing">
        <h2 id="a-mailing">A mailing</h2>
        <p class="note">A mail to people who are in the study, with the link of each.</p>
        <p>
          <a class="button" href={`${base}/console/studies/${id}/messages`}>
            Write a message
          </a>
        </p>
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

/** That the study is published; and what else there is to do. */
function Published(props: { frame: StudyFrame; published: NewVersion; jobKey: string }): VNode {
  const { frame, jobKey } = props;
  const { version, unopened, begun } = props.published;
  return (
    <>
      <Done>
        Version {version} is live. New links lead to it.{" "}
        {frame.state === "live" ? "Choose how people come to it." : "The study takes no answers now: see its overview."}
      </Done>
      {unopened > 0 && <Unopened frame={frame} version={version} count={unopened} jobKey={jobKey} />}
      {begun.length > 0 && <Begun frame={frame} quotas={begun} />}
    </>
  );
}

function Added({ person: { name, link } }: { person: AddedPerson }): VNode {
  return (
    <div class="done" role="status">
      <p>
        The link of {name === null ? "this person" : <bdi>{clean(name)}</bdi>}. Send it to them alone: with it, one can
        answer for them.
      </p>
      <p>
        <Copyable text={link} what="the link" />
      </p>
    </div>
  );
}
