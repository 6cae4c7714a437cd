// What the package `screening-client` exports: what a program that uses the API needs.

export {
  type AnswerOf,
  type BodyOf,
  type CallOptions,
  Client,
  type ClientOptions,
  createClient,
  type Ending,
  type ItemOf,
  type ListPath,
  type Method,
  type PathOf,
} from "./client.ts";
export type { Bytes } from "./compress.ts";
export { ApiError, type ProblemCode } from "./error.ts";
export { ImportJob, type ImportSettings, type ImportSource, importParticipants } from "./import.ts";
export { type Waiting, waitForJob } from "./jobs.ts";
export type * from "./types.ts";
