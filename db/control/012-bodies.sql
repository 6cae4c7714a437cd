-- Short bodies of jobs. Longer ones are in the spool.
CREATE TABLE job_body (
  job_uid TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_body_ended AFTER UPDATE OF status ON job
WHEN new.finished_at IS NOT NULL AND new.status <> 'PLANNED'
BEGIN
  DELETE FROM job_body WHERE job_uid = new.uid;
END;

CREATE TRIGGER job_body_deleted AFTER DELETE ON job
BEGIN
  DELETE FROM job_body WHERE job_uid = old.uid;
END;
