-- A person may set the outcome of a completed session. Then `outcome` and `outcome_reason` are what the person has set, and `override`
-- is JSON: what the rules had come to (`judged`), the `reason`, by whom (`createdBy`) and when (`createdAt`).

ALTER TABLE screener_session ADD COLUMN override TEXT;
