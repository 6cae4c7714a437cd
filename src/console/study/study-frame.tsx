// The frame of a study's pages: its title and state, and the links between its pages.

import type { ComponentChildren, VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { shown } from "../../languages/counted.ts";
import { includesRole } from "../../workspaces/rights.ts";

import { type Frame, renderPage, type SignedIn } from "../shell/layout.tsx";
import { type Study, stateWords } from "../studies/page.tsx";

export interface StudyFrame extends Pick<Study, "id" | "title" | "state"> {
  base: string;
  signedIn: SignedIn;
  /** Whether people review who qualifies, and for how many that is still to be done. */
  hasReviews: boolean;
  pending: number;
}

/** The pages of a study: the end of the path, the name, and the role that it needs. */
const PAGES = [
  ["", "Overview", "viewer"],
  ["/build", "Build", "researcher"],
  ["/try", "Test drive", "viewer"],
  ["/languages", "Languages", "researcher"],
  ["/publish", "Publish", "researcher"],
  ["/share", "Share", "researcher"],
  ["/import", "Import people", "researcher"],
  ["/messages", "Messages", "researcher"],
  ["/results", "Results", "viewer"],
  ["/quotas", "Quotas", "viewer"],
  ["/answers", "Answers", "viewer"],
  ["/review", "Review", "researcher"],
] as const;

type StudyPage = (typeof PAGES)[number][0];

/** @param heading what the page is about, beside the study's title */
export function renderStudyPage(
  { base, signedIn, id, title, state, hasReviews, pending }: StudyFrame,
  { at, heading, hasFaults = false, ...more }: StudyPageOptions,
  children: ComponentChildren,
): string {
  const path = `${base}/console/studies/${id}`;
  const name = title === null ? "Without a title" : clean(title);
  const titles = [hasFaults && "Error", heading, name].filter(Boolean);
  return renderPage(
    { base, signedIn, title: titles.join(" – "), at: "/console/studies", ...more },
    <>
      <div class="study-head">
        <h1>
          <span dir="auto">{name}</span>
          {heading && <span class="unseen">: {heading}</span>}
        </h1>
        <span class={`state state-${state}`}>{stateWords[state]}</span>
      </div>
      <nav aria-label="Study">
        <ul class="tabs">
          {PAGES.filter(([, , role]) => includesRole(signedIn.role, role))
            .filter(([end]) => hasReviews || end !== "/review")
            .map(([end, label]) => (
              <li key={end}>
                <a href={path + end} aria-current={end === at ? "page" : undefined}>
                  {label}
                  {end === "/review" && pending > 0 && ` (${shown(pending)})`}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      {children}
    </>,
  );
}

interface StudyPageOptions extends Pick<Frame, "script" | "isWide"> {
  at: StudyPage;
  heading: string;
  hasFaults?: boolean;
}

/** A message that something was done. */
export function Done({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="done" role="status">
      {children}
    </p>
  );
}
