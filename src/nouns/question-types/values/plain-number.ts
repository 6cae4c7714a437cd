// Numbers as digits, without separators of thousands.

/** A number as digits only, in a form that is read back as the same number where a comma may stand before thousands or decimals. */
export function plainNumber(number: number): string {
  return withoutThreeDecimals(number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 }));
}

/** Adds a zero to three decimals, which could be read as thousands. */
export function withoutThreeDecimals(decimal: string): string {
  return decimal.replace(/\.\d{3}$/, "$&0");
}
