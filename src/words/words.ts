// What a language's words are: for each key of English a text, or one for each plural form. A language that lacks one does not compile.

import type { en } from "./en.ts";

type En = typeof en;

/** Texts by the plural forms of a language. */
export type Forms = { readonly [form in Exclude<Intl.LDMLPluralRule, "other">]?: string } & { readonly other: string };

/** The same where the number is a rank, such as `1st`. */
type OrdinalForms = Forms & { readonly ordinal: true };

/** The words of a language. */
export type Words = {
  readonly [key in keyof En]: En[key] extends string
    ? string
    : En[key] extends { ordinal: true }
      ? OrdinalForms
      : Forms;
};

type Key = keyof En;

/** The keys with one text, and those with one for each form. */
export type PlainKey = { [key in Key]: En[key] extends string ? key : never }[Key];
export type CountedKey = Exclude<Key, PlainKey>;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type TextOf<K extends Key> = En[K] extends { other: infer Other extends string } ? Other : Extract<En[K], string>;
type ValueName<K extends Key> = Exclude<NamesIn<TextOf<K>>, "count">;

/** The values that replace the `{name}`s of a text: numbers are written as the language writes them. */
export type ValuesFor<K extends Key> = [ValueName<K>] extends [never]
  ? []
  : [values: { readonly [name in ValueName<K>]: string | number }];
