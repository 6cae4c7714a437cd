-- Bodies and results have budgets in bytes for each workspace.

-- What the job's body takes in the spool. NULL: it has none, or an earlier release took it.
ALTER TABLE job ADD COLUMN spooled_bytes INTEGER;

-- The bodies that are still needed.
CREATE INDEX job_spooled ON job (workspace_id, spooled_bytes)
  WHERE spooled_bytes IS NOT NULL AND (finished_at IS NULL OR status = 'PLANNED');

-- The sum of `result_bytes` of each workspace: a worker looks at it after every job.
CREATE TABLE workspace_results (
  workspace_id INTEGER PRIMARY KEY REFERENCES workspace,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO workspace_results (workspace_id, bytes)
SELECT workspace_id, sum(result_bytes) FROM job WHERE result_bytes IS NOT NULL GROUP BY workspace_id;

CREATE TRIGGER workspace_result_changed AFTER UPDATE OF result_bytes ON job WHEN new.result_bytes IS NOT old.result_bytes
BEGIN
  INSERT INTO workspace_results (workspace_id, bytes)
  VALUES (new.workspace_id, coalesce(new.result_bytes, 0) - coalesce(old.result_bytes, 0))
  ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER workspace_result_deleted AFTER DELETE ON job WHEN old.result_bytes IS NOT NULL
BEGIN
  UPDATE workspace_results SET bytes = bytes - old.result_bytes WHERE workspace_id = old.workspace_id;
END;
