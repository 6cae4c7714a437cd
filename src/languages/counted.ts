// Numbers, as people read them.

/** 20,040 */
export function shown(n: number): string {
  return n.toLocaleString("en-GB");
}

/** How many there are: `1 person`, `20,040 people`. */
export function counted(n: number, one: string, more: string): string {
  return n === 1 ? `1 ${one}` : `${shown(n)} ${more}`;
}
