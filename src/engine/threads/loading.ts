// Keeps threads from loading native code while the process ends: Node aborts if a thread is ended at that moment.

import { setTimeout as sleep } from "node:timers/promises";

/** How many threads load, and whether no other one may begin: shared by all threads of a process. */
export type LoadingState = Int32Array<SharedArrayBuffer>;

const LOADING = 0;
const CLOSED = 1;
const ENDED = 2;
const LOOK_MS = 5;

export function newLoadingState(): LoadingState {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** In a thread: loads. Where it is too late for that, it ends. */
export function loadWhileOpen<Loaded>(state: LoadingState, load: () => Loaded): Loaded {
  Atomics.add(state, LOADING, 1);
  // Looked at after it was counted: so `closeLoading` sees it, or it sees that.
  if (Atomics.load(state, CLOSED)) {
    Atomics.sub(state, LOADING, 1);
    Atomics.wait(state, ENDED, 0);
    // A thread that is ended while its modules load may go on all the same (Node 24): the process would wait for it for ever.
    process.exit();
  }
  try {
    return load();
  } finally {
    Atomics.sub(state, LOADING, 1);
  }
}

/** Lets no other thread begin to load, and waits up to `ms` for those that do. The caller ends all threads at once then. */
export async function closeLoading(state: LoadingState, ms: number): Promise<void> {
  Atomics.store(state, CLOSED, 1);
  const deadline = performance.now() + ms;
  while (Atomics.load(state, LOADING) > 0 && performance.now() < deadline) await sleep(LOOK_MS);
  Atomics.store(state, ENDED, 1);
  Atomics.notify(state, ENDED);
}
