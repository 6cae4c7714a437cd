// The routes of a study's pages.

import { setOutcome, showAnswersOf } from "./answers/session-handlers.ts";
import { showAnswers } from "./answers/table-handlers.ts";
import { askAnswersErasure, eraseAnswers, showWithdrawn } from "./answers/withdrawn-handlers.ts";
import { readDraft, readLastChange, saveDraft, sendImage, showBuild } from "./build/handlers.ts";
import { MAX_CONTENT_FORM_BYTES, replaceContent, saveContent, showContentForm } from "./content/handlers.ts";
import { showDownload } from "./downloads/handlers.ts";
import { showFeasibility } from "./feasibility/handlers.ts";
import {
  applyFile,
  changeLanguages,
  deleteLanguage,
  MAX_TABLE_FORM_BYTES,
  saveTable,
  sendFile,
  showLanguages,
  showTable,
  takeFile,
} from "./languages/handlers.ts";
import { compose, MAX_MESSAGE_FORM_BYTES, showMessages } from "./messages/compose.ts";
import { applyPlan, changeMailing, sendMessages, showMailing, showPlan } from "./messages/handlers.ts";
import { compareVersions } from "./publish/compare-handlers.ts";
import { publishStudy, restoreVersion, showPublish } from "./publish/handlers.ts";
import { changeQuota, sendArms, sendPlaces, sendQuotas, showQuota, showQuotas } from "./quotas/handlers.ts";
import { sendTable, showResults } from "./results/handlers.ts";
import { planMany, review, showReview } from "./review/handlers.ts";
import { revokeLink, sendCode, share, showShare } from "./share/handlers.ts";
import type { ConsoleRoute } from "./shell/request.ts";
import { askDeletion, deleteStudy } from "./study/deletion.ts";
import { archiveStudy, changeSignals, changeStudy, duplicateStudy, showStudy } from "./study/handlers.ts";
import { MAX_TRY_FORM_BYTES, showPreview, showTry, takeTry } from "./try/handlers.ts";
import { deleteTestLinks, openTestLink } from "./try/test-links.ts";

const path = "/console/studies/:id";

