// When a webhook is sent again, and when an endpoint has failed for so long that it is given up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failingSince, isGivenUp, MAX_PAUSE_MS, pauseAfter, readRetryAfter } from "../src/webhooks/schedule.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test("there are ten attempts in about 75 hours, as Standard Webhooks say", () => {
  const pauses = Array.from({ length: 20 }, (_, index) => pauseAfter(index + 1, undefined, 0.5));
  const seconds = pauses.flatMap((pause) => (pause === undefined ? [] : [pause / 1000]));
  assert.deepEqual(seconds, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  assert.ok(pauses.slice(9).every((pause) => pause === undefined));
  const hours = seconds.reduce((sum, one) => sum + one, 0) / 3600;
  assert.ok(hours > 75 && hours < 76, `${hours} hours`);
});

test("what fails together does not come back together", () => {
  const pauses = new Set(Array.from({ length: 100 }, () => pauseAfter(2, undefined)));
  assert.ok(pauses.size > 50);
  assert.equal(pauseAfter(1, undefined, 0), 4500);
  assert.equal(pauseAfter(1, undefined, 1), 5500);
  assert.ok(pauseAfter(9, 2 * DAY_MS, 1)! <= MAX_PAUSE_MS);
});

test("Retry-After makes a pause longer, never shorter, and by a day at most", () => {
  assert.equal(pauseAfter(1, 60_000, 0.5), 60_000);
  assert.equal(pauseAfter(4, 60_000, 0.5), 2 * HOUR_MS);
  assert.equal(pauseAfter(1, 30 * DAY_MS, 0.5), DAY_MS);
  assert.equal(pauseAfter(10, 60_000, 0.5), undefined, "there is no eleventh attempt");
});

test("Retry-After is seconds or a date; anything else is ignored", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");
  assert.equal(readRetryAfter("120", now), 120_000);
  assert.equal(readRetryAfter("Sat, 31 Jan 2026 12:05:00 GMT", now), 300_000);
  assert.equal(readRetryAfter("Sat, 31 Jan 2026 11:00:00 GMT", now), 0);
  for (const wrong of [undefined, "", "-1", "1.5", "soon", "2026-01-31", "9".repeat(30), "Tomorrow"])
    assert.equal(readRetryAfter(wrong, now), undefined, wrong);
});

test("five days of nothing but failures are too many; a failure long ago counts for nothing", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");
  assert.equal(failingSince({ failing_since: null, failed_at: null }, now), now);
  const since = now - 5 * DAY_MS;
  assert.equal(failingSince({ failing_since: since, failed_at: now - 26 * HOUR_MS }, now), since);
  assert.equal(failingSince({ failing_since: since, failed_at: now - 49 * HOUR_MS }, now), now);
  assert.equal(isGivenUp(since, now), true);
  assert.equal(isGivenUp(since + 1, now), false);
});
