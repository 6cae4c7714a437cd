// Where a bucket is, as Litestream's REPLICA_URL says it: s3://bucket/path. And the keys, from the variables that Litestream reads.

import * as v from "valibot";

export const bucketEntries = {
  AWS_ACCESS_KEY_ID: v.optional(v.string()),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
  AWS_SESSION_TOKEN: v.optional(v.string()),
  LITESTREAM_ACCESS_KEY_ID: v.optional(v.string()),
  LITESTREAM_SECRET_ACCESS_KEY: v.optional(v.string()),
};

export interface BucketKeys {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of keys that were given for a time. */
  sessionToken?: string;
}

type Variables = { [name in keyof typeof bucketEntries]?: string | undefined };

/** undefined: they are not set, or not both of them. */
export function bucketKeysOf(variables: Variables): BucketKeys | undefined {
  const accessKeyId = variables.AWS_ACCESS_KEY_ID ?? variables.LITESTREAM_ACCESS_KEY_ID;
  const secretAccessKey = variables.AWS_SECRET_ACCESS_KEY ?? variables.LITESTREAM_SECRET_ACCESS_KEY;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  // It belongs to the key beside it.
  const sessionToken = variables.AWS_ACCESS_KEY_ID === undefined ? undefined : variables.AWS_SESSION_TOKEN;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

export const KEYS_NEEDED =
  "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set (or LITESTREAM_ACCESS_KEY_ID and LITESTREAM_SECRET_ACCESS_KEY)";

export interface BucketAddress {
  bucket: string;
  /** Without slashes at its ends; empty: the whole bucket is for backups. */
  path: string;
  /** The URL of the bucket. */
  endpoint: string;
  region: string;
  /** The address of something below the path. */
  of(name: string): string;
  /** The address of another path in the bucket. */
  at(path: string): BucketAddress;
}

/** Whether it is meant as a bucket, and not as a folder. */
export const isBucket = (text: string) => /^s3:/i.test(text);

/** Hosts that name a bucket and its provider, as Litestream reads them. Any other host is the bucket alone. */
const PROVIDERS: [pattern: RegExp, endpoint: (region: string, port: string) => string][] = [
  [/^(?<bucket>.+)\.localhost$/, (_, port) => `http://localhost${port}`],
  [/^(?<bucket>.+)\.s3\.(?<region>[^.]+)\.backblazeb2\.com$/, (region) => `https://s3.${region}.backblazeb2.com`],
  [/^(?<bucket>.+)\.s3\.filebase\.com$/, () => "https://s3.filebase.com"],
  [
    /^(?<bucket>.+)\.(?<region>[^.]+)\.digitaloceanspaces\.com$/,
    (region) => `https://${region}.digitaloceanspaces.com`,
  ],
  [/^(?<bucket>.+)\.s3\.(?<region>[^.]+)\.scw\.cloud$/, (region) => `https://s3.${region}.scw.cloud`],
  [/^(?<bucket>.+)\.(?<region>[^.]+)\.linodeobjects\.com$/, (region) => `https://${region}.linodeobjects.com`],
];

const REGION = "us-east-1";
const BUCKET = /^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/;
const EXAMPLE = "as in s3://bucket/path or s3://bucket/path?endpoint=https://s3.example.org&region=eu-1";

/** Reads an address. @throws Error with what it must be, and without the address: somebody may have written a key into it */
export function readBucketAddress(text: string): BucketAddress {
  if (!URL.canParse(text)) throw new Error(`must be the address of a bucket, ${EXAMPLE}`);
  const url = new URL(text);
  if (url.username || url.password || url.hash) throw new Error(`must be an address without keys: ${KEYS_NEEDED}`);
  const unknown = [...url.searchParams.keys()].filter((name) => name !== "endpoint" && name !== "region");
  if (unknown.length) throw new Error(`must have no other parameters than endpoint and region, ${EXAMPLE}`);
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!/^[\w.~/-]*$/.test(path) || path.split("/").some((part) => /^\.{1,2}$/.test(part)) || path.includes("//"))
    throw new Error("must have a path of letters, digits, and - _ . ~ between slashes");
  const { bucket, endpoint, region } = provider(url);
  if (!BUCKET.test(bucket))
    throw new Error(`must name a bucket of 3 to 63 small letters, digits, - and dots, ${EXAMPLE}`);
  const at = (path: string): BucketAddress => {
    const of = (name: string) => `s3://${url.host}/${[path, name].filter(Boolean).join("/")}${url.search}`;
    return { bucket, path, endpoint, region, of, at };
  };
  return at(path);
}

function provider(url: URL): Pick<BucketAddress, "bucket" | "endpoint" | "region"> {
  const port = url.port && `:${url.port}`;
  const said = url.searchParams.get("endpoint");
  const saidRegion = url.searchParams.get("region");
  if (said !== null) {
    const {
      protocol = "",
      origin = "",
      username = "",
      pathname = "",
      search = "",
      hash = "",
    } = URL.canParse(said) ? new URL(said) : {};
    if (!/^https?:$/.test(protocol) || username || search || hash)
      throw new Error("must have an endpoint that begins with http:// or https://, without keys");
    const base = origin + pathname.replace(/\/+$/, "");
    if (port) throw new Error(`must say the port in the endpoint, ${EXAMPLE}`);
    return { bucket: url.host, endpoint: `${base}/${url.host}`, region: saidRegion ?? REGION };
  }
  for (const [pattern, endpointOf] of PROVIDERS) {
    const { bucket, region = saidRegion ?? REGION } = pattern.exec(url.hostname)?.groups ?? {};
    if (bucket !== undefined)
      return { bucket, endpoint: `${endpointOf(region, port)}/${bucket}`, region: saidRegion ?? region };
  }
  if (port) throw new Error(`must say the port in the endpoint, ${EXAMPLE}`);
  const region = saidRegion ?? REGION;
  const host = `s3.${region}.amazonaws.com`;
  // The certificate is for names without a dot.
  const endpoint = url.host.includes(".") ? `https://${host}/${url.host}` : `https://${url.host}.${host}`;
  return { bucket: url.host, endpoint, region };
}
