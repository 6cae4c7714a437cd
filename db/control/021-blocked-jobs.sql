-- A job that was tried in vain for long held all jobs behind it. Such a job is set aside: the others go on, and it is tried
-- every hour. `tried_ms` is how long it was tried, by clocks that only rise; `gave_way` says that a job has let those before it,
-- which are set aside, have one more try.
-- Expands.

ALTER TABLE job ADD COLUMN tried_ms INTEGER NOT NULL DEFAULT 0;

ALTER TABLE job ADD COLUMN blocked_since INTEGER;

ALTER TABLE job ADD COLUMN blocked_code TEXT;

ALTER TABLE job ADD COLUMN gave_way INTEGER NOT NULL DEFAULT 0;

-- Almost always empty.
CREATE INDEX job_blocked ON job (workspace_id, id) WHERE blocked_since IS NOT NULL AND finished_at IS NULL;
