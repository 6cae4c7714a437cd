-- Rowids come again when the last rows are removed. So an undo finds people and assignments by their ids.

ALTER TABLE effect_assignment ADD COLUMN participant_uid TEXT;

ALTER TABLE effect DROP COLUMN assignments_after;

ALTER TABLE effect DROP COLUMN assignments_to;
