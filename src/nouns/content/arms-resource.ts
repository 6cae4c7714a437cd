// The arms in a content: their JSON, and what authors send. Ids, labels and conditions are checked later (draft-arms.ts).

import * as v from "valibot";
import { closedObject, requiredText, shortArray, uuid } from "../../base/schemas.ts";
import { condition, conditionView, label } from "../question-types/entries.ts";
import { MAX_ARMS } from "./content.ts";

const NO_ARMS = "must have at least one arm";

const PICKS = ["LEAST_FULL", "RANDOM"] as const;

export const AssignmentView = v.pipe(
  v.object({
    id: uuid,
    name: v.string(),
    pick: v.picklist(PICKS),
    arms: v.array(v.pipe(v.object({ id: uuid, name: v.string(), when: conditionView }), v.title("ScreenerContentArm"))),
  }),
  v.title("ScreenerArmAssignment"),
);

const arm = { id: label, name: requiredText(200), when: v.optional(condition) };

const assignment = {
  id: label,
  name: requiredText(200),
  pick: v.pipe(
    v.optional(v.nullable(v.picklist(PICKS, "must be LEAST_FULL or RANDOM"))),
    v.description("`LEAST_FULL` (the default): an arm that the fewest sessions have. `RANDOM`: any, by even chance"),
  ),
};

export const ArmInput = v.pipe(closedObject(arm), v.title("ScreenerArmInput"));

export const AssignmentInput = v.pipe(
  closedObject({ ...assignment, arms: shortArray(ArmInput, MAX_ARMS, NO_ARMS) }),
  v.title("ScreenerArmAssignmentInput"),
);

/** The same without what is in the arms. */
export const AssignmentShell = closedObject({
  ...assignment,
  arms: shortArray(v.unknown(), MAX_ARMS, NO_ARMS),
});
