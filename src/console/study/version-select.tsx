// A field to choose a version of a study by, or all of them.

import type { VNode } from "preact";

/** How many versions can be chosen. Older ones are there for the API. */
export const MAX_VERSIONS = 100;

interface Version {
  /** The publication's. */
  id: string;
  version: number;
}

interface VersionSelectProps {
  /** The newest first. */
  versions: readonly Version[];
  activeId: string | null;
  /** null: all. */
  chosen: string | null;
}

export function VersionSelect({ versions, activeId, chosen }: VersionSelectProps): VNode {
  const offered = versions.filter(({ id }, at) => at < MAX_VERSIONS || id === chosen);
  return (
    <div>
      <label for="publicationId">Version</label>
      <select class="entry" id="publicationId" name="publicationId">
        <option value="" selected={chosen === null}>
          All versions
        </option>
        {offered.map(({ id, version }) => (
          <option key={id} value={id} selected={id === chosen}>
            {version}
            {id === activeId ? " (live)" : ""}
          </option>
        ))}
      </select>
    </div>
  );
}
