-- A target counts the participants who have qualified, and one may have done so in several sessions: with the participant
-- in the index, each is met once, in order, without a look at the table.

DROP INDEX screener_session_publication;
CREATE INDEX screener_session_publication ON screener_session (screener_publication_id, outcome, participant_id);
