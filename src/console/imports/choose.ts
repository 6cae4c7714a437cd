// Choosing what is imported into a study: a file or pasted cells, then what its columns are. It ends with a plan, which is a job.

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { DATE_ORDERS, DECIMALS } from "../../attribute-types/values.ts";
import { newId } from "../../base/ids.ts";
import { Problem } from "../../base/problems.ts";
import { MEDIA_TYPES } from "../../http/wire/formats.ts";
import type { Reply } from "../../http/wire/reply.ts";
import type { Preview } from "../../imports/read/preview.ts";
import { SentFile } from "../shell/calls.ts";
import { page, redirect, signedIn, type VisitorRequest } from "../shell/request.ts";
import { shownAgain } from "../shell/shown-again.ts";
import { studyFrame } from "../study/handlers.ts";
import { type Choice, type ChosenFile, ChosenFiles } from "./chosen-files.ts";
import {
  faultsOfTargets,
  guessDates,
  guessDecimals,
  guessTargets,
  matchedBy,
  READING,
  readTargets,
} from "./columns.ts";
import { renderImport, type StudyImports } from "./import-page.tsx";
import { renderMapping } from "./mapping-page.tsx";
import { chooseSheet, previewOf, readChosen } from "./read-chosen.ts";

/** Instead of a file that is only named. */
const EMPTY = Readable.from([]);

const NO_ROWS: Preview = { columns: [], rows: [] };
const SHOWN_JOBS = 20;

export function chosenFilesOf({ context, visitor }: VisitorRequest): ChosenFiles {
  return new ChosenFiles(context.config, visitor.workspace_uid);
}

/** GET of a study's imports: those that are not finished, and a form for a new one. */
export async function showImport(request: VisitorRequest): Promise<Reply> {
  return importPage(request, 200, {});
}

async function importPage(
  request: VisitorRequest,
  status: number,
  { fault, pasted = "" }: { fault?: string; pasted?: string },
): Promise<Reply> {
  const { calls, token } = request;
  const { frame, screener } = await studyFrame(request);
  const kinds = ["SCREENER_PARTICIPANTS_IMPORT", "SCREENER_PARTICIPANTS_IMPORT_UNDO", "SCREENER_SESSIONS_OPENING"];
  const query = [
    `sort=-createdAt&pagination[limit]=${SHOWN_JOBS}&filter[screenerId][eq]=${screener.id}`,
    ...kinds.map((kind) => `filter[kind][in][]=${kind}`),
  ].join("&");
  const { items: jobs } = await calls.get("listJobs", { query });
  const count = (operation: "listScreenerParticipants" | "listScreenerSessions", filter = "") =>
    calls.total(operation, { query: `filter[screenerId][eq]=${screener.id}${filter}` });
  const view: StudyImports = {
    token,
    screener: { id: screener.id, isPublished: screener.activePublicationId !== null },
    files: (await chosenFilesOf(request).of(screener.id)).filter(({ jobId }) => jobId === undefined),
    jobs,
    assigned: await count("listScreenerParticipants"),
    links: await count("listScreenerSessions", "&filter[status][eq]=ACTIVE"),
    fault,
    pasted: shownAgain(pasted),
    openingKey: newId(),
    curl: calls.curl("importScreenerParticipants", {
      query: `screenerId=${screener.id}&dryRun=true&onRowError=SKIP`,
      body: new SentFile("text/csv", EMPTY),
    }),
  };
  return page(status, renderImport(frame, view));
}

/** POST of a file, or of pasted cells. */
export async function takeFile(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, file, params, visitor } = request;
  const screener = await calls.get("getScreener", { id: params.id! });
  const pasted = () => fields("pasted");
  const refuse = (fault: string) => {
    file?.bytes.resume();
    return importPage(request, 422, { fault, pasted: pasted() });
  };
  if (!file && !/\S/.test(pasted())) return refuse("Choose a file, or paste cells.");
  const about = { screenerId: screener.id, by: visitor.user_name };
  const files = chosenFilesOf(request);
  let id: string | undefined;
  try {
    id = file
      ? await files.take({ ...about, name: file.name.slice(0, MAX_NAME_CHARACTERS) }, file.bytes)
      : await files.take({ ...about, name: "Pasted cells" }, await bytesOf(pasted()));
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return refuse(error.document.detail);
    throw error;
  }
  // The field with the cells comes after the file.
  await file?.rest;
  if (file && /\S/.test(pasted())) {
    if (id !== undefined) await files.remove(id);
    return refuse("Choose a file, or paste cells. Not both.");
  }
  if (id === undefined) return refuse("The file is empty.");
  const fault = await readChosen(request.context, files, id);
  if (fault === undefined) return redirect(`${base}/console/files/${id}`);
  await files.remove(id);
  return refuse(fault);
}

const MAX_NAME_CHARACTERS = 200;

/** The bytes of what was pasted. To read it as a text and to write it are two turns of the loop: it may have megabytes. */
async function bytesOf(pasted: string): Promise<Buffer> {
  await setImmediate();
  // Cells that are copied have no line end behind the last one.
  return Buffer.from(pasted.endsWith("\n") ? pasted : `${pasted}\n`);
}

/** GET of what the columns of a chosen file are. */
export async function showMapping(request: VisitorRequest): Promise<Reply> {
  const chosen = await chosenFilesOf(request).get(request.params.id!);
  return mappingPage(request, chosen, 200, {});
}

