-- Pages, questions and options may be shown in an order by chance. It is not kept: it comes from the session's id.
-- Expands.

-- How orders are drawn: see SHUFFLE_VERSION.
ALTER TABLE screener_publication ADD COLUMN shuffle_version INTEGER NOT NULL DEFAULT 1;

-- The public id of the session whose orders a copy of it has. null: its own.
ALTER TABLE screener_session ADD COLUMN order_of TEXT;
