// The templates that a new study can begin with, in the order in which they are shown.

import { customerInterview } from "./customer-interview.ts";
import { diaryStudy } from "./diary-study.ts";
import { medicalScreening } from "./medical-screening.ts";
import { panelProfile } from "./panel-profile.ts";
import type { Template } from "./template.ts";
import { usabilityTest } from "./usability-test.ts";

/** What the form sends for none of them. */
export const BLANK = "";

/** By what the form sends. */
export const TEMPLATES: ReadonlyMap<string, Template> = new Map(
  Object.entries({
    "customer-interview": customerInterview,
    "diary-study": diaryStudy,
    "medical-screening": medicalScreening,
    "panel-profile": panelProfile,
    "usability-test": usabilityTest,
  }),
);
