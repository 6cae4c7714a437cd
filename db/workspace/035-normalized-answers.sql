-- Answers of some kinds, such as phone numbers, are kept in a form that programs can compare, too, beside what was typed.
-- Expands.
ALTER TABLE screener_response ADD COLUMN normalized_answer TEXT;
