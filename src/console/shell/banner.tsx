// What stands above every page of the console: the name of the product, and the navigation in two groups.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { MANY_OPEN } from "../../nouns/participant-requests/queries.ts";
import { includesRole, type Role } from "../../workspaces/rights.ts";

/** The user whom the navigation leads. */
export interface NavigatingUser {
  workspaceName: string;
  userName: string;
  role: Role;
  /** Whether the workspace is for trying things out. */
  isSandbox: boolean;
  /** Whether the figures of all workspaces may be seen. */
  isOperator: boolean;
  /** How many workspaces the user's account may enter. */
  workspaces: number;
  /** How many requests of participants are open, up to MANY_OPEN. */
  openRequests: number;
}

/** What the product is called. */
const PRODUCT = "Screening";

/** A funnel that lets something through. */
const MARK = "M2 3h20l-8 9v4l-4 3v-7zM11 20h2v2h-2z";

export const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#1f4fa0" d="${MARK}"/></svg>`)}`;

const REQUESTS = "/console/requests";

/** The path of a page, its name, and the role that it needs; operator: of the installation, whatever the role is. */
type NavigationPage = readonly [path: string, name: string, needed: Role | "operator"];

/** What the navigation leads to, in two groups. Pages that stand in one row have tabs between them, and the name of the first. */
const NAVIGATION: readonly (readonly [group: string, entries: readonly (readonly NavigationPage[])[]])[] = [
  [
    "Research",
    [
      [["/console/studies", "Studies", "viewer"]],
      [
        ["/console/people", "People", "viewer"],
        [REQUESTS, "Requests", "researcher"],
        ["/console/attributes", "Attributes", "admin"],
      ],
      [["/console/messages", "Messages", "researcher"]],
    ],
  ],
  [
    "Workspace",
    [
      [["/console/activity", "Activity", "viewer"]],
      [["/console/jobs", "Jobs", "viewer"]],
      [["/console/users", "Users", "admin"]],
      [["/console/keys", "Keys", "admin"]],
      [["/console/webhooks", "Webhooks", "admin"]],
      [
        ["/console/appearance", "Appearance", "admin"],
        ["/console/words", "Words of the pages", "admin"],
        ["/console/mail", "Mail", "admin"],
      ],
      [
        ["/console/system", "System", "admin"],
        ["/console/installation", "Installation", "operator"],
      ],
    ],
  ],
];

/** What stands beside the name of the product. */
function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={MARK} />
    </svg>
  );
}

export function Brand({ base }: { base: string }): VNode {
  return (
    <a class="brand" href={`${base}/console`}>
      <Mark />
      {PRODUCT}
    </a>
  );
}

/** The entries of the navigation that the user may open, each with those of its pages. */
function entriesFor({ role, isOperator }: NavigatingUser, entries: readonly (readonly NavigationPage[])[]) {
  const may = ([, , needed]: NavigationPage) => (needed === "operator" ? isOperator : includesRole(role, needed));
  return entries
    .map((pages) => ({ name: pages[0]![1], pages: pages.filter(may) }))
    .filter(({ pages }) => pages.length > 0);
}

interface BarProps {
  base: string;
  /** The path of the page. */
  at: string | undefined;
  signedIn: NavigatingUser;
}

/** @param signOut the form that signs out */
export function Banner({ base, at, signedIn, signOut }: BarProps & { signOut: VNode }): VNode {
  return (
    <header class="banner">
      <Brand base={base} />
      <p class="workspace" dir="auto">
        {clean(signedIn.workspaceName)}
      </p>
      <button class="button button-quiet menu-button" type="button" popovertarget="menu">
        Menu
      </button>
      <div class="menu" id="menu" popover>
        <nav class="navigation" aria-label="Console">
          {NAVIGATION.map(([group, entries]) => (
            <div key={group}>
              <p class="nav-group" id={`nav-${group}`}>
                {group}
              </p>
              <ul aria-labelledby={`nav-${group}`}>
                {entriesFor(signedIn, entries).map(({ name, pages }) => (
                  <li key={name}>
                    <a
                      href={base + pages[0]![0]}
                      aria-current={pages.some(([path]) => path === at) ? "page" : undefined}
                    >
                      {name}
                      {pages.some(([path]) => path === REQUESTS) && (
                        <OpenRequests count={signedIn.openRequests} words="open requests" />
                      )}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div class="who">
          {signedIn.workspaces > 1 && (
            <a href={`${base}/console/workspaces`} aria-current={at === "/console/workspaces" ? "page" : undefined}>
              Switch<span class="unseen"> workspace</span>
            </a>
          )}
          <a href={`${base}/docs`}>Docs</a>
          <a href={`${base}/console/sessions`} aria-current={at === "/console/sessions" ? "page" : undefined}>
            <bdi>{clean(signedIn.userName)}</bdi>
          </a>
          {signOut}
        </div>
      </div>
    </header>
  );
}

/** The tabs between pages that are one entry of the navigation. */
export function Tabs({ base, at, signedIn }: BarProps): VNode | null {
  const entries = NAVIGATION.flatMap(([, entries]) => entriesFor(signedIn, entries));
  const entry = entries.find(({ pages }) => pages.some(([path]) => path === at));
  if (!entry || entry.pages.length === 1) return null;
  return (
    <nav aria-label={entry.name}>
      <ul class="tabs">
        {entry.pages.map(([path, name]) => (
          <li key={path}>
            <a href={base + path} aria-current={path === at ? "page" : undefined}>
              {name}
              {path === REQUESTS && <OpenRequests count={signedIn.openRequests} words="open" />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Beside their name in the navigation. */
function OpenRequests({ count, words }: { count: number; words: string }): VNode | null {
  if (count === 0) return null;
  return (
    <>
      {" "}
      <span class="count">
        {count === MANY_OPEN ? `${MANY_OPEN - 1}+` : count}
        <span class="unseen"> {words}</span>
      </span>
    </>
  );
}
