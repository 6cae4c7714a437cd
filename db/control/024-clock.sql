-- A clock that jumps ahead would have everything removed that is kept for a time. `checked_at` is when a process last saw the
-- clock. `clock_before` is when that was before it was found more than a day ahead, and `clock_ahead_at` when that was found.
-- Expands.

ALTER TABLE installation ADD COLUMN clock_before INTEGER;

ALTER TABLE installation ADD COLUMN clock_ahead_at INTEGER;
