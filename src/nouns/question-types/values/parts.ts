// Finds rows and columns of a matrix by their ids or texts, as requests name them.

import { idOf } from "../../../base/schemas.ts";

interface Part {
  id: string;
  text: string;
}

export class Parts {
  readonly #byId: ReadonlyMap<unknown, Part>;
  readonly #byText: ReadonlyMap<unknown, Part>;

  constructor(parts: readonly Part[]) {
    this.#byId = new Map(parts.map((part) => [part.id, part]));
    this.#byText = new Map(parts.map((part) => [part.text, part]));
  }

  find(id: unknown, text: unknown): Part | "unknown" | "mismatched" {
    const part = typeof id === "string" ? this.#byId.get(idOf(id)) : this.#byText.get(text);
    if (!part) return "unknown";
    return typeof text === "string" && text !== part.text ? "mismatched" : part;
  }
}
