// What is going to end: how every answer of an endpoint says so. The policy is in docs/contract.md.

/** An endpoint that goes on working, and that callers should leave. */
export interface Deprecation {
  /** Since when: a day, as 2026-11-30. */
  since: string;
  /** The day from which on it may be gone, once that is decided: at least half a year later. */
  endsOn?: string;
  /** What to use: a sentence for the API description. */
  instead: string;
}

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders({ since, endsOn }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(endsOn !== undefined && { Sunset: new Date(endsOn).toUTCString() }),
  };
}

/** The sentences of the API description. */
export function describeDeprecation({ since, endsOn, instead }: Deprecation): string {
  const end = endsOn === undefined ? "" : ` It may be gone from ${endsOn} on.`;
  return `Deprecated since ${since}. ${instead}${end}`;
}