async function mappingPage(
  request: VisitorRequest,
  chosen: ChosenFile,
  status: number,
  { choice, faults = new Map(), problem }: { choice?: Choice; faults?: Map<number, string>; problem?: Problem },
): Promise<Reply> {
  const { base, calls, token } = request;
  const screener = await calls.get("getScreener", { id: chosen.screenerId });
  const preview = (await previewOf(chosenFilesOf(request), chosen)) ?? NO_ROWS;
  const shown: Choice = choice ??
    chosen.choice ?? {
      importMode: "UPDATES_ONLY",
      targets: guessTargets(preview.columns),
      decimals: guessDecimals(preview),
      dates: guessDates(preview),
    };
  const view = {
    token,
    chosen,
    title: screener.title,
    preview,
    choice: shown,
    typed: (await calls.get("getWorkspaceAttributes")).attributes,
    faults,
    problem: problem?.document,
    key: newId(),
    curl: calls.curl("importScreenerParticipants", {
      query: queryOf(chosen, preview, shown),
      body: new SentFile(typeOf(chosen), EMPTY),
    }),
  };
  return page(status, renderMapping(base, signedIn(request), view));
}

/** POST of what the columns are: has the import planned. */
export async function planFile(request: VisitorRequest): Promise<Reply> {
  const { base, calls, fields, params } = request;
  const files = chosenFilesOf(request);
  const chosen = await files.get(params.id!);
  const choice: Choice = {
    importMode: fields("mode") === "FULL_SYNC" ? "FULL_SYNC" : "UPDATES_ONLY",
    includesJoined: fields("joined") === "yes",
    targets: readTargets(fields.all("column")),
    decimals: DECIMALS.find((one) => one === fields("decimals")) ?? "POINT",
    dates: DATE_ORDERS.find((one) => one === fields("dates")) ?? "YMD",
    isReadRightly: fields("isReadRightly") === "yes",
  };
  const faults = faultsOfTargets(choice.targets);
  if (chosen.examples && !choice.isReadRightly) faults.set(READING, "Choose whether these words are right.");
  if (faults.size) return mappingPage(request, chosen, 422, { choice, faults });
  const preview = (await previewOf(files, chosen)) ?? NO_ROWS;
  const bytes = createReadStream(files.path(chosen.id));
  try {
    const { headers } = await calls.send("importScreenerParticipants", {
      query: queryOf(chosen, preview, choice),
      headers: { prefer: "respond-async", "idempotency-key": fields("key") || newId() },
      body: new SentFile(typeOf(chosen), bytes),
    });
    const jobId = jobOf(headers);
    await files.note({ ...chosen, choice, jobId });
    return redirect(`${base}/console/jobs/${jobId}`);
  } catch (error) {
    if (error instanceof Problem && error.document.jobId) {
      await files.note({ ...chosen, choice, jobId: error.document.jobId });
      return redirect(`${base}/console/jobs/${error.document.jobId}`);
    }
    if (error instanceof Problem && error.status < 500)
      return mappingPage(request, chosen, 422, { choice, problem: error });
    throw error;
  } finally {
    bytes.destroy();
  }
}

/** POST of the sheet of a workbook that is read. */
export async function takeSheet(request: VisitorRequest): Promise<Reply> {
  const { base, context, fields, params } = request;
  const files = chosenFilesOf(request);
  const { id } = await files.get(params.id!);
  const detail = await chooseSheet(context, files, id, fields("sheet"));
  if (detail === undefined) return redirect(`${base}/console/files/${id}`);
  return mappingPage(request, await files.get(id), 422, { problem: new Problem("invalid_request", { detail }) });
}

/** A workbook is sent as it is. */
const typeOf = ({ workbook }: ChosenFile) => MEDIA_TYPES[workbook ? "xlsx" : "csv"];

/** The id of the job that a reply names. */
export function jobOf(headers: Record<string, string>): string {
  return headers.Location!.slice("/jobs/".length);
}

/** POST: the file is not wanted any more. */
export async function discardFile(request: VisitorRequest): Promise<Reply> {
  const files = chosenFilesOf(request);
  const chosen = await files.get(request.params.id!);
  await files.remove(chosen.id);
  return redirect(`${request.base}/console/studies/${chosen.screenerId}/import`);
}

/** The query of the import's plan. What a column is without a choice is left out. */
function queryOf(
  { screenerId, workbook }: ChosenFile,
  { columns }: Preview,
  { importMode, includesJoined, targets, decimals, dates }: Choice,
): string {
  const guessed = guessTargets(columns);
  const chosen = columns.flatMap(({ heading, own }, at): [string, string][] => {
    const target = targets[at];
    // Where it is not what we had guessed, somebody means it.
    return target && heading && (target !== own || target !== guessed[at]) ? [[`columns[${heading}]`, target]] : [];
  });
  const settings = {
    ...{ screenerId, importMode, dryRun: "true", onRowError: "SKIP" },
    ...(importMode === "FULL_SYNC" && includesJoined && { includeJoined: "true" }),
    ...(workbook && { sheet: workbook.sheet }),
    ...(decimals === "COMMA" && { decimals }),
    ...(dates && dates !== "YMD" && { dates }),
    ...(matchedBy(targets) === "email" && { matchBy: "email" }),
  };
  return new URLSearchParams([...Object.entries(settings), ...chosen]).toString();
}
