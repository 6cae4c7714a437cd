// The pages of the documentation: as the service shows them, and as files for any web server.

import { readFileSync } from "node:fs";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { ROOT } from "../../db/root.ts";
import { FILES, GROUPS, PAGES, type Page, REFERENCE } from "./pages.ts";
import { type Document, headOf, render, type Section } from "./render.ts";

/** Where things are: the address of a page, of the first one (no name), or of a file. */
interface Addresses {
  page(name?: string): string;
  file(name: string): string;
  /** Of a page, from the folder of the files. */
  inSearch(name: string): string;
}

/** What the search finds: where it is, from the folder of the pages, what it is called, what it is in, and what it says. */
type Found = [address: string, title: string, page: string, text: string];

/** An operation of the API, for the search. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
}

export class Site {
  readonly #addresses: Addresses;
  readonly #documents = new Map<string, Document>();
  readonly #heads = new Map<string, ReturnType<typeof headOf>>();

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** A page, by its name. @returns undefined when there is none */
  page(name: string): string | undefined {
    const page = PAGES.find((one) => one.name === name);
    if (!page) return undefined;
    const { title, html, sections } = this.#document(page);
    return this.#show(title, name, html, sections);
  }

  /** The first page: what there is to read. */
  home(): string {
    const entries = (pages: Page[]) =>
      pages.map((page) => {
        const { title, intro } = this.#head(page);
        return (
          <li>
            <a href={this.#addresses.page(page.name)}>{title}</a>
            <p dangerouslySetInnerHTML={{ __html: intro }} />
          </li>
        );
      });
    const body = renderToString(
      <>
        <h1>Documentation</h1>
        <p>
          This service and its API. Every path, with what it takes and answers, is in the{" "}
          <a href={this.#addresses.page(REFERENCE)}>API reference</a>.
        </p>
        {GROUPS.map((group) => (
          <section>
            <h2>{group.title}</h2>
            <ul class="entries">{entries(group.pages)}</ul>
          </section>
        ))}
      </>,
    );
    return this.#show("Documentation", undefined, body, []);
  }

  /** What the search looks through. Other work goes on between the pages. @param paths of the API's description */
  async search(paths: Record<string, Record<string, Operation>>): Promise<Found[]> {
    const found: Found[] = [];
    const add = (name: string, id: string, ...[title, page, text]: [string, string, string]) =>
      found.push([`${this.#addresses.inSearch(name)}#${id}`, title, page, text]);
    for (const page of PAGES) {
      const { title, sections } = this.#document(page);
      for (const { id, title: heading, texts } of sections)
        for (const text of texts.length ? texts : [""]) add(page.name, id, heading, title, text);
      await new Promise(setImmediate);
    }
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId, tags, summary, description = "" }] of Object.entries(methods))
        add(
          REFERENCE,
          `/${tags[0]}/${operationId}`,
          summary,
          "API reference",
          `${method.toUpperCase()} ${path} ${description}`,
        );
    return found;
  }

  #head({ file, name }: Page): ReturnType<typeof headOf> {
    let head = this.#heads.get(name);
    if (!head) {
      head = headOf(sourceOf(file));
      this.#heads.set(name, head);
    }
    return head;
  }

  #document(page: Page): Document {
    let document = this.#documents.get(page.name);
    if (!document) {
      document = render(sourceOf(page.file), page.file, (file) => this.#addressOf(file));
      this.#documents.set(page.name, document);
    }
    return document;
  }

  #addressOf(file: string): string | undefined {
    const page = PAGES.find((one) => one.file === file);
    if (page) return this.#addresses.page(page.name);
    const name = file.split("/").at(-1)!;
    return FILES.get(name) === file ? this.#addresses.file(name) : undefined;
  }

  #show(title: string, name: string | undefined, html: string, sections: Section[]): string {
    const { page, file } = this.#addresses;
    const entry = (address: string, text: string, isHere: boolean): VNode => (
      <li>
        <a href={address} aria-current={isHere ? "page" : undefined}>
          {text}
        </a>
      </li>
    );
    const documents = GROUPS.map((group) => (
      <>
        <h2>{group.title}</h2>
        <ul>{group.pages.map((one) => entry(page(one.name), this.#head(one).title, one.name === name))}</ul>
      </>
    ));
    const headings = sections.filter(({ level }) => level === 2 || level === 3);
    return `<!doctype html>${renderToString(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} – Screening service`}</title>
          <link rel="stylesheet" href={file("site.css")} />
          <link rel="icon" type="image/png" href={file("favicon-32x32.png")} />
          <script type="module" src={file("search.js")} />
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <header>
            <a href={page()}>Screening service</a>
            <a href={page(REFERENCE)}>API reference</a>
            <search hidden>
              <label for="wanted">Search the documentation</label>
              <input id="wanted" type="search" autocomplete="off" />
              <p id="found-count" role="status" />
              <ol id="found" />
            </search>
          </header>
          <div class="columns">
            <nav aria-label="Documents">
              <details>
                <summary>All documents</summary>
                {documents}
              </details>
            </nav>
            <main id="main" tabIndex={-1}>
              {headings.length > 2 && (
                <details class="contents">
                  <summary>On this page</summary>
                  <ul>
                    {headings.map(({ id, title: text, level }) => (
                      <li class={`level-${level}`}>
                        <a href={`#${id}`}>{text}</a>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
              <div dangerouslySetInnerHTML={{ __html: html }} />
            </main>
          </div>
        </body>
      </html>,
    )}`;
  }
}

const sourceOf = (file: string): string => readFileSync(new URL(file, ROOT), "utf8");
