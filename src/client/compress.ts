// Compresses what is to be sent. The bytes are never held as a whole; those of the compressed body are, so that it can be sent again.

export type Bytes = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>;

/** @throws what the source or the signal throws */
export function compressed(source: Bytes, signal?: AbortSignal): Promise<Blob> {
  const gzip = new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;
  return new Response(streamOf(source).pipeThrough(gzip, signal ? { signal } : {}) as BodyInit).blob();
}

/** Values as NDJSON: pieces of about 64 KiB, because each piece costs a turn of several streams. */
export async function* ndjson(values: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let lines: string[] = [];
  let length = 0;
  for await (const value of values) {
    const line = JSON.stringify(value);
    lines.push(line, "\n");
    length += line.length;
    if (length < MIN_PIECE) continue;
    yield lines.join("");
    lines = [];
    length = 0;
  }
  yield lines.join("");
}

const MIN_PIECE = 64 * 1024;

function streamOf(source: Bytes): ReadableStream<Uint8Array> {
  if (typeof source === "string" || source instanceof Uint8Array)
    return new Blob([source as BlobPart]).stream() as ReadableStream<Uint8Array>;
  if (source instanceof Blob) return source.stream() as ReadableStream<Uint8Array>;
  // Not every browser iterates over a stream, so its reader is used.
  if ("getReader" in source) return source;
  const iterator = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
