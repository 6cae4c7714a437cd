// What languages are called on the console's pages.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";

let names: Intl.DisplayNames | undefined;

/** A language by its name, and its tag. */
export function nameOf(language: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "language" });
  return `${names.of(language) ?? language} (${language})`;
}

export function LanguageName({ language }: { language: string }): VNode {
  return <bdi>{clean(nameOf(language))}</bdi>;
}
