-- Stores from before the installation's row was part of 001 lack it when only the command line has used them.

INSERT OR IGNORE INTO installation (id, uid, checked_at) VALUES (1, lower(hex(randomblob(16))), 0);
