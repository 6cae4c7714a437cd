// Imported first, by all that starts a process: an older Node crashes without a message when it opens the first store, or has no UUIDv7.

const NEEDED = "24.16";
const found = process.versions.node;
const [major = 0, minor = 0] = found.split(".").map(Number);
if (major + minor / 1000 < 24.016) {
  process.stderr.write(
    `This service needs Node ${NEEDED} or later, and this is Node ${found}: start it through npm (npm start, npm run …), ` +
      "which uses the project's own Node.\n",
  );
  process.exit(1);
}
