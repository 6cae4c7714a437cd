-- Where backups by schedule go: into another directory one is taken at once.
-- Expands.
-- null: none was taken since this is known.
ALTER TABLE installation ADD COLUMN backup_dir TEXT;
