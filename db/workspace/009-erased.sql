-- Participants can be erased. They still count for the quota of the publications that they have qualified by.

ALTER TABLE screener_publication ADD COLUMN erased_qualified INTEGER NOT NULL DEFAULT 0;
