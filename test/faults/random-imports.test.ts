// A thousand random imports: planned and applied, undone, with all kinds of things in between. The same tests run shorter in
// test/api.

process.env.RANDOM_RUNS = "250";

await import("../api/import-plans-random.test.ts");
await import("../api/import-undo-random.test.ts");
