// Loaded before a process's own code: makes it believe that it runs on an old Node.

Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
