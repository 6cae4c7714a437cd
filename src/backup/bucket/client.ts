// A bucket of an S3-compatible store, as far as backups need it. All that goes wrong is said in one sentence, with where and why, and
// without keys.

import { createWriteStream } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3mini } from "s3mini";
import type { Agent } from "undici";
import { makeFolders } from "../../../db/sqlite/folders.ts";
import { type BucketAddress, type BucketKeys, KEYS_NEEDED, readBucketAddress } from "../../base/settings/bucket.ts";
import { type Hashed, hashing } from "./hashing.ts";
import { ATTEMPTS, isOfFile, Refused, reasonOf, refusalOf, withAttempts } from "./refusals.ts";

const MIB = 1024 * 1024;
/** A larger file is sent in parts. One is in memory at a time. */
const PART_BYTES = 16 * MIB;
/** S3 takes no more. */
const MAX_PARTS = 10_000;
/** A larger object is not copied by S3 at once. */
const MAX_COPY_BYTES = 5 * 1024 * MIB;
const CONNECT_MS = 10_000;
/** How long nothing may come: S3 answers a copy when it is done. */
const SILENT_MS = 300_000;

/** The bucket can't be used. Its message says where, and why. */
export class BucketError extends Error {}

interface StoredObject {
  /** From the path of the address. */
  key: string;
  bytes: number;
  /** When it was written, in ms since 1970. */
  at: number;
}

export class Bucket {
  readonly address: BucketAddress;
  readonly #s3: S3mini;
  readonly #agent: Agent;

  private constructor(address: BucketAddress, s3: S3mini, agent: Agent) {
    this.address = address;
    this.#s3 = s3;
    this.#agent = agent;
  }

  /** @param text as in s3://bucket/path @throws BucketError when it can't be read as that, or keys are missing */
  static async open(text: string, keys: BucketKeys | undefined): Promise<Bucket> {
    let address: BucketAddress;
    try {
      address = readBucketAddress(text);
    } catch (error) {
      throw new BucketError(`The address of the backups ${(error as Error).message}.`);
    }
    if (!keys) throw new BucketError(`${KEYS_NEEDED}: the backups are in ${address.of("")}.`);
    const { S3mini } = await import("s3mini");
    const undici = await import("undici");
    const agent = new undici.Agent({
      connect: { timeout: CONNECT_MS },
      headersTimeout: SILENT_MS,
      bodyTimeout: SILENT_MS,
    });
    const fetching = (url: string, init: object) => undici.fetch(url, { ...init, dispatcher: agent });
    const fetch = withAttempts(fetching as unknown as typeof globalThis.fetch);
    const { sessionToken, ...pair } = keys;
    const s3 = new S3mini({ ...pair, endpoint: address.endpoint, region: address.region, fetch });
    if (sessionToken !== undefined) signWith(s3, sessionToken);
    return new Bucket(address, s3, agent);
  }

  /** The same bucket at the folder above, and the name that the path ends in. */
  up(): [above: Bucket, name: string] {
    const { address } = this;
    const cut = address.path.lastIndexOf("/");
    const name = address.path.slice(cut + 1);
    return [new Bucket(address.at(address.path.slice(0, Math.max(cut, 0))), this.#s3, this.#agent), name];
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** All objects whose keys begin so. */
  list(start = ""): Promise<StoredObject[]> {
    return this.#saying("list", async () => {
      const found = await this.#s3.listObjects("/", this.#key(start));
      // The library takes a 404 for a list that is not there.
      if (!found) throw new Refused(404, "NoSuchBucket");
      const skip = this.#key("").length;
      return found.map(({ Key, Size, LastModified }) => ({
        key: Key.slice(skip),
        bytes: Number(Size),
        at: new Date(LastModified).getTime(),
      }));
    });
  }

  /** The text of an object; undefined: there is none. */
  async read(key: string): Promise<string | undefined> {
    return this.#saying("read", async () => (await this.#s3.getObject(this.#key(key))) ?? undefined);
  }

  async write(key: string, text: string): Promise<void> {
    await this.#saying("write", async () => done(await this.#s3.putObject(this.#key(key), Buffer.from(text))));
  }

  /** Sends a file. One that is larger than a part is there when all its parts are. */
  async send(from: string, key: string): Promise<void> {
    const { size } = await stat(from);
    await this.#saying("write", async () => {
      if (size > PART_BYTES) return this.#sendParts(from, size, this.#key(key));
      return done(await this.#s3.putObject(this.#key(key), await readFile(from)));
    });
  }

