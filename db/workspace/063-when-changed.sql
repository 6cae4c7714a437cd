-- Who asks what has changed since a moment is answered by indexes, not by a look at all: what a session's times say together, and the few
-- assignments that have changed after they were made. An import writes neither.
-- Expands.

-- As it stands in src/nouns/sessions/updated.ts.
CREATE INDEX screener_session_updated ON screener_session (
  max(created_at, coalesce(last_active_at, ''), coalesce(completed_at, ''), coalesce(withdrawn_at, ''), coalesce(answers_erased_at, ''), coalesce(changed_at, ''))
);

CREATE INDEX screener_participant_changed ON screener_participant (changed_at) WHERE changed_at IS NOT NULL;
