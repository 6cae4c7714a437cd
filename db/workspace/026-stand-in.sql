-- Stand-in.
-- Expands.
CREATE TABLE stand_in (id INTEGER PRIMARY KEY) STRICT;
