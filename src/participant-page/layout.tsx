// The frame of every page: the workspace's name and one column. It loads nothing from other sites.

import type { ComponentChildren } from "preact";
import { type Look, PLAIN_LOOK } from "../appearance/look.ts";
import { clean } from "../base/clean-text.ts";
import { TextLink, type TextLinkProps } from "../nouns/question-types/markup/linked-text.tsx";
import type { Speech } from "../words/speech.ts";
import { addressScript, frameScript, icon, style, styleFile } from "./assets/assets.ts";
import { SLOTS } from "./assets/slots.ts";
import type { Offer } from "./input.ts";
import type { LanguageForm } from "./language-choice.tsx";

export interface Frame {
  /** What comes before /w in URLs: the path of PUBLIC_URL. */
  base: string;
  /** The workspace whose page it is; null if the page must not show it. */
  workspaceName: string | null;
  /** Missing: the service's own. */
  look?: Look;
  /** The path of the workspace's images. Missing: the page shows none. */
  images?: string;
  /** Where the languages of a page without questions are sent. Missing: it offers none. */
  languageForm?: LanguageForm;
  /** Whether the browser may have nothing of ours yet. Missing: it may be so. */
  isFirst?: boolean;
  /** Whether it may be in a frame of another site: then no link leads on inside of the frame. */
  isFramed?: boolean;
  /** Whether it is only shown to its author: then no link leads away. */
  isTrial?: boolean;
  /** Whether it is of a test session. */
  isTest?: boolean;
  /** Where its participant can withdraw. Missing: nowhere. */
  withdrawPath?: string;
  /** Where the participant can ask for something, and where that is offered. Missing: nowhere. */
  askPaths?: Record<Offer, string>;
  /** Where the participant can stop mail. Missing: nowhere. */
  subscriptionPath?: string;
  /** Of the link. */
  path?: string;
}

/** The page's own address, where it is shown at another one. */
export interface Addressed {
  address?: string | undefined;
}

interface LayoutProps extends Frame, Addressed {
  /** Of the page right after the end: where it leads to, or an empty text. */
  ended?: string | undefined;
  speech: Speech;
  title: string;
  children: ComponentChildren;
}

/** The page has the language of our own words. Texts of authors and participants have theirs, or lang="" where nobody knows it. */
export function Layout({
  base,
  workspaceName,
  look = PLAIN_LOOK,
  isFirst = true,
  isFramed,
  isTrial,
  isTest,
  withdrawPath,
  askPaths,
  speech,
  title,
  address,
  ended,
  children,
}: LayoutProps) {
  return (
    <html lang={speech.language} dir={speech.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{clean(workspaceName === null ? title : `${title} – ${workspaceName}`)}</title>
        {/* What is shown to an author is part of another page, and no page that is sent. */}
        {isFirst && <style dangerouslySetInnerHTML={{ __html: isTrial ? style.text : SLOTS.style }} />}
        {/* Without a medium to wait for, it is fetched for the pages after this one. */}
        {!isTrial && (
          <link rel="stylesheet" href={`${base}/w/assets/${styleFile.file}`} media={isFirst ? "not all" : undefined} />
        )}
        {/* After the service's own. */}
        {look.style && <style dangerouslySetInnerHTML={{ __html: look.style.text }} />}
        <link rel="icon" type={icon.type} href={`${base}/w/assets/${icon.file}`} />
        {address !== undefined && (
          <script data-address={address} dangerouslySetInnerHTML={{ __html: addressScript.text }} />
        )}
      </head>
      <body>
        {workspaceName !== null && (
          <header class="banner">
            <p class="logo">
              {look.logo ? (
                <img
                  src={look.logo.path}
                  width={look.logo.width}
                  height={look.logo.height}
                  alt={clean(workspaceName)}
                />
              ) : (
                <bdi>{clean(workspaceName)}</bdi>
              )}
            </p>
          </header>
        )}
        <main class="main">
          {isTest && <p class="test">{speech.say("test")}</p>}
          {children}
        </main>
        {(look.privacyUrl ?? look.contactUrl ?? withdrawPath ?? askPaths ?? null) !== null && (
          <footer class="foot">
            <Link name={speech.say("privacy")} address={look.privacyUrl} isTrial={isTrial} opensTab={isFramed} />
            <Link name={speech.say("contact")} address={look.contactUrl} isTrial={isTrial} opensTab={isFramed} />
            {withdrawPath !== undefined && (
              <a class="away" href={withdrawPath}>
                {speech.say("withdrawHeading")}
              </a>
            )}
            {askPaths && (
              <a class="away" href={askPaths.any}>
                {speech.say("ownDataHeading")}
              </a>
            )}
          </footer>
        )}
        {look.frameAncestors.length > 0 && (
          <script
            data-origins={look.frameAncestors.join(" ")}
            data-ended={ended}
            dangerouslySetInnerHTML={{ __html: frameScript.text }}
          />
        )}
      </body>
    </html>
  );
}

type LinkProps = Pick<TextLinkProps, "isTrial" | "opensTab"> & { name: string; address: string | null };

function Link({ name, address, ...more }: LinkProps) {
  if (address === null) return null;
  return (
    <TextLink address={address} {...more}>
      {name}
    </TextLink>
  );
}

/** The beginning of a text, without directional isolates: one that is cut from its end would reorder what follows. */
export function shorten(text: string, max = 90): string {
  const characters = [...text.slice(0, 4 * max).replaceAll(/[\u2066-\u2069]/g, "")];
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`
    : characters.join("");
}
