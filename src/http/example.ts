// The examples of endpoints in the API description.

/**
 * A call that works: the API description shows it, and a test makes it. Ids are those of src/base/examples.ts; the path's id
 * follows from the path.
 */
export interface Example {
  /** Its title. Default: the endpoint's summary. */
  summary?: string;
  headers?: Record<string, string>;
  /** Parameters of the query, where it is no list. */
  query?: Record<string, string>;
  body?: unknown;
  /** Default: the first of the endpoint's replies. */
  status?: number;
  /** The reply's JSON, or its text where it is no JSON. */
  reply: unknown;
}

type NamedExample = Example & { name: string; summary: string; status: number };

/** The parts of an endpoint that examples need. */
interface Shown {
  summary: string;
  replies: Record<number, unknown>;
  examples?: Readonly<Record<string, Example>>;
}

/** An endpoint's examples, with defaults filled in. */
function examplesOf({ examples = {}, summary, replies }: Shown): NamedExample[] {
  const [first] = Object.keys(replies);
  return Object.entries(examples).map(([name, example]) => ({ name, summary, status: Number(first), ...example }));
}

/** The member `examples` with a part of each example; without those for which `pick` gives nothing. */
export function examplesAs(endpoint: Shown, pick: (example: NamedExample) => unknown): { examples?: object } {
  const picked = examplesOf(endpoint).flatMap((example) => {
    const value = pick(example);
    return value === undefined ? [] : [[example.name, { summary: example.summary, ...shown(example), value }]];
  });
  return picked.length ? { examples: Object.fromEntries(picked) } : {};
}

/** An example's headers and query. As examples of parameters, Swagger UI would send them with every request that is tried out. */
function shown({ headers, query }: NamedExample): object {
  if (!headers && !query) return {};
  const search = query && new URLSearchParams(query).toString();
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `\`${name}: ${value}\``);
  if (search) lines.push(`\`?${search}\``);
  return {
    description: `With ${lines.join(" and ")}.`,
    ...(headers && { "x-headers": headers }),
    ...(search && { "x-query": search }),
  };
}
