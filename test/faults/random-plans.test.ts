// The random plans of the suite, for as long as it takes to send some hundred payloads. RANDOM_RUNS=26 sends more than a thousand.

process.env.RANDOM_RUNS ??= "10";
await import("../api/import-plans-random.test.ts");