export const studyPages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "viewer", handle: showStudy },
  { method: "post", path, role: "researcher", handle: changeStudy },
  { method: "post", path: `${path}/signals`, role: "researcher", handle: changeSignals },
  { method: "post", path: `${path}/archive`, role: "researcher", handle: archiveStudy },
  { method: "get", path: `${path}/delete`, role: "admin", handle: askDeletion },
  { method: "post", path: `${path}/delete`, role: "admin", handle: deleteStudy },
  { method: "post", path: `${path}/duplicate`, role: "researcher", handle: duplicateStudy },
  { method: "get", path: `${path}/content.json`, role: "viewer", handle: saveContent },
  { method: "get", path: `${path}/content`, role: "researcher", handle: showContentForm },
  {
    method: "post",
    path: `${path}/content`,
    role: "researcher",
    maxFormBytes: MAX_CONTENT_FORM_BYTES,
    handle: replaceContent,
  },
  { method: "get", path: `${path}/build`, role: "researcher", hasScript: true, handle: showBuild },
  { method: "get", path: `${path}/versions`, role: "researcher", handle: compareVersions },
  { method: "get", path: `${path}/results`, role: "viewer", handle: showResults },
  { method: "get", path: `${path}/answers`, role: "viewer", handle: showAnswers },
  { method: "get", path: `${path}/answers.csv`, role: "viewer", handle: sendTable },
  { method: "get", path: `${path}/download`, role: "viewer", handle: showDownload },
  { method: "get", path: `${path}/answers/:session`, role: "viewer", handle: showAnswersOf },
  { method: "post", path: `${path}/answers/:session`, role: "researcher", handle: setOutcome },
  { method: "get", path: `${path}/review`, role: "researcher", handle: showReview },
  { method: "post", path: `${path}/review`, role: "researcher", handle: review },
  { method: "post", path: `${path}/review/many`, role: "researcher", handle: planMany },
  { method: "get", path: `${path}/withdrawn`, role: "viewer", handle: showWithdrawn },
  { method: "get", path: `${path}/answers/:session/erase`, role: "admin", handle: askAnswersErasure },
  { method: "post", path: `${path}/answers/:session/erase`, role: "admin", handle: eraseAnswers },
  { method: "get", path: `${path}/quotas`, role: "viewer", handle: showQuotas },
  { method: "get", path: `${path}/feasibility`, role: "viewer", handle: showFeasibility },
  { method: "get", path: `${path}/quotas.csv`, role: "viewer", handle: sendQuotas },
  { method: "get", path: `${path}/arms.csv`, role: "viewer", handle: sendArms },
  { method: "get", path: `${path}/quotas/:quota`, role: "viewer", handle: showQuota },
  { method: "post", path: `${path}/quotas/:quota`, role: "researcher", handle: changeQuota },
  { method: "get", path: `${path}/quotas/:quota/places.csv`, role: "viewer", handle: sendPlaces },
  { method: "get", path: `${path}/draft`, role: "researcher", isJson: true, handle: readDraft },
  { method: "get", path: `${path}/last-change`, role: "researcher", isJson: true, handle: readLastChange },
  { method: "post", path: `${path}/draft`, role: "researcher", isJson: true, handle: saveDraft },
  { method: "post", path: `${path}/images`, role: "researcher", isJson: true, handle: sendImage },
  { method: "get", path: `${path}/preview`, role: "researcher", handle: showPreview },
  { method: "get", path: `${path}/try`, role: "viewer", handle: showTry },
  { method: "post", path: `${path}/try`, role: "viewer", maxFormBytes: MAX_TRY_FORM_BYTES, handle: takeTry },
  { method: "post", path: `${path}/test-links`, role: "researcher", handle: openTestLink },
  { method: "post", path: `${path}/test-links/deletion`, role: "researcher", handle: deleteTestLinks },
  { method: "get", path: `${path}/languages`, role: "researcher", handle: showLanguages },
  { method: "post", path: `${path}/languages`, role: "researcher", handle: changeLanguages },
  { method: "get", path: `${path}/languages/:language`, role: "researcher", handle: showTable },
  {
    method: "post",
    path: `${path}/languages/:language`,
    role: "researcher",
    maxFormBytes: MAX_TABLE_FORM_BYTES,
    handle: saveTable,
  },
  { method: "get", path: `${path}/languages/:language/file`, role: "researcher", handle: sendFile },
  {
    method: "post",
    path: `${path}/languages/:language/file`,
    role: "researcher",
    takesFile: true,
    handle: takeFile,
  },
  {
    method: "post",
    path: `${path}/languages/:language/changes`,
    role: "researcher",
    maxFormBytes: MAX_TABLE_FORM_BYTES,
    handle: applyFile,
  },
  { method: "post", path: `${path}/languages/:language/deletion`, role: "researcher", handle: deleteLanguage },
  { method: "get", path: `${path}/messages`, role: "researcher", handle: showMessages },
  {
    method: "post",
    path: `${path}/messages`,
    role: "researcher",
    maxFormBytes: MAX_MESSAGE_FORM_BYTES,
    handle: compose,
  },
  { method: "get", path: `${path}/messages/plans/:job`, role: "researcher", handle: showPlan },
  { method: "post", path: `${path}/messages/plans/:job`, role: "researcher", handle: applyPlan },
  { method: "get", path: `${path}/messages/:mailing`, role: "researcher", handle: showMailing },
  { method: "post", path: `${path}/messages/:mailing`, role: "researcher", handle: changeMailing },
  { method: "get", path: `${path}/messages/:mailing/messages.csv`, role: "researcher", handle: sendMessages },
  { method: "get", path: `${path}/share`, role: "researcher", handle: showShare },
  { method: "post", path: `${path}/share`, role: "researcher", handle: share },
  { method: "get", path: `${path}/share/:link/qr.svg`, role: "researcher", handle: sendCode },
  { method: "post", path: `${path}/share/:link/revocation`, role: "researcher", handle: revokeLink },
  { method: "get", path: `${path}/publish`, role: "researcher", handle: showPublish },
  { method: "post", path: `${path}/publish`, role: "researcher", handle: publishStudy },
  { method: "post", path: `${path}/versions/:publication/restore`, role: "researcher", handle: restoreVersion },
];
