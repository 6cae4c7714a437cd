// Checks and converts a parsed body by its schema, and reports all errors together.

import * as v from "valibot";
import { invalidRequest, type ProblemDetail } from "./problems.ts";
import { escapePointer } from "./text.ts";

/** @returns the body as its schema converts it. @throws Problem 400 with all errors */
export function checkBody<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  requireObject(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw invalidRequest(result.issues.map((issue) => detailOf(issue)));
}

/** @throws Problem 400 when `value` is not an object */
export function requireObject(value: unknown): asserts value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidRequest([{ pointer: "", message: "must be a JSON object" }]);
  }
}

/** The pointer (which begins with `base`) and the message of an issue. */
export function detailOf(issue: v.BaseIssue<unknown>, base = ""): ProblemDetail {
  return {
    pointer: base + (issue.path ?? []).map(({ key }) => `/${escapePointer(String(key))}`).join(""),
    message: messageOf(issue),
  };
}

/** The message of an issue. */
export function messageOf(issue: v.BaseIssue<unknown>): string {
  return issue.input === undefined ? "is required" : issue.message;
}
