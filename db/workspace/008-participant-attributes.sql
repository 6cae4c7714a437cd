-- Participants get attributes: what customers know of them, by key. The keys are also kept by themselves, because a table
-- of participants has a column for each, and its first line is sent before the participants are read.

ALTER TABLE participant ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';

CREATE TABLE participant_attribute (
  key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
