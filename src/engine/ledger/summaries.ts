// What the summaries of jobs have: each kind of job declares it. From there come the API's schema of Job, and the clients' types.

import * as v from "valibot";
import { EXTENSIBLE } from "../../base/members.ts";
import { count } from "../../base/schemas.ts";

/** The members of a summary. Those that not every such job has are optional. */
export type SummaryMembers = Readonly<Record<string, v.GenericSchema>>;

/** What the API says of a kind of job. */
export interface DescribedKind {
  kind: string;
  /** What the summary of such a job has; null: it has none. */
  summary: SummaryMembers | null;
}

type Counted<Names extends readonly string[]> = Record<Names[number], typeof count>;

/** Numbers by their names: what most summaries are. */
export function counted<const Names extends readonly string[]>(...names: Names): Counted<Names> {
  return Object.fromEntries(names.map((name) => [name, count])) as Counted<Names>;
}

/** A job of any kind. @param members what all jobs have */
export function jobOf(members: v.GenericSchema, kinds: readonly DescribedKind[]): v.GenericSchema {
  return v.pipe(
    v.union(kinds.map((kind) => v.pipe(v.intersect([members, ownOf(kind)]), v.title(`${nameOf(kind)}Job`)))),
    v.title("Job"),
    v.description(
      "`kind` says which it is, and so what `summary` has. Further kinds may come: what all have is JobMembers",
    ),
    v.metadata({ discriminator: { propertyName: "kind" }, ...EXTENSIBLE }),
  );
}

/** What a job of the kind has besides what all have. */
function ownOf(described: DescribedKind): v.GenericSchema {
  const { kind, summary } = described;
  return v.object({
    kind: v.literal(kind),
    summary: summary ? v.nullable(v.pipe(v.object(summary), v.title(`${nameOf(described)}Summary`))) : v.null(),
  });
}

/** "SCREENER_PUBLICATION" → "ScreenerPublication". */
const nameOf = ({ kind }: DescribedKind) =>
  kind.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
