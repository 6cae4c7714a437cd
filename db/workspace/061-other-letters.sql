-- Whom the index of the search for people does not have yet is compared: SQLite passes texts of ASCII alone by itself, and this index has the others.
-- Expands.

-- No words of people are in it: only a number, for those of whom a text has other letters (db/sqlite/words.ts).
CREATE INDEX participant_other_letters
ON participant (iif(octet_length(name) <> length(name) OR octet_length(email) <> length(email) OR octet_length(external_uid) <> length(external_uid), 1, NULL))
WHERE iif(octet_length(name) <> length(name) OR octet_length(email) <> length(email) OR octet_length(external_uid) <> length(external_uid), 1, NULL) IS NOT NULL;
