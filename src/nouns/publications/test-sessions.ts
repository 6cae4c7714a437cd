// Which sessions are tests, for statements of several nouns.

const SELECT = "SELECT x.id FROM screener_session AS x INDEXED BY screener_session_test WHERE x.is_test = 1";

/** A subquery for the rowids of all test sessions. They are few, and an index has them. */
export const TEST_SESSIONS = `(${SELECT})`;

/** A subquery for those of a screener. @param screenerId SQL of its rowid */
export function testSessionsOf(screenerId: string): string {
  return `(${SELECT} AND x.screener_id = ${screenerId})`;
}
