// The signals of a study as its form has them: which are on, and from which number on each counts, as it is typed.

import type { Problem, ProblemDetail } from "../../base/problems.ts";
import type { Screener, ScreenerChange } from "../../client/types.ts";
import type { Faults } from "../shell/faults.ts";
import { type Fields, unchecked } from "../shell/forms.ts";

export type SignalSetting = keyof Screener["signals"];

/** From which number on a kind counts: the member of the API, and how many of the form's are one of the API's. */
interface Threshold {
  member: string;
  factor: number;
}

const THRESHOLDS: { readonly [setting in SignalSetting]?: Threshold } = {
  // A share, which people type as percent.
  hurried: { member: "share", factor: 100 },
  straightLines: { member: "minRows", factor: 1 },
  sameText: { member: "minLength", factor: 1 },
  sameAddress: { member: "minSessions", factor: 1 },
};

/** By the kinds. */
export type TypedSignals = Record<SignalSetting, { isOn: boolean; number: string }>;

/** The name of a kind's field; and of its number's. */
export const fieldOf = (setting: string) => `signal-${setting}`;
export const numberFieldOf = (setting: string) => `${fieldOf(setting)}-number`;

const mapped = (of: (setting: SignalSetting) => TypedSignals[SignalSetting], signals: Screener["signals"]) =>
  Object.fromEntries(Object.keys(signals).map((setting) => [setting, of(setting as SignalSetting)])) as TypedSignals;

/** As the form shows the settings of a study. */
export function shownSignals(signals: Screener["signals"]): TypedSignals {
  return mapped((setting) => {
    const on = signals[setting] as Record<string, number> | null;
    const threshold = THRESHOLDS[setting];
    const number = on && threshold ? String(Math.round(on[threshold.member]! * threshold.factor * 100) / 100) : "";
    return { isOn: on !== null, number };
  }, signals);
}

/** As the form has sent them. */
export function typedSignals(fields: Fields, signals: Screener["signals"]): TypedSignals {
  return mapped(
    (setting) => ({ isOn: fields(fieldOf(setting)) !== "", number: fields(numberFieldOf(setting)).trim() }),
    signals,
  );
}

/** As the API takes them. It checks what was typed; without a number it has one of its own. */
export function signalsIn(typed: TypedSignals): NonNullable<ScreenerChange["signals"]> {
  const settings = Object.entries(typed).map(([setting, { isOn, number }]) => {
    const threshold = THRESHOLDS[setting as SignalSetting];
    if (!isOn) return [setting, null];
    if (!threshold || number === "") return [setting, {}];
    const value = Number(number) / threshold.factor;
    return [setting, { [threshold.member]: Number.isFinite(value) ? value : unchecked<number>(number) }];
  });
  return Object.fromEntries(settings);
}

/** What the API has refused, by the fields of the form. @throws the error itself, unless it is about numbers of the form */
export function faultsOfSignals(error: Problem): Faults {
  const faults: Faults = {};
  for (const { pointer, message } of (error.document.errors ?? []) as ProblemDetail[]) {
    const [, , setting = "", member] = pointer.split("/");
    const threshold = THRESHOLDS[setting as SignalSetting];
    if (!threshold || threshold.member !== member) throw error;
    faults[numberFieldOf(setting)] = message.replaceAll(/\d+\.\d+/g, (share) => `${Number(share) * threshold.factor}`);
  }
  if (!Object.keys(faults).length) throw error;
  return faults;
}
