// The random imports of the suite, for as long as it takes to plan, apply and undo more than a thousand of each.

process.env.RANDOM_RUNS ??= "60";
await import("../api/import-plans-random.test.ts");
await import("../api/import-undo-random.test.ts");
