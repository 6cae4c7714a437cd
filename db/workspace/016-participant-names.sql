-- People are searched by how their names begin. A large import drops this index, and it is built again when the import has ended
-- (db/late-index.ts).

CREATE INDEX participant_name ON participant (name COLLATE NOCASE);
