-- The jobs of a workspace in the order in which they were accepted, without sorting them for each page.

CREATE INDEX job_workspace ON job (workspace_id);
