-- An erasure looks for the person in the reasons of overrides: few sessions of many have one.
-- Expands.
CREATE INDEX screener_session_override ON screener_session (id) WHERE override IS NOT NULL;
