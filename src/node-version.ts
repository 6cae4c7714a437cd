// Imported first by every entry point: an older Node would crash at the first open of a store, without a word.

const NEEDED = 24;
const found = process.versions.node;
if (Number(found.split(".")[0]) < NEEDED) {
  process.stderr.write(
    `This service needs Node ${NEEDED} or later, and this is Node ${found}: start it through npm (npm start, npm run …), ` +
      "which brings the right one with it.\n",
  );
  process.exit(1);
}
