// Computes what an installation of many cells takes (scale.md): how workspaces are spread, how busy the cells are, what Redis and the
// replicas carry, and what the loss of a machine means. Everything that it takes for granted is in the two tables below; each can be
// given as an argument:
//
//   node docs/scale.mjs [participants=100e6] [workspaces=1000] [cores=4] [diskGB=500] [serverMonth=60] …

/** Measured in one cell: two processors, a local disk, Redis on the same machine; scale.md says how. */
const measured = {
  // Bytes in a store: a participant with an assignment; a session with an answer to each of ten questions.
  bytesParticipant: 430,
  bytesSession: 2700,
  // Of the result of an import, for each row, as long as results are kept.
  bytesResult: 210,
  // Processor time, in µs: a row of an import that is new, one that is known; a request that reads; a submitted page.
  usNewRow: 22,
  usKnownRow: 11,
  usRead: 90,
  usWrite: 400,
  // Commands in Redis: a job; a second of a cell with one web process and one worker that do nothing.
  redisJob: 60,
  redisIdle: 9,
  // What one Redis does in a second on one processor.
  redisMax: 80_000,
  // Bytes that Litestream sends: for a new row, a known row, a small write.
  replicaNewRow: 148,
  replicaKnownRow: 0.1,
  replicaWrite: 3700,
  // Of each byte of a store, also of one that nobody uses, in each of its daily snapshots (147 MB for 403 MB). The retention of litestream.yml
  // (168h) keeps so many of them.
  replicaSnapshot: 0.365,
  snapshotsKept: 8,
  // How fast stores come back from their replica, in bytes a second (100 MB/s from a local disk); how fast `verify` checks them; and how
  // long the processes need.
  restoreBytes: 60e6,
  verifyBytes: 40e6,
  restoreSeconds: 5,
};

/** Assumed: change what is not so. */
const assumed = {
  participants: 100e6,
  workspaces: 1000,
  // The larger, the more unequal workspaces are (the sigma of a lognormal distribution). The largest has no more than that.
  inequality: 1.5,
  maxWorkspace: 5e6,
  // Each night each roster comes as a FULL_SYNC, within so many hours; so many rows of it are new or changed.
  nightHours: 6,
  changed: 0.01,
  // In a year a participant opens so many sessions. The busiest hour has so much of a day.
  sessionsYear: 2,
  busiestHour: 0.12,
  // For each session: requests that read, and pages that are sent. For each workspace: reads of the API in a second, while people work.
  readsSession: 6,
  pagesSession: 3,
  readsWorkspace: 2,
  // A machine of a cell: processors, disk, and how much of them is to be used.
  cores: 4,
  diskGB: 500,
  maxBusy: 0.5,
  maxFull: 0.6,
  // After the loss of its machine a cell must be back within so many minutes.
  maxRestoreMinutes: 30,
  // Of these: until somebody, or a monitor, is sure that it is lost; and until another machine is there with the code.
  detectSeconds: 60,
  machineSeconds: 180,
  // For how many nights results are kept; and room for undo data, WALs, plans and a restore.
  resultNights: 7,
  overhead: 1.3,
  // Prices a month: a machine; a GB in the replica; Redis and the proxy, two of each.
  serverMonth: 60,
  replicaGBMonth: 0.02,
  sharedMonth: 160,
  seed: 1,
};

const values = { ...measured, ...assumed };
for (const argument of process.argv.slice(2)) {
  const [name, text] = argument.split("=");
  if (!(name in values) || !Number.isFinite(Number(text))) {
    process.stderr.write(`${argument}: write name=number, with a name of:\n  ${Object.keys(values).join(", ")}\n`);
    process.exit(2);
  }
  values[name] = Number(text);
}
const is = values;

/** Numbers from 0 to 1 that are the same at each run (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The participants of each workspace: few are large. */
function sizes() {
  const random = randomFrom(is.seed);
  const weights = Array.from({ length: is.workspaces }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(is.inequality * normal);
  });
  // What the largest may not have goes to the others.
  let given = weights.map(() => 0);
  for (let round = 0; round < 50; round++) {
    const free = weights.map((weight, index) => (given[index] < is.maxWorkspace ? weight : 0));
    const sum = free.reduce((a, b) => a + b, 0);
    const left = is.participants - given.reduce((a, b) => a + b, 0);
    if (left < 1 || sum === 0) break;
    given = given.map((had, index) => Math.min(is.maxWorkspace, had + (left * free[index]) / sum));
  }
  return given;
}

