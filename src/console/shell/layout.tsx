// The frame of every page of the console. It loads nothing from other sites.

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { clean } from "../../base/clean-text.ts";
import { shown } from "../../languages/counted.ts";
import { UTC, withZone } from "../../nouns/screeners/time-zones.ts";
import { copyScript, style, timeScript } from "./assets.ts";
import { Banner, Brand, ICON, type NavigatingUser, Tabs } from "./banner.tsx";
import { TOKEN_FIELD } from "./forms.ts";

/** What the frame shows of the signed-in user. */
export interface SignedIn extends NavigatingUser {
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

export function renderPage(frame: Frame, children: ComponentChildren): string {
  return `<!doctype html>${renderToString(<Layout {...frame}>{children}</Layout>)}`;
}

/** Times in the clock of the reader are shorter than in UTC: said after the page was seen, they would move what is below them. */
const BEFORE_PAINT = { blocking: "render" };

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
        <meta name="description" content="The console for studies: questions, people, links and answers." />
        <title>{clean(signedIn ? `${title} – ${signedIn.workspaceName}` : title)}</title>
        <link rel="stylesheet" href={`${base}/console/assets/${style.file}`} />
        <link rel="icon" href={ICON} />
        {signedIn && !isBare && <script type="module" src={`${base}/console/assets/${copyScript.file}`} />}
        {signedIn && !isBare && (
          <script type="module" src={`${base}/console/assets/${timeScript.file}`} {...BEFORE_PAINT} />
        )}
        {script && <script type="module" src={script} />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {signedIn ? (
          <Banner {...{ base, at, signedIn }} signOut={<SignOut base={base} token={signedIn.token} />} />
        ) : (
          <header class="banner">
            <Brand base={base} />
          </header>
        )}
        <main class={signedIn ? (isWide ? "main main-wide" : "main") : "main main-narrow"} id="main" tabIndex={-1}>
          {signedIn?.isSandbox && (
            <p class="sandbox">
              Sandbox: for trying things out. It sends no email, and you can remove everything in it.
            </p>
          )}
          {signedIn && <Tabs base={base} at={at} signedIn={signedIn} />}
          {children}
        </main>
      </body>
    </html>
  );
}

function SignOut({ base, token }: { base: string; token: string }): VNode {
  return (
    <form method="post" action={`${base}/console/sign-out`}>
      <Token value={token} />
      <button class="button button-quiet" type="submit">
        Sign out
      </button>
    </form>
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

/**
 * A time. With the time zone of a study it is said by the clocks there. Elsewhere a script says it by those of the reader, and UTC is shown
 * on hover; without the script it is in UTC.
 */
export function Time({ at, timeZone }: { at: string | number; timeZone?: string }): VNode {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} data-local={timeZone === undefined ? "" : undefined}>
      {inWords(date, timeZone ?? UTC)}
    </time>
  );
}

interface PagesProps {
  path: string;
  total: number;
  limit: number;
  offset: number;
}

/** The links to the pages before and after one of a list; where there are more, a form that leads to any of them. */
export function Pages({ path, total, limit, offset }: PagesProps): VNode | null {
  if (total <= limit && offset === 0) return null;
  const [at, last] = [Math.floor(offset / limit) + 1, Math.max(Math.ceil(total / limit), 1)];
  const to = (number: number) => (number > 1 ? `${path}${path.includes("?") ? "&" : "?"}page=${number}` : path);
  return (
    <nav class="pages" aria-label="Pages">
      {at > 1 && (
        <a rel="prev" href={to(Math.min(at - 1, last))}>
          Previous
        </a>
      )}
      <span>
        {offset < total
          ? `${shown(offset + 1)} to ${shown(Math.min(offset + limit, total))} of ${shown(total)}`
          : `After the last of ${shown(total)}`}
      </span>
      {at < last && (
        <a rel="next" href={to(at + 1)}>
          Next
        </a>
      )}
      {last > 2 && <Jump path={path} at={Math.min(at, last)} last={last} />}
    </nav>
  );
}

function Jump({ path, at, last }: { path: string; at: number; last: number }): VNode {
  const [action, query] = path.split("?");
  return (
    <form class="jump" method="get" action={action}>
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label>
        Page <input class="entry" type="number" name="page" min="1" max={last} value={at} required /> of {shown(last)}
      </label>
      <button class="button button-quiet" type="submit">
        Go
      </button>
    </form>
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
