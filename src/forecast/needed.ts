// How many invitations a quota still needs, by the share of those invited who took a place in it.

/** Of the normal distribution, for an interval of 95 %. */
const Z = 1.959964;

interface Needed {
  estimate: number;
  low: number;
  high: number;
}

/** @returns null where no rate is known @param remaining places @param taken by how many of `invited` */
export function invitationsNeeded(remaining: number, taken: number, invited: number): Needed | null {
  if (remaining <= 0) return { estimate: 0, low: 0, high: 0 };
  if (!taken || !invited) return null;
  const [low, high] = wilson(Math.min(taken, invited), invited);
  const at = (rate: number) => Math.ceil(remaining / rate);
  return { estimate: at(taken / invited), low: at(high), high: at(low) };
}

/** The interval of a share (E. B. Wilson, 1927). It is right also for few people and for small shares. */
function wilson(hits: number, of: number): [low: number, high: number] {
  const share = hits / of;
  const square = Z * Z;
  const centre = share + square / (2 * of);
  const reach = Z * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of));
  const scale = 1 + square / of;
  return [(centre - reach) / scale, Math.min(1, (centre + reach) / scale)];
}
