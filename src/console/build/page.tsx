// The builder's page: its script makes what is in it.

import type { KnownAttribute } from "../../attribute-types/queries.ts";
import { cards } from "../../nouns/question-types/registry.ts";
import { nameOf } from "../shell/language-name.tsx";
import { ApiCall } from "../shell/layout.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

export function renderBuild(
  frame: StudyFrame,
  {
    script,
    token,
    attributes,
    images,
    languages,
    curl,
    given,
  }: {
    script: string;
    token: string;
    attributes: readonly KnownAttribute[];
    images: string;
    /** Those that the draft is translated to. */
    languages: readonly string[];
    curl: string;
    /** JSON of what its script begins with: `Given` in islands/state/saving.ts. */
    given: string;
  },
): string {
  const path = `${frame.base}/console/studies/${frame.id}`;
  return renderStudyPage(
    frame,
    { at: "/build", heading: "Build", script, isWide: true },
    <>
      <div
        id="builder"
        data-path={path}
        data-token={token}
        data-cards={JSON.stringify(cards)}
        data-attributes={JSON.stringify(attributes)}
        data-images={images}
        data-languages={JSON.stringify([["", "The study’s own"], ...languages.map((one) => [one, nameOf(one)])])}
      >
        <noscript>
          <p>
            The builder needs JavaScript. Without it you can <a href={`${path}/content`}>replace the draft by JSON</a>.
          </p>
        </noscript>
      </div>
      <script
        type="application/json"
        id="draft"
        dangerouslySetInnerHTML={{ __html: given.replaceAll("<", "\\u003c") }}
      />
      <ApiCall curl={curl} />
    </>,
  );
}
