// Which sessions are tests, for statements of several nouns.

/** A subquery for the rowids of test sessions. They are few, and an index has them. */
export const TEST_SESSIONS =
  "(SELECT x.id FROM screener_session AS x INDEXED BY screener_session_test WHERE x.is_test = 1)";
