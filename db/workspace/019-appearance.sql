-- How the workspace's pages for participants look: an accent colour, links, and a logo, which the service has made anew from the pixels of
-- the file that was sent.

CREATE TABLE appearance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  accent_color TEXT,
  privacy_url TEXT,
  contact_url TEXT,
  -- SHA-256 of its bytes, in hexadecimal, cut to 32 characters: its file name.
  logo_hash TEXT,
  logo_width INTEGER,
  logo_height INTEGER,
  logo_bytes BLOB
) STRICT;
