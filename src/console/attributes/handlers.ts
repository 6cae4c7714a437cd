// The page where an admin says what the attributes of people are.

import { listKnown } from "../../attribute-types/queries.ts";
import { Problem } from "../../base/problems.ts";
import type { WorkspaceAttributes, WorkspaceAttributesInput } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type ConsoleRoute, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderAttributes, type TypedAttribute } from "./page.tsx";

const path = "/console/attributes";

export const attributePages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => show(request, {}) },
  { method: "post", path, role: "admin", handle: save },
];

/** Empty rows for attributes that nobody has yet. */
const EMPTY_ROWS = 2;
const EMPTY: TypedAttribute = { key: "", label: "", type: "", values: "", about: "" };

async function show(
  request: VisitorRequest,
  more: { typed?: TypedAttribute[]; faults?: ReadonlyMap<number, string>; problem?: string; isSaved?: boolean },
): Promise<Reply> {
  const { base, calls, context, visitor } = request;
  const known = context.workspaces.read(visitor.workspace_uid, listKnown);
  const rows = known.map(
    ({ key, label, type = "", values = [], examples, isHad }): TypedAttribute => ({
      ...{ key, label: label ?? "", type, values: values.join("\n") },
      about: isHad ? examples.join(", ") : "Nobody has it yet.",
    }),
  );
  const { typed, faults = new Map(), problem, isSaved = false } = more;
  const view = {
    rows: typed ?? [...rows, ...Array.from({ length: EMPTY_ROWS }, () => EMPTY)],
    tag: tagOf(await calls.get("getWorkspaceAttributes")),
    faults,
    problem,
    isSaved,
    curl: calls.curl("getWorkspaceAttributes"),
  };
  return page(faults.size || problem !== undefined ? 422 : 200, renderAttributes(base, signedIn(request), view));
}

/** What was there when the page was made: whoever saves it must not lose what somebody else has saved since. */
function tagOf(attributes: WorkspaceAttributes): string {
  return JSON.stringify(attributes);
}

/** POST: all of it, or nothing. */
async function save(request: VisitorRequest): Promise<Reply> {
  const { calls, fields } = request;
  const [keys, labels, types, values] = ["key", "label", "type", "values"].map((name) => fields.all(name));
  const typed = keys!.map(
    (key, index): TypedAttribute => ({
      ...{ key: key.trim(), label: labels![index] ?? "", type: types![index] ?? "" },
      ...{ values: values![index] ?? "", about: "" },
    }),
  );
  if (fields("tag") !== tagOf(await calls.get("getWorkspaceAttributes")))
    return show(request, {
      typed,
      problem: "Somebody else has changed the types meanwhile. Look at the page again before you save.",
    });
  const said = typed.flatMap((one, row) => (one.type === "" ? [] : [{ ...one, row }]));
  const attributes = said.map(({ key, label, type, values: lines }) => ({
    key,
    label: label.trim() || null,
    type,
    values: type === "CHOICE" ? lines.split("\n").filter((line) => line.trim()) : null,
  })) as WorkspaceAttributesInput["attributes"];
  try {
    await calls.send("putWorkspaceAttributes", { body: { attributes } });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    const faults = new Map(
      (error.document.errors ?? []).map(({ pointer, message }) => {
        const [, , index, member = ""] = pointer.split("/");
        return [said[Number(index)]?.row ?? 0, `${MEMBERS[member] ?? "This"} ${message}`] as const;
      }),
    );
    return show(request, { typed, faults });
  }
  return show(request, { isSaved: true });
}

const MEMBERS: Record<string, string> = { key: "The key", label: "The name", type: "The type", values: "The list" };
