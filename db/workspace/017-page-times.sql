-- How long each page of a session was open, in milliseconds, from when it was shown until it was sent: JSON by the page's place in the
-- publication, such as {"p0":5200}. A page that was sent again adds to its time. Null where answers came through the API alone.

ALTER TABLE screener_session ADD COLUMN page_times TEXT;
