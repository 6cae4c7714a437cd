-- Backups by schedule: for which time of the schedule one was taken last, which process takes one, and when that began. Times in ms since 1970.
-- Expands.
ALTER TABLE installation ADD COLUMN backup_for INTEGER;
ALTER TABLE installation ADD COLUMN backup_runner TEXT;
ALTER TABLE installation ADD COLUMN backup_begun_at INTEGER;