  /** Writes an object into a new file. @returns undefined: there is none */
  async fetch(key: string, to: string, onBytes: (bytes: number) => void = () => {}): Promise<Hashed | undefined> {
    makeFolders(dirname(to));
    for (let attempt = 1; ; attempt++) {
      let received = 0;
      try {
        return await this.#saying("read", () =>
          this.#fetchOnce(key, to, (bytes) => {
            received += bytes;
            onBytes(bytes);
          }),
        );
      } catch (error) {
        await rm(to, { force: true });
        // It broke off in the middle: so it is not refused. A full disk stays full.
        if (attempt === ATTEMPTS || !received || isOfFile(error)) throw error;
        onBytes(-received);
      }
    }
  }

  /** Copies an object, as long as S3 does that at once. @returns whether it is there */
  copy(from: string, to: string, bytes: number): Promise<boolean> {
    if (bytes > MAX_COPY_BYTES) return Promise.resolve(false);
    return this.#saying("copy", async () => {
      try {
        // With its slashes, which the library would escape, and not every store takes back. Nothing else in it is to be escaped.
        const additionalHeaders = { "x-amz-copy-source": `/${this.address.bucket}/${this.#key(from)}` };
        const { etag } = await this.#s3.copyObject(this.#key(from), this.#key(to), { additionalHeaders });
        return Boolean(etag);
      } catch (error) {
        if (refusalOf(error)?.code === "NoSuchKey") return false;
        throw error;
      }
    });
  }

  /** Removes objects. Some may not be there. */
  async remove(keys: readonly string[]): Promise<void> {
    // One by one: not every store knows the request for many of them in the same form.
    const left = [...keys];
    const removing = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#removeOne(key);
    };
    await this.#saying("remove", () => Promise.all(Array.from({ length: 8 }, removing)));
  }

  async #removeOne(key: string): Promise<void> {
    try {
      await this.#s3.deleteObject(this.#key(key));
    } catch (error) {
      // Amazon's store says that it is removed; others, as that of Google, that there is none.
      if (refusalOf(error)?.code !== "NoSuchKey") throw error;
    }
  }

  async #sendParts(from: string, size: number, key: string): Promise<void> {
    const id = await this.#s3.getMultipartUploadId(key);
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
    const file = await open(from);
    try {
      const parts: { partNumber: number; etag: string }[] = [];
      for (let at = 0; at < size; at += partBytes) {
        const part = Buffer.alloc(Math.min(partBytes, size - at));
        const { bytesRead } = await file.read(part, 0, part.length, at);
        if (bytesRead < part.length) throw new Error(`${from} has changed while it was sent`);
        parts.push(await this.#s3.uploadPart(key, id, part, parts.length + 1));
      }
      await this.#complete(key, id, parts, size);
    } catch (error) {
      await this.#s3.abortMultipartUpload(key, id).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #complete(key: string, id: string, parts: { partNumber: number; etag: string }[], size: number): Promise<void> {
    try {
      // An answer of 200 may have an error in it, which the library hands on.
      if ("Error" in (await this.#s3.completeMultipartUpload(key, id, parts))) throw new Refused(200, "InternalError");
    } catch (error) {
      // It may have been done when it was asked for before, and that answer was lost. The key is new: what is there are these parts.
      if (!(await this.#isThere(key, size).catch(() => false))) throw error;
    }
  }

  async #isThere(key: string, size: number): Promise<boolean> {
    const found = await this.#s3.listObjects("/", key);
    return found?.some(({ Key, Size }) => Key === key && Number(Size) === size) === true;
  }

  async #fetchOnce(key: string, to: string, onBytes: (bytes: number) => void): Promise<Hashed | undefined> {
    const reply = await this.#s3.getObjectResponse(this.#key(key));
    if (!reply?.body) return undefined;
    const { stream, hashed } = hashing(onBytes);
    await pipeline(Readable.fromWeb(reply.body as never), stream, createWriteStream(to, { flags: "wx", flush: true }));
    return hashed();
  }

  /** Whatever goes wrong is said in one sentence. Files of this machine have errors of their own. */
  async #saying<T>(doing: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof BucketError || isOfFile(error)) throw error;
      throw new BucketError(`${this.address.of("")} ${reasonOf(this.address, doing, error)}`, { cause: error });
    }
  }

  #key(key: string): string {
    return this.address.path ? `${this.address.path}/${key}` : key;
  }
}

/** The body is read, so that its connection is free. */
async function done(reply: Response): Promise<void> {
  await reply.arrayBuffer();
}

/** The library has no place for a token. What it signs are all headers that it is given. */
function signWith(s3: S3mini, token: string): void {
  const signing = s3 as unknown as { _sign(...request: [string, string, object?, object?]): Promise<unknown> };
  const sign = signing._sign.bind(s3);
  signing._sign = (method, path, query, headers) =>
    sign(method, path, query, { ...headers, "x-amz-security-token": token });
}
