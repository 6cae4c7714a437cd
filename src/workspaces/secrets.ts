// Secrets. Only their hashes are stored. A fast hash is enough, because a secret has 256 random bits and can't be guessed.

import { hash } from "node:crypto";

export function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
