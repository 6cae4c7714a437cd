-- An endpoint can get its events one after the other, in their order.
-- Expands.
ALTER TABLE webhook_endpoint ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0;

CREATE INDEX webhook_delivery_order ON webhook_delivery (webhook_endpoint_id, event_id) WHERE status = 'PENDING';
