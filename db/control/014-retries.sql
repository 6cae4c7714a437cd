-- The trace of the request that made a job (W3C traceparent). And until when the body is kept of a job that failed for a
-- reason of the service's own, so that the operator can have it run again. It counts for the workspace's budget of the spool.
ALTER TABLE job ADD COLUMN trace_id TEXT;
-- Milliseconds since 1970. Only of a job with a body, and only while that is kept.
ALTER TABLE job ADD COLUMN body_until INTEGER;

-- When the operator has had it run again, in milliseconds since 1970: it waits since then.
ALTER TABLE job ADD COLUMN retried_at INTEGER;

CREATE INDEX job_kept ON job (workspace_id, finished_at) WHERE body_until IS NOT NULL;

DROP INDEX job_spooled;
CREATE INDEX job_spooled ON job (workspace_id, spooled_bytes)
  WHERE spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED' OR body_until IS NOT NULL);

DROP TRIGGER job_body_ended;
CREATE TRIGGER job_body_ended AFTER UPDATE OF status, body_until ON job
WHEN new.finished_at IS NOT NULL AND new.status <> 'PLANNED' AND new.body_until IS NULL
BEGIN
  DELETE FROM job_body WHERE job_uid = new.uid;
END;
