// Sends a request, and sends it again where that is safe and can help.

import { ApiError, type ProblemDetails } from "./error.ts";

export interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Blob;
  /** Whether a second request does no more than the first one. */
  isRepeatable: boolean;
  /** How long to go on trying. */
  retryForMs: number;
  /** How long each try may take, until the answer is there as a whole. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface Received {
  status: number;
  headers: Headers;
  /** JSON, parsed; else the text; undefined where there is no body. */
  body: unknown;
}

/** Too many requests, or nobody there for the moment: 502 and 504 come from proxies. */
const PASSING = [429, 502, 503, 504];

/** Pauses, unless a longer one is asked for: each is twice the one before, with jitter. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/** @throws ApiError when the answer is an error; when there is none, what `fetch` throws, or a `DOMException` named `TimeoutError` */
export async function send({ url, isRepeatable, retryForMs, timeoutMs, ...request }: Sending): Promise<Received> {
  const { method, body = null, signal } = request;
  // What a header can't have is found here. Later it would look like trouble with the network.
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, asLatin1(value)]));
  const end = Date.now() + retryForMs;
  for (let failures = 0; ; failures++) {
    let error: unknown;
    const ending = endingAfter(timeoutMs, signal);
    try {
      return await receive(await fetch(url, { method, headers, body, signal: ending.signal }));
    } catch (caught) {
      error = caught;
    } finally {
      ending.clear();
    }
    const pauseMs = pauseAfter(error, failures);
    if (pauseMs === undefined || !isRepeatable || signal?.aborted || Date.now() + pauseMs > end) throw error;
    await pause(pauseMs, signal);
  }
}

/** @returns undefined where trying again can't help */
function pauseAfter(error: unknown, failures: number): number | undefined {
  const isPassing =
    error instanceof ApiError ? PASSING.includes(error.status) : error instanceof TypeError || isTimeout(error);
  if (!isPassing) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random() / 2));
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** A signal that is aborted with another one, or after a time. (`AbortSignal.any` came after Node 20.0.) */
function endingAfter(ms: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow);
  const late = () => controller.abort(new DOMException(`No answer within ${ms} ms.`, "TimeoutError"));
  const timer = setTimeout(late, ms);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", follow);
    },
  };
}

async function receive(response: Response): Promise<Received> {
  const { status, headers } = response;
  const type = headers.get("Content-Type") ?? "";
  const text = await response.text();
  const isProblem = type.startsWith("application/problem+json");
  const body = parse(text, isProblem || (response.ok && /^application\/json\b/.test(type)));
  if (response.ok || status === 304) return { status, headers, body };
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  const requestId = headers.get("X-Request-Id") ?? undefined;
  const problem: ProblemDetails = isProblem
    ? (body as ProblemDetails)
    : {
        detail: `The answer ${status} is no problem of the API: ${text.slice(0, 200)}`,
        ...(requestId && { requestId }),
      };
  throw new ApiError(status, problem, Number.isNaN(seconds) ? undefined : seconds);
}

function parse(text: string, isJson: boolean): unknown {
  if (!text) return undefined;
  return isJson ? JSON.parse(text) : text;
}

/** Headers carry bytes. The service reads them as UTF-8. */
function asLatin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** @throws the signal's reason when it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
