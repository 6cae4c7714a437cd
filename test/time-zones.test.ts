// Time zones: their names, the day of an instant, and the instant of a time on the clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clockTime, dayIn, instantIn, timeZoneOf, timeZones } from "../src/nouns/screeners/time-zones.ts";

test("a time zone is found in any case, and has its present name; offsets and other texts are none", () => {
  const names: [string, string | undefined][] = [
    ["europe/berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["etc/utc", "UTC"],
    ["Europe/Kiev", "Europe/Kyiv"],
    ["europe/kyiv", "Europe/Kyiv"],
    ["asia/kolkata", "Asia/Kolkata"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["+01:00", undefined],
    ["Mars/Olympus", undefined],
    ["", undefined],
  ];
  for (const [name, expected] of names) assert.equal(timeZoneOf(name), expected, name);
  for (const name of timeZones()) assert.equal(timeZoneOf(name), name);
});

test("the day of an instant is that of the zone's clocks", () => {
  assert.equal(dayIn("UTC", "2026-01-31T23:30:00.000Z"), "2026-01-31");
  assert.equal(dayIn("Europe/Berlin", "2026-01-31T23:30:00.000Z"), "2026-02-01");
  assert.equal(dayIn("America/Los_Angeles", Date.parse("2026-02-01T07:59:59.999Z")), "2026-01-31");
  assert.equal(dayIn("Pacific/Kiritimati", "2026-01-31T10:00:00.000Z"), "2026-02-01");
});

test("a time on the clock is found again, also when the clocks change", () => {
  const cases: [zone: string, clock: string, instant: string | undefined][] = [
    ["UTC", "2026-06-30T22:00", "2026-06-30T22:00:00.000Z"],
    ["Europe/Berlin", "2026-01-31T12:00", "2026-01-31T11:00:00.000Z"],
    ["Europe/Berlin", "2026-07-31T12:00:30.250", "2026-07-31T10:00:30.250Z"],
    // There is no such time: the clocks are put forward.
    ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
    // There are two: the first, in summer time.
    ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
    ["Asia/Kolkata", "2026-01-31T12:00", "2026-01-31T06:30:00.000Z"],
    ["America/St_Johns", "2026-11-01T03:00", "2026-11-01T06:30:00.000Z"],
    ["UTC", "2026-13-31T12:00", undefined],
    ["UTC", "tomorrow", undefined],
  ];
  for (const [zone, clock, instant] of cases) assert.equal(instantIn(zone, clock), instant, `${zone} ${clock}`);
  assert.equal(clockTime("Europe/Berlin", "2026-03-29T01:30:00.000Z"), "2026-03-29T03:30:00");
  for (const zone of ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"])
    for (let hour = 0; hour < 24 * 365; hour += 7) {
      const at = Date.UTC(2026, 0, 1, hour);
      assert.equal(clockTime(zone, instantIn(zone, clockTime(zone, at))!), clockTime(zone, at));
    }
});
