-- The origins of other sites that may show participants' pages in their frames.
-- Expands.

-- JSON: texts such as https://portal.example.org.
ALTER TABLE appearance ADD COLUMN frame_ancestors TEXT NOT NULL DEFAULT '[]';
