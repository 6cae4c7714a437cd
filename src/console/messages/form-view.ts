// What the form of a new message shows.

import type { FilterField } from "../filters/filter-words.ts";
import type { Faults } from "../shell/faults.ts";
import type { Named } from "../shell/fields.tsx";
import type { Typed } from "./typed.ts";

/** What the form offers. */
export interface Offered {
  /** Those of the study, besides its own. */
  languages: readonly string[];
  timeZone: string;
  /** By which people can be chosen. */
  filters: readonly FilterField[];
  quotas: Named;
  /** The others. */
  studies: Named;
}

export interface FormView {
  typed: Typed;
  offered: Offered;
  labels: Record<string, string>;
  faults: Faults;
  /** Of a form that is sent twice, the second one changes nothing. */
  key: string;
}

/** Whether a field with such a name is wrong. */
export const isWrong = ({ faults }: FormView, names: RegExp): boolean =>
  Object.keys(faults).some((name) => names.test(name));
