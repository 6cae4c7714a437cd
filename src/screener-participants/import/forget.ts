// Removes what the scratch store of an import has of a person who is erased. The rows stay, without what names the person.

import { ERASED_MESSAGE, type Forget, quotedAs } from "../../jobs/person.ts";
import { each } from "./columns.ts";

export const forgetInImport: Forget = (file, { uid, externalUids, emails }) => {
  let changes = 0;
  const run: typeof file.run = (sql, ...values) => {
    const result = file.run(sql, ...values);
    changes += result.changes;
    return result;
  };
  const [names, mails] = [JSON.stringify(externalUids), JSON.stringify(emails)];
  file.exec("CREATE TEMP TABLE erased (id INTEGER PRIMARY KEY) STRICT");
  run(
    `INSERT INTO erased (id) SELECT id FROM plan WHERE participant_uid = ? OR removed_external_uid IN (SELECT value FROM json_each(?))
     UNION SELECT id FROM stage WHERE external_uid IN (SELECT value FROM json_each(?))`,
    uid,
    names,
    names,
  );
  const rows = "IN (SELECT id FROM erased)";
  run(`DELETE FROM stage WHERE id ${rows}`);
  run(
    `UPDATE plan SET participant_id = NULL, participant_uid = NULL, ${each((column) => `kept_${column} = NULL`)},
       assignment_uid = NULL, status = NULL, session_uid = NULL, removed_external_uid = NULL WHERE id ${rows}`,
  );
  run("UPDATE stage SET email = NULL WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(?))", mails);
  run("UPDATE plan SET kept_email = NULL WHERE kept_email COLLATE NOCASE IN (SELECT value FROM json_each(?))", mails);
  run(
    `UPDATE row_error SET json = json_object('pointer', json ->> 'pointer', 'message', ?, 'row', json -> 'row')
     WHERE row ${rows} OR json ->> 'heldBy' IN (SELECT value FROM json_each(?))
       OR (json ->> 'value') COLLATE NOCASE IN (SELECT value FROM json_each(?))`,
    ERASED_MESSAGE,
    JSON.stringify(externalUids.map(quotedAs)),
    JSON.stringify(emails.map(quotedAs)),
  );
  if (file.value("SELECT 1 FROM sqlite_schema WHERE name = 'wrong_attributes'") !== undefined)
    run(`DELETE FROM wrong_attributes WHERE id ${rows}`);
  return changes > 0;
};
