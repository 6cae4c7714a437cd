// Numbers, as people read them.

/** 20,040. Whole numbers without `Intl`, which takes a process 12 ms when it is first used. */
export function shown(n: number): string {
  return Number.isSafeInteger(n) ? String(n).replace(/\B(?=(?:\d{3})+$)/g, ",") : n.toLocaleString("en-GB");
}

/** How many there are: `1 person`, `20,040 people`. */
export function counted(n: number, one: string, more: string): string {
  return n === 1 ? `1 ${one}` : `${shown(n)} ${more}`;
}
