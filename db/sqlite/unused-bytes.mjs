// What pages of a SQLite file have where nothing of theirs is: the gap between the pointers to their cells and the cells, and blocks that
// were freed. `secure_delete` overwrites what is deleted, but where SQLite builds a page anew from the cells that stay there, copies of
// those that went to other pages may be left in the gap.

/** The first bytes of a page of a b-tree, and how long its header is. @type {Record<number, number>} */
const HEADERS = { 2: 12, 5: 12, 10: 8, 13: 8 };

/** Those of a freed block say which is the next, and how long it is. */
const BLOCK_HEADER = 4;

/** SQLite has its locks there. */
const LOCK_BYTE = 0x40000000;

/** The number of a page that follows begins each page of a longer value: from so many pages on, it could look like a page of a b-tree. */
export const MAX_PAGES = 0x02000000;

const ZEROS = Buffer.alloc(65_536);

/**
 * The parts of a page that nothing uses and that are not zeros.
 * @param {Buffer} page
 * @param {number} usable how many of its bytes SQLite uses
 * @returns {[from: number, to: number][]} empty also of a page that is none of a b-tree
 */
export function unusedBytes(page, usable) {
  const header = HEADERS[page[0] ?? 0];
  if (header === undefined) return [];
  const cells = page.readUInt16BE(3);
  const from = header + 2 * cells;
  const to = page.readUInt16BE(5) || 65_536;
  if (to > usable || from > to) return [];
  for (let at = header; at < from; at += 2) {
    const cell = page.readUInt16BE(at);
    if (cell < to || cell >= usable) return [];
  }
  /** @type {[number, number][]} */
  const unused = [[from, to]];
  for (let block = page.readUInt16BE(1), last = to - 1; block > 0; last = block, block = page.readUInt16BE(block)) {
    // They come in their order.
    if (block <= last || block + BLOCK_HEADER > usable) return [];
    const end = block + page.readUInt16BE(block + 2);
    if (end < block + BLOCK_HEADER || end > usable) return [];
    unused.push([block + BLOCK_HEADER, end]);
  }
  return unused.filter(([start, end]) => page.compare(ZEROS, 0, end - start, start, end) !== 0);
}

/** @param {Buffer} head the first 100 bytes of the file @returns the size of its pages, and how many of their bytes SQLite uses */
export function sizesOf(head) {
  const size = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  return { size, usable: size - (head[20] ?? 0) };
}

/** Whether a page has none of a workspace's data. The first has the schema. @param {number} number @param {number} size */
export const hasNoData = (number, size) => number === 1 || number === Math.floor(LOCK_BYTE / size) + 1;
