-- Results have a budget in bytes, and jobs are listed by the time at which they were accepted.

-- What is kept of the job's result takes this many bytes. NULL: nothing is kept, or it is not measured yet.
ALTER TABLE job ADD COLUMN result_bytes INTEGER;

-- The kept results, oldest first.
CREATE INDEX job_results ON job (finished_at) WHERE result_bytes IS NOT NULL;

-- The sum of `result_bytes`: a worker looks at it after every job.
CREATE TABLE result_total (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO result_total (id, bytes) VALUES (1, 0);

CREATE TRIGGER job_result_changed AFTER UPDATE OF result_bytes ON job WHEN new.result_bytes IS NOT old.result_bytes
BEGIN
  UPDATE result_total SET bytes = bytes + coalesce(new.result_bytes, 0) - coalesce(old.result_bytes, 0);
END;

CREATE TRIGGER job_result_deleted AFTER DELETE ON job WHEN old.result_bytes IS NOT NULL
BEGIN
  UPDATE result_total SET bytes = bytes - old.result_bytes;
END;

-- The order of the list, and all that it is filtered by: a row may be long, and is read only to be shown.
DROP INDEX job_list;
CREATE INDEX job_list ON job (workspace_id, created_at, status, kind, screener_uid);
