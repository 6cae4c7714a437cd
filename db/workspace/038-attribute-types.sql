-- A workspace says what its attributes are: imports read numbers, dates and choices by that.
-- Expands.
CREATE TABLE attribute_types (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  json TEXT NOT NULL
) STRICT;
