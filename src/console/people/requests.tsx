// Of the page of a person: what they ask for, and is not done yet.

import type { VNode } from "preact";
import type { ParticipantRequest } from "../../client/types.ts";
import { Time } from "../shell/layout.tsx";

export function Requests({ base, requests }: { base: string; requests: ParticipantRequest[] }): VNode | null {
  if (!requests.length) return null;
  return (
    <ul class="rows">
      {requests.map(({ id, kind, createdAt }) => (
        <li key={id}>
          <a href={`${base}/console/requests/${id}`}>{kind === "DATA" ? "Asks for their data" : "Asks to be erased"}</a>
          <span class="note">
            <Time at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
