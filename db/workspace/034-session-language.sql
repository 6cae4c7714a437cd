-- A session knows the language in which it is answered.
-- Expands.
-- BCP 47: chosen on the page, or that of the first page that was sent. null: neither yet.
ALTER TABLE screener_session ADD COLUMN language TEXT;
