// The frame of every page of the console. It loads nothing from other sites.

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { clean } from "../../base/clean-text.ts";
import { MANY_OPEN } from "../../nouns/participant-requests/queries.ts";
import { UTC, withZone } from "../../nouns/screeners/time-zones.ts";
import { includesRole, type Role } from "../../workspaces/console-users.ts";
import { copyScript, style } from "./assets.ts";
import { TOKEN_FIELD } from "./forms.ts";

/** What the frame shows of the signed-in user. */
export interface SignedIn {
  workspaceName: string;
  userName: string;
  role: Role;
  /** Whether the figures of all workspaces may be seen. */
  isOperator: boolean;
  /** How many requests of participants are open, up to MANY_OPEN. */
  openRequests: number;
  /** Of the form that signs out. */
  token: string;
}

export interface Frame {
  /** What comes before /console in URLs: the path of PUBLIC_URL. */
  base: string;
  title: string;
  signedIn?: SignedIn | undefined;
  /** The path of the page in the navigation. */
  at?: string;
  /** It has nothing to copy, and no script. */
  isBare?: true;
  /** The path of its script. */
  script?: string;
  /** Whether it takes the whole width of a screen. */
  isWide?: boolean;
}

const REQUESTS = "/console/requests";

/** The pages, each with the role that it needs. */
const NAVIGATION = [
  ["/console/studies", "Studies", "viewer"],
  ["/console/people", "People", "viewer"],
  [REQUESTS, "Requests", "researcher"],
  ["/console/jobs", "Jobs", "viewer"],
  ["/console/activity", "Activity", "viewer"],
  ["/console/users", "Users", "admin"],
  ["/console/keys", "Keys", "admin"],
  ["/console/webhooks", "Webhooks", "admin"],
  ["/console/attributes", "Attributes", "admin"],
  ["/console/appearance", "Appearance", "admin"],
  ["/console/words", "Words of the pages", "admin"],
  ["/console/mail", "Mail", "admin"],
  ["/console/system", "System", "admin"],
] as const;

/** For operators, whatever their role is. */
const OF_OPERATORS = ["/console/installation", "Installation", "viewer"] as const;

export function renderPage(frame: Frame, children: ComponentChildren): string {
  return `<!doctype html>${renderToString(<Layout {...frame}>{children}</Layout>)}`;
}

function Layout({
  base,
  title,
  signedIn,
  at,
  isBare,
  script,
  isWide,
  children,
}: Frame & { children: ComponentChildren }): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{clean(signedIn ? `${title} – ${signedIn.workspaceName}` : title)}</title>
        <link rel="stylesheet" href={`${base}/console/assets/${style.file}`} />
        <link rel="icon" href="data:," />
        {signedIn && !isBare && <script type="module" src={`${base}/console/assets/${copyScript.file}`} />}
        {script && <script type="module" src={script} />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {signedIn && <Banner base={base} at={at} signedIn={signedIn} />}
        <main class={signedIn ? (isWide ? "main main-wide" : "main") : "main main-narrow"} id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

function Banner({ base, at, signedIn }: { base: string; at: string | undefined; signedIn: SignedIn }): VNode {
  const pages = signedIn.isOperator ? [...NAVIGATION, OF_OPERATORS] : NAVIGATION;
  return (
    <header class="banner">
      <p class="workspace" dir="auto">
        {clean(signedIn.workspaceName)}
      </p>
      <nav aria-label="Console">
        <ul class="navigation">
          {pages
            .filter(([, , role]) => includesRole(signedIn.role, role))
            .map(([path, name]) => (
              <li key={path}>
                <a href={base + path} aria-current={path === at ? "page" : undefined}>
                  {name}
                  {path === REQUESTS && <OpenRequests count={signedIn.openRequests} />}
                </a>
              </li>
            ))}
          <li>
            <a href={`${base}/docs`}>API</a>
          </li>
        </ul>
      </nav>
      <div class="who">
        <a href={`${base}/console/sessions`} aria-current={at === "/console/sessions" ? "page" : undefined}>
          <bdi>{clean(signedIn.userName)}</bdi>
        </a>
        <form method="post" action={`${base}/console/sign-out`}>
          <Token value={signedIn.token} />
          <button class="button button-quiet" type="submit">
            Sign out
          </button>
        </form>
      </div>
    </header>
  );
}

/** Beside their name in the navigation. */
function OpenRequests({ count }: { count: number }): VNode | null {
  if (count === 0) return null;
  return (
    <>
      {" "}
      <span class="count">
        {count === MANY_OPEN ? `${MANY_OPEN - 1}+` : count}
        <span class="unseen"> open</span>
      </span>
    </>
  );
}

/** Every form has it. */
export function Token({ value }: { value: string }): VNode {
  return <input type="hidden" name={TOKEN_FIELD} value={value} />;
}

/** A text that people copy. @param what it is: "the link" */
export function Copyable({ text, what }: { text: string; what: string }): VNode {
  return (
    <code class="secret" data-copy={what}>
      {text}
    </code>
  );
}

/** The API call behind a page. */
export function ApiCall({ curl }: { curl: string }): VNode {
  return (
    <details class="call">
      <summary>
        <span aria-hidden="true">&lt;/&gt; </span>The API call behind this page
      </summary>
      <pre>
        <code data-copy="the call">{curl}</code>
      </pre>
    </details>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function inWords(date: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone });
    formats.set(timeZone, format);
  }
  return withZone(format.format(date), timeZone);
}

/** A time in the time zone of a study. Elsewhere in UTC: without a script we don't know that of the reader. */
export function Time({ at, timeZone = UTC }: { at: string | number; timeZone?: string }): VNode {
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{inWords(date, timeZone)}</time>;
}

/** The links to the pages before and after one of a list. */
export function Pages({
  path,
  total,
  limit,
  offset,
}: {
  path: string;
  total: number;
  limit: number;
  offset: number;
}): VNode | null {
  if (total <= limit && offset === 0) return null;
  const to = (start: number) => (start > 0 ? `${path}${path.includes("?") ? "&" : "?"}offset=${start}` : path);
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && (
        <a rel="prev" href={to(Math.max(offset - limit, 0))}>
          Previous
        </a>
      )}
      <span>
        {Math.min(offset + 1, total)} to {Math.min(offset + limit, total)} of {total}
      </span>
      {offset + limit < total && (
        <a rel="next" href={to(offset + limit)}>
          Next
        </a>
      )}
    </nav>
  );
}

/** A term with its value, in a <dl>. */
export function Figure({ name, value }: { name: string; value: string | VNode }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
