// The versions of a study, each of which can come back as the draft.

import type { VNode } from "preact";
import type { ScreenerPublication } from "../../client/types.ts";
import { Pages, Time, Token } from "../shell/layout.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";

/** A page of a study's versions. */
export interface PageOfVersions {
  items: ScreenerPublication[];
  total: number;
  limit: number;
  offset: number;
}

/** @param version the ETag of the draft that one of them replaces */
export function Versions({
  frame,
  versions,
  version,
  live,
}: {
  frame: StudyFrame;
  versions: PageOfVersions;
  version: string;
  live: number | undefined;
}): VNode | null {
  if (!versions.total) return null;
  const path = `${frame.base}/console/studies/${frame.id}`;
  return (
    <section class="card">
      <h2>Versions</h2>
      <p>
        <a href={`${path}/versions`}>Compare versions</a>
      </p>
      <ul class="differences">
        {versions.items.map((one) => (
          <li key={one.id}>
            Version {one.version}
            {one.version === live && ", which is live"}
            {one.createdAt !== null && (
              <>
                , of <Time at={one.createdAt} />
              </>
            )}
            <details>
              <summary>Restore version {one.version} into the draft …</summary>
              <form class="confirm" method="post" action={`${path}/versions/${one.id}/restore`}>
                <Token value={frame.signedIn.token} />
                <input type="hidden" name="version" value={version} />
                <p class="note">Everything in the draft that is not published is lost. This publishes nothing.</p>
                <button class="button" type="submit">
                  Yes, replace the draft by version {one.version}
                </button>
              </form>
            </details>
          </li>
        ))}
      </ul>
      <Pages path={`${path}/publish`} {...versions} />
    </section>
  );
}
