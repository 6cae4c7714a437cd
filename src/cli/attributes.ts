// The commands of indexes on attributes.

import { type Command, InvalidArgumentError } from "commander";
import { attributeKeys, isAttributeKey } from "../base/attributes.ts";
import { counted } from "../languages/counted.ts";
import { createAttributeIndex, dropAttributeIndex, listIndexedAttributes } from "../nouns/participants/queries.ts";
import { causedByOperator, changeStore } from "./running/change.ts";
import { NotFound, ofWorkspace, requiredText } from "./running/command.ts";

export function addAttributes(program: Command): void {
  const attribute = program.command("attribute").description("Indexes on attributes of participants, for filters");
  const withKey = (c: Command) => c.argument("<key>", "key of the attribute", attributeKey);
  ofWorkspace(
    attribute,
    "index",
    "Make filters by an attribute fast. Writes to the workspace wait meanwhile: 1 to 3 seconds for a million participants",
    withKey,
    (store, { uid }, [text], { note }) => {
      const key = attributeKey(text);
      const participants = changeStore(store, uid, causedByOperator(note), (db, record) => {
        const { participants, isNew } = createAttributeIndex(db, key);
        const resource = { type: "Workspace", uid };
        if (isNew) record({ type: "attribute-index.created", resource, summary: { key, participants } });
        return participants;
      });
      return {
        json: { key, participants },
        lines: [`indexed ${key}, which ${counted(participants, "participant has", "participants have")}`],
      };
    },
  );
  ofWorkspace(
    attribute,
    "list",
    "List the keys of attributes, and which of them are indexed",
    (c) => c,
    ({ workspaces }, { uid }) => {
      const { keys, indexed } = workspaces.read(uid, (db) => ({
        keys: attributeKeys(db),
        indexed: listIndexedAttributes(db),
      }));
      const all = [...new Set([...keys, ...indexed])].map((key) => ({ key, isIndexed: indexed.includes(key) }));
      return { json: all, lines: all.map(({ key, isIndexed }) => `${key}${isIndexed ? "  indexed" : ""}`) };
    },
  );
  ofWorkspace(attribute, "unindex", "Remove the index on an attribute", withKey, (store, { uid }, [text], { note }) => {
    const key = attributeKey(text);
    changeStore(store, uid, causedByOperator(note), (db, record) => {
      if (!dropAttributeIndex(db, key)) throw new NotFound(`The workspace has no index on ${key}.`);
      record({ type: "attribute-index.removed", resource: { type: "Workspace", uid }, summary: { key } });
    });
    return { json: { key }, lines: [`removed the index on ${key}`] };
  });
}

function attributeKey(text: string | undefined): string {
  const key = requiredText(text);
  if (!isAttributeKey(key)) throw new InvalidArgumentError("It must have at most 100 characters.");
  return key;
}
