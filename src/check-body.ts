// Reads what a caller sent as its schema says, or tells all that is wrong with it.

import * as v from "valibot";
import { invalidRequest, type ProblemDetail } from "./problems.ts";
import { escapePointer } from "./text.ts";

/** Reads a body as its schema says. @throws Problem 400 with everything that is wrong */
export function checkBody<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  requireObject(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw invalidRequest(result.issues.map((issue) => detailOf(issue)));
}

/** @throws Problem 400 */
export function requireObject(value: unknown): asserts value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidRequest([{ pointer: "", message: "must be a JSON object" }]);
  }
}

/** Where an issue is, below `base`, and what it is. */
export function detailOf(issue: v.BaseIssue<unknown>, base = ""): ProblemDetail {
  return {
    pointer: base + (issue.path ?? []).map(({ key }) => `/${escapePointer(String(key))}`).join(""),
    message: issue.input === undefined ? "is required" : issue.message,
  };
}
