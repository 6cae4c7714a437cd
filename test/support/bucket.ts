// A store with the API of S3, for backups: s3rver, with buckets in a temporary folder.

import { createHash, createHmac } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
// @ts-expect-error It has no types.
import S3rver from "s3rver";
// @ts-expect-error It has no types.
import Account from "s3rver/lib/models/account.js";
import { newFolder } from "./folder.ts";

export const KEYS = { AWS_ACCESS_KEY_ID: "AKIDTESTS", AWS_SECRET_ACCESS_KEY: "wJalr/SecretOfTests+bPxRfi" };
Account.DUMMY_ACCOUNT.createKeyPair(KEYS.AWS_ACCESS_KEY_ID, KEYS.AWS_SECRET_ACCESS_KEY);

export interface TestBucket {
  /** As BACKUP_DIR has it, below a path of its own. */
  addressOf(path: string): string;
  /** The objects below a path, by their keys from there: the file of each. */
  objects(path: string): Map<string, string>;
  /** What keys are asked to have beside them: those that were given for a time. */
  token: string | undefined;
  /** Decides on each request: it goes on, is dropped, or is done and its answer dropped. Undefined: all go on. */
  onRequest: ((method: string, path: string) => Promise<"go on" | "drop" | "drop answer">) | undefined;
}

/** Starts the store. It ends with the tests of the file. */
export async function startBucket(name = "backups"): Promise<TestBucket> {
  const directory = newFolder();
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name }],
  });
  server.middleware.unshift((ctx: Context, next: () => Promise<void>) => checkSignature(ctx, next, bucket.token));
  server.middleware.unshift(async (ctx: Context, next: () => Promise<void>) => {
    const decided = (await bucket.onRequest?.(ctx.method, ctx.req.url)) ?? "go on";
    if (decided !== "drop") await next();
    if (decided === "go on") return;
    ctx.respond = false;
    ctx.req.socket.destroy();
  });
  const { port } = (await server.run()) as AddressInfo;
  after(() => server.close());
  const endpoint = `http://127.0.0.1:${port}`;
  const bucket: TestBucket = {
    onRequest: undefined,
    token: undefined,
    addressOf: (path) => `s3://${name}/${path}?endpoint=${endpoint}`,
    objects: (path) => {
      const folder = join(directory, name, path);
      const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
      const end = "._S3rver_object";
      return new Map(
        files
          .filter((file) => file.endsWith(end))
          .sort()
          .map((file) => [file.slice(0, -end.length), join(folder, file)]),
      );
    },
  };
  return bucket;
}

interface Context {
  method: string;
  req: { url: string; socket: { destroy(): void } };
  respond: boolean;
  headers: Record<string, string>;
  status: number;
  type: string;
  body: string;
}

/** s3rver takes any signature of version 4. This compares it with one that it makes of the request, as Amazon describes it. */
async function checkSignature(ctx: Context, next: () => Promise<void>, token: string | undefined): Promise<void> {
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, day = "", region = "", names = "", signature] = said.exec(ctx.headers.authorization ?? "") ?? [];
  if (id !== KEYS.AWS_ACCESS_KEY_ID) return refuse(ctx, "InvalidAccessKeyId");
  const [path = "", query = ""] = ctx.req.url.split("?");
  const parameters = query
    .split("&")
    .filter(Boolean)
    .map((one) => (one.includes("=") ? one : `${one}=`));
  const headers = names.split(";").map((name) => `${name}:${ctx.headers[name]?.trim()}\n`);
  const request = [
    ctx.method,
    path,
    parameters.sort().join("&"),
    headers.join(""),
    names,
    ctx.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [
    "AWS4-HMAC-SHA256",
    ctx.headers["x-amz-date"],
    scope,
    createHash("sha256").update(request).digest("hex"),
  ].join("\n");
  const hmac = (key: string | Buffer, value: string) => createHmac("sha256", key).update(value).digest();
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${KEYS.AWS_SECRET_ACCESS_KEY}`);
  if (hmac(key, text).toString("hex") !== signature) return refuse(ctx, "SignatureDoesNotMatch", text);
  const isSigned = names.split(";").includes("x-amz-security-token");
  if (token !== undefined && !(isSigned && ctx.headers["x-amz-security-token"] === token))
    return refuse(ctx, "InvalidToken");
  await next();
}

function refuse(ctx: Context, code: string, more = ""): void {
  ctx.status = 403;
  ctx.type = "application/xml";
  ctx.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message><StringToSign>${more}</StringToSign></Error>`;
}
