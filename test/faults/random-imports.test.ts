// The random imports of the suite, for as long as it takes to send more than a thousand payloads.

process.env.RANDOM_RUNS ??= "26";
await import("../api/import-plans-random.test.ts");
await import("../api/import-undo-random.test.ts");
