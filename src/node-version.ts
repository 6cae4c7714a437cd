// Imported first by every entry point: an older Node would crash at the first open of a store, without a word, or know
// no UUIDv7.

const NEEDED = "24.16";
const found = process.versions.node;
const [major = 0, minor = 0] = found.split(".").map(Number);
if (major + minor / 1000 < 24.016) {
  process.stderr.write(
    `This service needs Node ${NEEDED} or later, and this is Node ${found}: start it through npm (npm start, npm run …), ` +
      "which brings the right one with it.\n",
  );
  process.exit(1);
}