/** What a workspace asks of its cell. Processor time is in processors, on average over the time in which it comes. */
function loadOf(participants) {
  const sessionsSecond = (participants * is.sessionsYear * is.busiestHour) / 365 / 3600;
  const pages = is.readsSession * is.usRead + is.pagesSession * is.usWrite;
  const rows = participants * (is.changed * is.usNewRow + (1 - is.changed) * is.usKnownRow);
  const sessionsYear = participants * is.sessionsYear;
  const stored = participants * is.bytesParticipant + sessionsYear * is.bytesSession;
  const nightBytes = participants * (is.changed * is.replicaNewRow + (1 - is.changed) * is.replicaKnownRow);
  return {
    participants,
    stored,
    bytes: is.overhead * (stored + participants * is.bytesResult * is.resultNights),
    day: (sessionsSecond * pages + is.readsWorkspace * is.usRead) / 1e6,
    night: rows / 1e6 / (is.nightHours * 3600),
    replicaDay:
      nightBytes + ((participants * is.sessionsYear) / 365) * is.pagesSession * is.replicaWrite + stored * is.replicaSnapshot,
  };
}

const RESOURCES = ["stored", "bytes", "day", "night", "replicaDay", "workspaces"];

/** How long a lost cell is away, in seconds. */
const fixedSeconds = is.detectSeconds + is.machineSeconds + is.restoreSeconds;
const secondsOfByte = 1 / is.restoreBytes + 1 / is.verifyBytes;

/** What a cell may take of each. */
const limits = {
  stored: (is.maxRestoreMinutes * 60 - fixedSeconds) / secondsOfByte,
  bytes: is.diskGB * 1e9 * is.maxFull,
  day: is.cores * is.maxBusy,
  night: is.cores * is.maxBusy,
};

/** 1: nothing more fits into the cell. */
const fullness = (cell) => Math.max(...Object.entries(limits).map(([name, limit]) => cell[name] / limit));

/** Gives each workspace, the largest first, to the cell that is least full. @returns as few cells as can hold them all */
function assign(loads) {
  const sorted = [...loads].sort((one, other) => fullness(other) - fullness(one));
  if (fullness(sorted[0]) > 1) {
    process.stderr.write("The largest workspace does not fit into a cell.\n");
    process.exit(1);
  }
  for (let count = 1; ; count++) {
    const cells = Array.from({ length: count }, () => Object.fromEntries(RESOURCES.map((name) => [name, 0])));
    for (const load of sorted) {
      const cell = cells.reduce((one, other) => (fullness(one) <= fullness(other) ? one : other));
      for (const name of RESOURCES) cell[name] += name === "workspaces" ? 1 : load[name];
    }
    if (cells.every((cell) => fullness(cell) <= 1)) return cells;
  }
}

const loads = sizes().map(loadOf);
const cells = assign(loads);
const sum = (name) => cells.reduce((total, cell) => total + cell[name], 0);
const most = (name) => Math.max(...cells.map((cell) => cell[name]));
const largest = loads.reduce((one, other) => (one.participants > other.participants ? one : other));
const number = (value, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits });
const gb = (bytes) => `${number(bytes / 1e9)} GB`;

// Jobs: one import a night for each workspace; and in the day one for each that it publishes, undoes or opens. Ten are plenty.
const jobsSecond = (is.workspaces * 11) / 86_400;
const nightJobs = is.workspaces / (is.nightHours * 3600);
const redis = cells.length * is.redisIdle + Math.max(jobsSecond, nightJobs) * is.redisJob;
const restore = most("stored") * secondsOfByte + fixedSeconds;
const writtenDay = sum("replicaDay") - sum("stored") * is.replicaSnapshot;
// Snapshots, and what was written between them.
const kept = is.snapshotsKept * sum("replicaDay");
const month = cells.length * is.serverMonth + is.sharedMonth + (kept / 1e9) * is.replicaGBMonth;

const rows = [
  ["Participants, in workspaces", `${number(is.participants)} in ${number(is.workspaces)}`],
  ["The largest workspace", `${number(largest.participants)} participants, ${gb(largest.bytes)}`],
  ["Cells", `${cells.length}, each with ${is.cores} processors and ${is.diskGB} GB`],
  ["Workspaces in a cell", `${Math.min(...cells.map((one) => one.workspaces))} to ${most("workspaces")}`],
  ["The largest cell: disk", `${gb(most("bytes"))} of ${is.diskGB} GB`],
  ["– processors at night", `${number(most("night"), 2)} of ${is.cores}`],
  ["– processors in the busiest hour", `${number(most("day"), 2)} of ${is.cores}`],
  ["How full cells are, by what is scarcest", `${number(100 * Math.min(...cells.map(fullness)))} to ${number(100 * Math.max(...cells.map(fullness)))} % of what they may be`],
  ["An import of the largest workspace", `${number((largest.night * is.nightHours * 3600) / 60, 1)} minutes of one processor`],
  ["Redis", `${number(redis)} commands a second, ${number((100 * redis) / is.redisMax, 1)} % of one processor`],
  ["Replicated", `${gb(writtenDay)} a day of what is written, and ${gb(sum("stored") * is.replicaSnapshot)} of snapshots; ${gb(kept)} kept`],
  ["– the busiest cell", `${number((most("replicaDay") / 86_400) * 8 / 1e6, 2)} Mbit/s on average`],
  ["A lost machine: its cell is back after", `${number(restore / 60, 1)} minutes; the others notice nothing`],
  ["Cost", `${number(month)} a month, ${number((month / is.participants) * 1e6, 2)} for a million participants`],
];
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
