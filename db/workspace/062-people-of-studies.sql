-- A search for words that very many people have reads who is in a study, in the order of its assignments: this index has them, in half of the time
-- that it takes with the table. The order of its rows stays the same.
-- Expands.

DROP INDEX screener_participant_screener;
CREATE INDEX screener_participant_screener ON screener_participant (screener_id, id, participant_id);
