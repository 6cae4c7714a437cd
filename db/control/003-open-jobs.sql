-- SQLite preferred the index on all of a workspace's jobs to the one on its open jobs, and every import waited for that.

DROP INDEX job_workspace;
