// The types of the API: made from its description by `npm run client`. Do not change this file by hand.

/** The version of the API that these types describe. */
export const API_VERSION = "1.0.0";

export type Actor = {
  _type: "ApplicationActor" | "TenantUserActor" | (string & {});
  id: string;
  name: string;
};

export type ScreenerSignalsView = {
  hurried: {
    share: number;
  } | null;
  straightLines: {
    minRows: number;
  } | null;
  sameText: {
    minLength: number;
  } | null;
  attentionCheck: { [key: string]: never } | null;
  contradiction: { [key: string]: never } | null;
  sameEmail: { [key: string]: never } | null;
  sameBrowser: { [key: string]: never } | null;
  sameAddress: {
    minSessions: number;
  } | null;
  hiddenField: { [key: string]: never } | null;
};

export type Screener = {
  _type: "Screener";
  id: string;
  title: string | null;
  description: string | null;
  activePublicationId: string | null;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
  acceptance: "OPEN" | "PAUSED" | "CLOSED";
  opensAt: string | null;
  closesAt: string | null;
  timeZone: string;
  linkExpiresAt: string | null;
  quotaHoldMinutes: number;
  review: "NONE" | "ALL" | "SIGNALS";
  archived: boolean;
  signals: ScreenerSignalsView;
};

export type PaginatedScreener = {
  _type: "PaginatedScreener";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: Screener[];
};

export type ProblemError = {
  /** A JSON pointer into the body, or the name of the query parameter or header */
  pointer: string;
  message: string;
  /** The number of the row, from 1 on */
  row?: number;
  /** The row's first line in a file */
  line?: number;
  externalUid?: string;
  value?: string | number | boolean | null;
  /** The externalUid of the participant who has the value */
  heldBy?: string;
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: "unauthenticated" | "invalid_request" | "unsupported_api_version" | "insufficient_scope" | "route_not_found" | "method_not_allowed" | "not_acceptable" | "workspace_suspended" | "request_timeout" | "screener_not_found" | "screener_publication_not_found" | "participant_not_found" | "screener_participant_not_found" | "screener_session_not_found" | "event_not_found" | "webhook_endpoint_not_found" | "webhook_delivery_not_found" | "job_not_found" | "screener_quota_not_found" | "screener_link_not_found" | "screener_link_revoked" | "screener_link_limit" | "embedding_conflict" | "mail_suppression_not_found" | "image_not_found" | "image_limit" | "signing_key_missing" | "workspace_not_sandbox" | "sandbox_sends_no_mail" | "mail_not_configured" | "mail_signature_invalid" | "translation_not_found" | "translations_incomplete" | "draft_incomplete" | "quota_rule_changed" | "external_uid_taken" | "email_taken" | "screener_not_published" | "confirmation_required" | "webhook_endpoint_disabled" | "webhook_endpoint_limit" | "webhook_replay_limit" | "screener_closed" | "link_expired" | "test_session_limit" | "session_closed" | "session_completed" | "session_not_withdrawn" | "participant_note_not_found" | "user_not_found" | "last_admin" | "user_without_account" | "operators_only" | "participant_request_not_found" | "session_not_completed" | "session_not_reviewed" | "quota_reached" | "job_not_finished" | "job_not_succeeded" | "job_not_cancellable" | "job_not_retryable" | "job_cancelled" | "job_overtaken" | "removal_limit_exceeded" | "mailing_not_found" | "mailing_ended" | "recipient_limit_exceeded" | "row_count_differs" | "plan_outdated" | "plan_expired" | "plan_superseded" | "job_not_planned" | "job_not_undoable" | "event_gone" | "undo_gone" | "job_result_gone" | "precondition_failed" | "body_too_large" | "result_too_large" | "unsupported_media_type" | "too_many_sessions" | "export_too_large" | "idempotency_key_reused" | "import_budget_exceeded" | "too_many_requests" | "headers_too_large" | "internal_error" | "job_crashed" | "job_lost" | "job_body_lost" | "result_damaged" | "workspace_moving" | "cell_away" | "store_busy" | "store_full" | "store_refused" | "store_migrating" | "store_unavailable" | (string & {});
  errors?: ProblemError[];
  /** The number of all errors, which may be more than `errors` has */
  errorCount?: number;
  supportedVersions?: string[];
  /** Of removal_limit_exceeded: how many would be removed */
  removals?: number;
  /** Of how many */
  assignments?: number;
  maxRemovals?: number | string;
  /** Of row_count_differs: how many rows the payload has */
  rows?: number;
  /** How many it should have */
  expectedRows?: number;
  /** The job that failed or was cancelled */
  jobId?: string;
  requestId: string;
};

/** One member for each kind. Null or missing: it is off. What is sent replaces all of them */
export type ScreenerSignals = {
  hurried?: {
    /** Of the version's own median of a page: who is faster, hurries */
    share?: number;
  } | null;
  straightLines?: {
    /** Of a matrix: with fewer rows, nothing is said */
    minRows?: number;
  } | null;
  sameText?: {
    /** In letters and digits: shorter texts may be the same by chance */
    minLength?: number;
  } | null;
  attentionCheck?: { [key: string]: never } | null;
  contradiction?: { [key: string]: never } | null;
  sameEmail?: { [key: string]: never } | null;
  sameBrowser?: { [key: string]: never } | null;
  sameAddress?: {
    /** From how many sessions of one block of addresses on: a household or an office has one, too */
    minSessions?: number;
  } | null;
  hiddenField?: { [key: string]: never } | null;
};

export type NewScreener = {
  title: string;
  description?: string | null;
  acceptance?: "OPEN" | "PAUSED" | "CLOSED";
  opensAt?: string | null;
  closesAt?: string | null;
  /** The IANA name of a time zone */
  timeZone?: string;
  linkExpiresAt?: string | null;
  quotaHoldMinutes?: number;
  review?: "NONE" | "ALL" | "SIGNALS";
  signals?: ScreenerSignals;
};

export type ScreenerChange = {
  title?: string | null;
  description?: string | null;
  archived?: boolean;
  acceptance?: "OPEN" | "PAUSED" | "CLOSED";
  opensAt?: string | null;
  closesAt?: string | null;
  /** The IANA name of a time zone */
  timeZone?: string;
  linkExpiresAt?: string | null;
  quotaHoldMinutes?: number;
  review?: "NONE" | "ALL" | "SIGNALS";
  signals?: ScreenerSignals;
};

export type ScreenerAttentionCheck = {
  when: Condition;
};

export type ScreenerTextQuestion = {
  _type: "ScreenerTextQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  multiline: boolean;
  minLength: number | null;
  maxLength: number | null;
  format?: "EMAIL" | "PHONE" | "POSTCODE" | "URL" | "DIGITS";
  pattern?: string;
  patternMessage?: string;
};

export type ScreenerNumericQuestion = {
  _type: "ScreenerNumericQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  min: number | null;
  max: number | null;
  wholeNumber: boolean;
};

export type ScreenerOption = {
  id: string;
  text: string;
  fixed?: true;
};

export type ScreenerSingleSelectQuestion = {
  _type: "ScreenerSingleSelectQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  options: ScreenerOption[];
  allowsWriteIn: boolean;
  /** The list is shown in an order by chance */
  shuffle?: true;
  /** Missing: LIST */
  display?: "LIST" | "MENU";
};

export type ScreenerMultiOption = {
  id: string;
  text: string;
  fixed?: true;
  exclusive?: true;
};

export type ScreenerMultiSelectQuestion = {
  _type: "ScreenerMultiSelectQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  options: ScreenerMultiOption[];
  allowsWriteIn: boolean;
  /** The list is shown in an order by chance */
  shuffle?: true;
  minChoices: number | null;
  maxChoices: number | null;
};

export type ScreenerScaleQuestion = {
  _type: "ScreenerScaleQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  look: "NUMBERS" | "STARS" | "NPS";
  from: number;
  to: number;
  lowLabel: string | null;
  highLabel: string | null;
};

/** A day, a month or a year of the Gregorian calendar */
export type ScreenerDate = string;

/** The day that is so far from the day on which the session was started, in the time zone of the study */
export type ScreenerDateFromToday = {
  /** An ISO 8601 duration of years, months, weeks and days, with a sign, of at most 200 years. 29 February becomes 28 February in a year without it */
  today: string;
};

export type ScreenerDateQuestion = {
  _type: "ScreenerDateQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  precision: "DAY" | "MONTH" | "YEAR";
  min: ScreenerDate | ScreenerDateFromToday | null;
  max: ScreenerDate | ScreenerDateFromToday | null;
};

export type ScreenerRankingQuestion = {
  _type: "ScreenerRankingQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  options: ScreenerOption[];
  rankAtLeast: number | null;
  rankAtMost: number | null;
  /** The list is shown in an order by chance */
  shuffle?: true;
};

export type ScreenerMatrixRow = {
  id: string;
  text: string;
  fixed?: true;
};

export type ScreenerMatrixColumn = {
  id: string;
  text: string;
};

export type ScreenerMatrixQuestion = {
  _type: "ScreenerMatrixQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  rows: ScreenerMatrixRow[];
  columns: ScreenerMatrixColumn[];
  multiple: boolean;
  requireEachRow: boolean;
  /** The list is shown in an order by chance */
  shuffle?: true;
};

export type ScreenerConsentQuestion = {
  _type: "ScreenerConsentQuestion";
  id: string;
  key: string | null;
  prompt: string;
  helpText: string | null;
  required: boolean;
  showWhen: Condition | null;
  fixed?: true;
  text: string;
  version: string | null;
  withdrawText: string | null;
  declinedText: string | null;
};

/** Missing where there is none */
export type StatementImage = {
  id: string;
  alternativeText: string;
  width: number;
  height: number;
};

export type ScreenerStatement = {
  _type: "ScreenerStatement";
  id: string;
  /** Null, and no image: a line */
  text: string | null;
  image?: StatementImage;
  showWhen: Condition | null;
  fixed?: true;
};

export type ScreenerQuestion = ScreenerTextQuestion | ScreenerNumericQuestion | ScreenerSingleSelectQuestion | ScreenerMultiSelectQuestion | ScreenerScaleQuestion | ScreenerDateQuestion | ScreenerRankingQuestion | ScreenerMatrixQuestion | ScreenerConsentQuestion | ScreenerStatement;

export type ScreenerPage = {
  _type: "ScreenerPage";
  id: string;
  title: string | null;
  description: string | null;
  showWhen: Condition | null;
  disqualifyWhen: Condition | null;
  attentionCheck?: ScreenerAttentionCheck;
  contradictsWhen?: Condition;
  questions: ScreenerQuestion[];
  /** Its questions are shown in an order by chance */
  shuffle?: true;
  /** The block whose pages stand next to each other, and are shown in an order by chance */
  shuffleBlock?: string;
  /** It keeps its position in the block */
  fixed?: true;
};

export type ThankYouByOutcome = {
  QUALIFIED?: string;
  DISQUALIFIED?: string;
  UNKNOWN?: string;
};

/** Missing where nobody is led anywhere */
export type RedirectByOutcome = {
  QUALIFIED?: string;
  DISQUALIFIED?: string;
  UNKNOWN?: string;
};

export type ScreenerContentQuota = {
  id: string;
  name: string;
  when: Condition | null;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  ending: {
    at: "NOW" | "END";
    thankYou: string | null;
    redirect: string | null;
  };
};

export type ScreenerContentArm = {
  id: string;
  name: string;
  when: Condition | null;
};

export type ScreenerArmAssignment = {
  id: string;
  name: string;
  pick: "LEAST_FULL" | "RANDOM";
  arms: ScreenerContentArm[];
};

export type IncompleteError = {
  pointer: string;
  message: string;
};

export type IncompletePiece = {
  /** Where it stands in the draft */
  pointer: string;
  /** As it was sent, with the ids that it has */
  value: unknown;
  errors: IncompleteError[];
};

export type ScreenerContent = {
  _type: "ScreenerContent";
  screenerId: string;
  /** How prompts, help, titles and texts of pages, and closing texts are read. They are shown here as they were written */
  markup: "PLAIN" | "MARKDOWN";
  /** The language of its texts, as BCP 47 names it. Missing: `en` */
  language?: string;
  pages: ScreenerPage[];
  qualifyWhen: Condition | null;
  thankYou: string | null;
  thankYouByOutcome: ThankYouByOutcome | null;
  redirectByOutcome?: RedirectByOutcome;
  signRedirects?: true;
  /** Missing where there are none */
  quotas?: ScreenerContentQuota[];
  /** Of each a session is given one arm. Missing where there are none */
  assignments?: ScreenerArmAssignment[];
  /** Only beside `incomplete`, so that both can be sent back */
  allowIncomplete?: true;
  /** What is missing or wrong keeps it out of the rest. Missing where all is complete */
  incomplete?: IncompletePiece[];
};

export type ScreenerOptionInput = {
  id?: string | null;
  text: string;
  fixed?: boolean | null;
};

export type ScreenerMultiOptionInput = {
  id?: string | null;
  text: string;
  fixed?: boolean | null;
  exclusive?: boolean | null;
};

export type ScreenerMatrixRowInput = {
  id?: string | null;
  text: string;
  fixed?: boolean | null;
};

export type ScreenerMatrixColumnInput = {
  id?: string | null;
  text: string;
};

export type ScreenerTextQuestionInput = {
  _type: "ScreenerTextQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  multiline?: boolean | null;
  minLength?: number | null;
  maxLength?: number | null;
  format?: "EMAIL" | "PHONE" | "POSTCODE" | "URL" | "DIGITS" | null;
  pattern?: string | null;
  patternMessage?: string | null;
};

export type ScreenerNumericQuestionInput = {
  _type: "ScreenerNumericQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  min?: number | null;
  max?: number | null;
  wholeNumber?: boolean | null;
};

export type ScreenerSingleSelectQuestionInput = {
  _type: "ScreenerSingleSelectQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  options: ScreenerOptionInput[];
  allowsWriteIn?: boolean | null;
  shuffle?: boolean | null;
  display?: "LIST" | "MENU" | null;
};

export type ScreenerMultiSelectQuestionInput = {
  _type: "ScreenerMultiSelectQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  options: ScreenerMultiOptionInput[];
  allowsWriteIn?: boolean | null;
  shuffle?: boolean | null;
  minChoices?: number | null;
  maxChoices?: number | null;
};

export type ScreenerScaleQuestionInput = {
  _type: "ScreenerScaleQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  look?: "NUMBERS" | "STARS" | "NPS" | null;
  from?: number | null;
  to?: number | null;
  lowLabel?: string | null;
  highLabel?: string | null;
};

export type ScreenerDateQuestionInput = {
  _type: "ScreenerDateQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  precision?: "DAY" | "MONTH" | "YEAR" | null;
  min?: ScreenerDate | ScreenerDateFromToday | null;
  max?: ScreenerDate | ScreenerDateFromToday | null;
};

export type ScreenerRankingQuestionInput = {
  _type: "ScreenerRankingQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  options: ScreenerOptionInput[];
  rankAtLeast?: number | null;
  rankAtMost?: number | null;
  shuffle?: boolean | null;
};

export type ScreenerMatrixQuestionInput = {
  _type: "ScreenerMatrixQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  rows: ScreenerMatrixRowInput[];
  columns: ScreenerMatrixColumnInput[];
  multiple?: boolean | null;
  requireEachRow?: boolean | null;
  shuffle?: boolean | null;
};

export type ScreenerConsentQuestionInput = {
  _type: "ScreenerConsentQuestion";
  id?: string | null;
  key?: string | null;
  prompt: string;
  helpText?: string | null;
  required?: boolean | null;
  showWhen?: Condition | null;
  /** It keeps its position where the page's questions are shuffled */
  fixed?: boolean | null;
  text: string;
  version?: string | null;
  withdrawText?: string | null;
  declinedText?: string | null;
};

export type StatementImageInput = {
  /** Ignored, so that what was read can be sent back */
  width?: unknown;
  /** Ignored, so that what was read can be sent back */
  height?: unknown;
  /** Of an image of the workspace */
  id: string;
  alternativeText: string;
};

export type ScreenerStatementInput = {
  _type: "ScreenerStatement";
  id?: string | null;
  /** Without it and without an image, it is a line */
  text?: string | null;
  image?: StatementImageInput | null;
  showWhen?: Condition | null;
  fixed?: boolean | null;
};

export type ScreenerQuestionInput = ScreenerTextQuestionInput | ScreenerNumericQuestionInput | ScreenerSingleSelectQuestionInput | ScreenerMultiSelectQuestionInput | ScreenerScaleQuestionInput | ScreenerDateQuestionInput | ScreenerRankingQuestionInput | ScreenerMatrixQuestionInput | ScreenerConsentQuestionInput | ScreenerStatementInput;

/** Where it holds at the end, the person has not read what is asked: a signal for those who review. It decides nothing */
export type ScreenerAttentionCheckInput = {
  when: Condition | null;
};

export type ScreenerPageInput = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  id?: string | null;
  title?: string | null;
  description?: string | null;
  showWhen?: Condition | null;
  disqualifyWhen?: Condition | null;
  attentionCheck?: ScreenerAttentionCheckInput | null;
  /** Where it holds at the end, answers contradict each other or an attribute: a signal. It decides nothing */
  contradictsWhen?: Condition | null;
  shuffle?: boolean | null;
  shuffleBlock?: string | null;
  fixed?: boolean | null;
  questions: ScreenerQuestionInput[];
};

export type IncompletePieceInput = {
  pointer: string;
  value: unknown;
  /** Ignored, so that what was read can be sent back */
  errors?: unknown;
};

export type QuotaEndingInput = {
  at?: "NOW" | "END" | null;
  thankYou?: string | null;
  redirect?: string | null;
};

export type ScreenerContentQuotaInput = {
  id?: string | null;
  name: string;
  when?: Condition | null;
  mode?: "LIMIT" | "COUNT" | null;
  limit?: number | null;
  ending?: QuotaEndingInput | null;
};

export type ScreenerArmInput = {
  id?: string | null;
  name: string;
  when?: Condition | null;
};

export type ScreenerArmAssignmentInput = {
  id?: string | null;
  name: string;
  /** `LEAST_FULL` (the default): an arm that the fewest sessions have. `RANDOM`: any, by even chance */
  pick?: "LEAST_FULL" | "RANDOM" | null;
  arms: ScreenerArmInput[];
};

/** Holds when all of these hold. */
export type AllCondition = {
  all: Condition[];
};

/** Holds when one of these holds. */
export type AnyCondition = {
  any: Condition[];
};

/** Holds when this does not hold. */
export type NotCondition = {
  not: Condition;
};

/** Holds when there is an answer (true), or none (false). For any question. */
export type AnsweredCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  answered: boolean;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when the answer is this. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option. */
export type EqualsCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  equals: string | number;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when the answer is one of these. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option. */
export type OneOfCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  oneOf: (string | number)[];
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when the text has this piece, in upper or lower case; or when this option (its id or label) is among those chosen. For text, multi select and ranking questions. */
export type ContainsCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  contains: string;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds where `equals` does not: also when there is no answer. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option. */
export type IsNotCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  isNot: string | number;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds where `oneOf` does not: also when there is no answer. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option. */
export type NoneOfCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  noneOf: (string | number)[];
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds where `contains` does not: also when there is no answer. For text, multi select and ranking questions. */
export type NotContainsCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  notContains: string;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when the answer is below this number. For numeric and scale questions. */
export type LessThanCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  lessThan: number;
};

/** Holds when the answer is this number or below. For numeric and scale questions. */
export type AtMostCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  atMost: number;
};

/** Holds when the answer is above this number. For numeric and scale questions. */
export type GreaterThanCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  greaterThan: number;
};

/** Holds when the answer is this number or above. For numeric and scale questions. */
export type AtLeastCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  atLeast: number;
};

/** Holds when so many options are chosen, or more. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. */
export type ChosenAtLeastCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  chosenAtLeast: number;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when so many options are chosen, or fewer. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. */
export type ChosenAtMostCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  chosenAtMost: number;
  /** Of matrix questions: the row that is compared, by its id (or its label, in the request that makes it), as a select whose options are the columns */
  row?: string;
};

/** Holds when the date is before this one. With a month or a year only if it is certain. For date questions. */
export type BeforeCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  before: ScreenerDate | ScreenerDateFromToday;
};

/** Holds when the date is after this one. With a month or a year only if it is certain. For date questions. */
export type AfterCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  after: ScreenerDate | ScreenerDateFromToday;
};

/** Holds when the date is this one, or before it. With a month or a year only if it is certain. For date questions. */
export type OnOrBeforeCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  onOrBefore: ScreenerDate | ScreenerDateFromToday;
};

/** Holds when the date is this one, or after it. With a month or a year only if it is certain. For date questions. */
export type OnOrAfterCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  onOrAfter: ScreenerDate | ScreenerDateFromToday;
};

/** Holds when somebody who was born on the date is this old, or older, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. */
export type AgeAtLeastCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  ageAtLeast: number;
};

/** Holds when somebody who was born on the date is younger than this, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. */
export type AgeBelowCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  ageBelow: number;
};

/** Holds when this option (its id or label) is ranked first. For ranking questions. */
export type FirstCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  first: string;
};

/** Holds when the option has this rank or a better one: 1 is the best. For ranking questions. */
export type RankedAtMostCondition = {
  /** The question's id; or its label, in the request that makes it */
  questionId: string;
  rankedAtMost: {
    /** An option by its id (or its label, in the request that makes it) */
    optionId: string;
    rank: number;
  };
};

/** Holds when the participant has this attribute (true), or lacks it (false). */
export type AttributeExistsCondition = {
  attribute: string;
  exists: boolean;
};

/** Holds when the attribute is this: a text, a number, true or false. 42 and the text 42 are the same. */
export type AttributeIsCondition = {
  attribute: string;
  is: string | number | boolean;
};

/** The same as `is`. */
export type AttributeEqualsCondition = {
  attribute: string;
  equals: string | number | boolean;
};

/** Holds when the attribute is one of these. */
export type AttributeOneOfCondition = {
  attribute: string;
  oneOf: (string | number | boolean)[];
};

/** Holds when the attribute is a text that has this piece, in upper or lower case. */
export type AttributeContainsCondition = {
  attribute: string;
  contains: string;
};

/** Holds where `is` does not: also when the participant lacks the attribute. */
export type AttributeIsNotCondition = {
  attribute: string;
  isNot: string | number | boolean;
};

/** Holds where `oneOf` does not: also when the participant lacks the attribute. */
export type AttributeNoneOfCondition = {
  attribute: string;
  noneOf: (string | number | boolean)[];
};

/** Holds where `contains` does not: also when the participant lacks the attribute. */
export type AttributeNotContainsCondition = {
  attribute: string;
  notContains: string;
};

/** Holds when the attribute is a number, or a text like -7.5, and below this number. */
export type AttributeLessThanCondition = {
  attribute: string;
  lessThan: number;
};

/** Holds when the attribute is a number, or a text like -7.5, and this number or below. */
export type AttributeAtMostCondition = {
  attribute: string;
  atMost: number;
};

/** Holds when the attribute is a number, or a text like -7.5, and above this number. */
export type AttributeGreaterThanCondition = {
  attribute: string;
  greaterThan: number;
};

/** Holds when the attribute is a number, or a text like -7.5, and this number or above. */
export type AttributeAtLeastCondition = {
  attribute: string;
  atLeast: number;
};

/** Holds when the session was given this arm (`is`) of this assignment (`arm`). */
export type ArmCondition = {
  /** Its id; or its label, in the request that makes it */
  arm: string;
  /** Its id; or its label, in the request that makes it */
  is: string;
};

/** A rule over answers, attributes and arms: combined conditions, or a comparison with exactly one operator. It may refer only to questions that come before its own position. A question that was not shown, or was skipped, is not answered, and no comparison with it holds; nor does one with an attribute that the participant lacks, or with an arm before the session is given one. But isNot, noneOf, notContains are the exact opposites of other operators, as `not` around these is, and hold then. A condition has at most 200 parts, nested at most 10 deep; all conditions of a content together have at most 10000 parts. */
export type Condition = AllCondition | AnyCondition | NotCondition | AnsweredCondition | EqualsCondition | OneOfCondition | ContainsCondition | IsNotCondition | NoneOfCondition | NotContainsCondition | LessThanCondition | AtMostCondition | GreaterThanCondition | AtLeastCondition | ChosenAtLeastCondition | ChosenAtMostCondition | BeforeCondition | AfterCondition | OnOrBeforeCondition | OnOrAfterCondition | AgeAtLeastCondition | AgeBelowCondition | FirstCondition | RankedAtMostCondition | AttributeExistsCondition | AttributeIsCondition | AttributeEqualsCondition | AttributeOneOfCondition | AttributeContainsCondition | AttributeIsNotCondition | AttributeNoneOfCondition | AttributeNotContainsCondition | AttributeLessThanCondition | AttributeAtMostCondition | AttributeGreaterThanCondition | AttributeAtLeastCondition | ArmCondition;

export type ThankYouByOutcomeInput = {
  QUALIFIED?: string | null;
  DISQUALIFIED?: string | null;
  UNKNOWN?: string | null;
};

export type RedirectByOutcomeInput = {
  QUALIFIED?: string | null;
  DISQUALIFIED?: string | null;
  UNKNOWN?: string | null;
};

export type ScreenerContentInput = {
  pages: ScreenerPageInput[];
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  screenerId?: unknown;
  /** Ignored, so that what was read can be sent back */
  screenerPublicationId?: unknown;
  /** Ignored, so that what was read can be sent back */
  version?: unknown;
  /** Whether what is missing or wrong is set aside. Without it, the draft is refused */
  allowIncomplete?: boolean | null;
  /** What was set aside before, as it was read: it is put where it stands, and looked at again */
  incomplete?: IncompletePieceInput[] | null;
  /** How its texts are read. Without it: as those of the draft so far; as MARKDOWN where nothing was written yet */
  markup?: "PLAIN" | "MARKDOWN" | null;
  language?: string | null;
  qualifyWhen?: Condition | null;
  thankYou?: string | null;
  thankYouByOutcome?: ThankYouByOutcomeInput | null;
  redirectByOutcome?: RedirectByOutcomeInput | null;
  /** Whether the addresses to which people are led are signed with the workspace's key */
  signRedirects?: boolean | null;
  quotas?: ScreenerContentQuotaInput[] | null;
  assignments?: ScreenerArmAssignmentInput[] | null;
};

export type ScreenerTranslationProgress = {
  language: string;
  direction: "ltr" | "rtl";
  total: number;
  /** Of the texts as they are now */
  translated: number;
  /** Of former texts */
  stale: number;
  missing: number;
};

export type ScreenerTranslations = {
  _type: "ScreenerTranslations";
  screenerId: string;
  /** The language of the draft's own texts */
  language: string;
  items: ScreenerTranslationProgress[];
};

export type ScreenerTranslationString = {
  /** Stays as long as the text's page, question or option does */
  id: string;
  /** JSON Pointer: where the text is in the draft; `/title` is the study's */
  path: string;
  source: string;
  text: string | null;
  /** `STALE`: the source was changed after it was translated */
  state: "MISSING" | "STALE" | "DONE";
};

export type ScreenerTranslation = {
  _type: "ScreenerTranslation";
  screenerId: string;
  language: string;
  direction: "ltr" | "rtl";
  strings: ScreenerTranslationString[];
};

export type ScreenerTranslationStringChange = {
  id: string;
  /** Null: none. It must have the placeholders and links of its source */
  text: string | null;
  /** The text that was translated. If the draft has another one now, the translation is `STALE` */
  source?: string;
  /** Ignored, so that what was read can be sent back */
  path?: unknown;
  /** Ignored, so that what was read can be sent back */
  state?: unknown;
};

export type ScreenerTranslationChangeInput = {
  strings: ScreenerTranslationStringChange[];
};

export type ScreenerTranslationFileString = {
  id: string;
  /** Null: none. It must have the placeholders and links of its source */
  text: string | null;
  /** The text that was translated. If the draft has another one now, the translation is `STALE` */
  source?: string;
  /** `DONE`: a text that is as it was fits its source */
  state?: "MISSING" | "STALE" | "DONE";
  /** Ignored, so that what was read can be sent back */
  path?: unknown;
};

export type ScreenerTranslationFile = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  screenerId?: unknown;
  /** Ignored, so that what was read can be sent back */
  language?: unknown;
  /** Ignored, so that what was read can be sent back */
  direction?: unknown;
  dryRun?: boolean;
  strings: ScreenerTranslationFileString[];
};

export type ScreenerTranslationChange = {
  id: string;
  path: string;
  source: string;
  from: string | null;
  to: string | null;
  state: "MISSING" | "STALE" | "DONE";
  /** The text that was translated, where the draft has another one */
  madeFrom?: string;
};

export type ScreenerTranslationChanges = {
  _type: "ScreenerTranslationChanges";
  screenerId: string;
  language: string;
  dryRun: boolean;
  changes: ScreenerTranslationChange[];
  /** `NOT_IN_DRAFT`: the draft has no such text any more. `MADE_FROM_FORMER_TEXT`: it translates a former text, and there is a translation of the present one */
  ignored: {
    id: string;
    reason: "NOT_IN_DRAFT" | "MADE_FROM_FORMER_TEXT" | (string & {});
  }[];
};

export type Tag = {
  _type: "Tag";
  id: string;
  category: string;
  value: string;
};

export type ScreenerPublication = {
  _type: "ScreenerPublication";
  id: string;
  screenerId: string;
  version: number;
  status: "ACTIVE" | "ARCHIVED";
  targetQualifiedParticipants: number | null;
  tags: Tag[];
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
  languages: string[];
};

export type PaginatedScreenerPublication = {
  _type: "PaginatedScreenerPublication";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerPublication[];
};

export type TagInput = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  id?: unknown;
  category: string;
  value: string;
};

export type NewScreenerPublication = {
  /** An id */
  screenerId: string;
  targetQualifiedParticipants?: number | null;
  tags?: TagInput[] | null;
  /** `true`: nothing is published while a language lacks a text, or has one that translates a former text */
  requireTranslations?: boolean;
};

export type ScreenerPublicationContent = {
  _type: "ScreenerPublicationContent";
  screenerId: string;
  screenerPublicationId: string;
  version: number;
  /** How prompts, help, titles and texts of pages, and closing texts are read. They are shown here as they were written */
  markup: "PLAIN" | "MARKDOWN";
  /** The language of its texts, as BCP 47 names it. Missing: `en` */
  language?: string;
  pages: ScreenerPage[];
  qualifyWhen: Condition | null;
  thankYou: string | null;
  thankYouByOutcome: ThankYouByOutcome | null;
  redirectByOutcome?: RedirectByOutcome;
  signRedirects?: true;
  /** Missing where there are none */
  quotas?: ScreenerContentQuota[];
  /** Of each a session is given one arm. Missing where there are none */
  assignments?: ScreenerArmAssignment[];
};

export type ScreenerPublicationChange = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  id?: unknown;
  /** Ignored, so that what was read can be sent back */
  screenerId?: unknown;
  /** Ignored, so that what was read can be sent back */
  version?: unknown;
  status?: "ACTIVE" | "ARCHIVED";
  targetQualifiedParticipants?: number | null;
  tags?: TagInput[] | null;
  /** Ignored, so that what was read can be sent back */
  createdBy?: unknown;
  /** Ignored, so that what was read can be sent back */
  createdAt?: unknown;
  /** Ignored, so that what was read can be sent back */
  updatedBy?: unknown;
  /** Ignored, so that what was read can be sent back */
  updatedAt?: unknown;
  /** Ignored, so that what was read can be sent back */
  languages?: unknown;
};

export type ScreenerPublicationRestore = { [key: string]: never };

export type ScreenerQuota = {
  _type: "ScreenerQuota";
  id: string;
  screenerId: string;
  name: string;
  when: Condition | null;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  paused: boolean;
  taken: number;
  held: number;
  remaining: number | null;
  status: "OPEN" | "HELD_FULL" | "FULL" | "PAUSED" | "RETIRED";
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
};

export type PaginatedScreenerQuota = {
  _type: "PaginatedScreenerQuota";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerQuota[];
};

export type ScreenerQuotaChange = {
  limit?: number | null;
  paused?: boolean;
};

export type ScreenerQuotaPlace = {
  _type: "ScreenerQuotaPlace";
  id: string;
  screenerQuotaId: string;
  participantId: string;
  screenerSessionId: string;
  state: "HELD" | "TAKEN" | "RELEASED";
  reason: "LAPSED" | "ANSWERS_CHANGED" | "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | "WITHDRAWN" | "UNASSIGNED" | "SESSION_REMOVED" | "OVERRIDDEN" | "UNDONE" | "REJECTED" | (string & {}) | null;
  isOverLimit: boolean;
  createdAt: string;
  expiresAt: string | null;
};

export type PaginatedScreenerQuotaPlace = {
  _type: "PaginatedScreenerQuotaPlace";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerQuotaPlace[];
};

export type ScreenerLink = {
  _type: "ScreenerLink";
  id: string;
  screenerId: string;
  name: string;
  link: string;
  status: "OPEN" | "NOT_YET_OPEN" | "CLOSED" | "FULL" | "REVOKED";
  ask: ("EMAIL" | "NAME")[];
  required: boolean;
  limit: number | null;
  opensAt: string | null;
  closesAt: string | null;
  attributes: { [key: string]: string | number | boolean };
  accept: string[];
  oneEach: "NONE" | "BROWSER" | "EMAIL";
  requireSignature: boolean;
  confirmEmail: boolean;
  joined: number;
  started: number;
  completed: number;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
};

export type PaginatedScreenerLink = {
  _type: "PaginatedScreenerLink";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerLink[];
};

export type NewScreenerLink = {
  /** An id */
  screenerId: string;
  name: string;
  ask?: ("EMAIL" | "NAME")[];
  required?: boolean;
  limit?: number | null;
  opensAt?: string | null;
  closesAt?: string | null;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
  accept?: string[];
  oneEach?: "NONE" | "BROWSER" | "EMAIL";
  requireSignature?: boolean;
  confirmEmail?: boolean;
};

export type ScreenerLinkChange = {
  name?: string;
  ask?: ("EMAIL" | "NAME")[];
  required?: boolean;
  limit?: number | null;
  opensAt?: string | null;
  closesAt?: string | null;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
  accept?: string[];
  oneEach?: "NONE" | "BROWSER" | "EMAIL";
  requireSignature?: boolean;
  confirmEmail?: boolean;
};

export type SigningKey = {
  _type: "SigningKey";
  createdAt: string | null;
  previousExpiresAt: string | null;
};

export type SigningKeyRotation = {
  /** How long the former secret counts, too. Default: 24 */
  overlapHours?: number;
};

export type NewSigningKey = {
  _type: "SigningKey";
  createdAt: string | null;
  previousExpiresAt: string | null;
  secret: string;
};

export type ScreenerArm = {
  _type: "ScreenerArm";
  id: string;
  screenerId: string;
  assignmentId: string;
  assignmentName: string;
  name: string;
  completed: number;
  inProgress: number;
  status: "OPEN" | "RETIRED";
};

export type PaginatedScreenerArm = {
  _type: "PaginatedScreenerArm";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerArm[];
};

export type ScreenerQuotaForecastInput = {
  /** As in the content: they replace those of the draft. Default: the draft's, with the limits that count now */
  quotas?: ScreenerContentQuotaInput[] | null;
  /** Default: ANSWERS, where somebody has answered; else ROSTER */
  basis?: "ANSWERS" | "ROSTER" | null;
};

export type QuotaForecastTurnedAway = {
  /** null: it is not in the draft */
  id: string | null;
  name: string;
  count: number;
};

export type QuotaForecastInvitations = {
  estimate: number;
  low: number;
  high: number;
};

export type QuotaForecastCell = {
  /** null: it is not in the draft */
  id: string | null;
  name: string;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  /** How many would have taken a place */
  taken: number;
  /** How many are in it and would have been turned away, because this quota or another one had no room */
  turnedAway: number;
  /** How many of them by which quota first, the most first */
  turnedAwayBy: QuotaForecastTurnedAway[];
  /** How many are or may be in it, of whom it is not known what would have come of them */
  unknown: number;
  /** How many could be in it: those three, and those assigned who have not answered and may be in it */
  people: number;
  /** Whether it can become full. null: it has no limit */
  canFill: boolean | null;
  /** CONTRADICTION: nobody who qualifies can be in it. TOO_FEW_PEOPLE: `people` is less than `limit` */
  cannotFillBecause: "CONTRADICTION" | "TOO_FEW_PEOPLE" | null;
  /** How many invitations the places that are left need, at the rate at which people with a link have taken places; with the interval of 95 %. null: no rate is known */
  invitationsNeeded: QuotaForecastInvitations | null;
};

export type ScreenerQuotaForecast = {
  _type: "ScreenerQuotaForecast";
  screenerId: string;
  basis: "ANSWERS" | "ROSTER";
  /** Who was replayed by attributes: those assigned, or all of the workspace, because nobody is assigned. null: answers were replayed */
  roster: "ASSIGNED" | "WORKSPACE" | null;
  /** How many sessions, or people, there are to replay */
  total: number;
  /** How many were replayed: the first 250,000, or fewer where the quotas have more than 300 comparisons together */
  replayed: number;
  /** How many of them a rule of the draft screens out */
  screenedOut: number;
  /** In the order of the content */
  quotas: QuotaForecastCell[];
};

export type ScreenerFeasibilityInput = {
  /** As in the content: they replace those of the draft. Default: the draft's */
  quotas?: ScreenerContentQuotaInput[] | null;
};

/** How many of the others are not to be written to, each by the first reason of these */
export type ScreenerFeasibilityNoContact = {
  noEmail: number;
  doNotContact: number;
  /** From this screener's mail, or from all */
  unsubscribed: number;
  /** Their addresses take no mail */
  bounced: number;
  /** They have had as many messages as `contactCap` of the workspace allows */
  contactedRecently: number;
};

export type ScreenerFeasibilityCell = {
  /** null: it is not in the draft */
  id: string | null;
  name: string;
  mode: "LIMIT" | "COUNT";
  limit: number | null;
  /** How many places are not taken or held. null: it has no limit */
  placesLeft: number | null;
  /** How many of those who fit are in it, or may be */
  fit: number;
  /** How many of them have finished this screener already */
  finished: number;
  noContact: ScreenerFeasibilityNoContact;
  /** How many remain */
  remaining: number;
  /** How many of them may be in it: their answers decide */
  dependsOnAnswers: number;
};

export type ScreenerFeasibility = {
  _type: "ScreenerFeasibility";
  screenerId: string;
  /** How many people the roster has */
  people: number;
  /** How many were looked at: the first million, or fewer where the quotas have more than 75 comparisons together */
  counted: number;
  /** How many people no rule screens out by their attributes alone */
  fit: number;
  /** How many of them have finished this screener already */
  finished: number;
  noContact: ScreenerFeasibilityNoContact;
  /** How many remain */
  remaining: number;
  /** In the order of the content */
  quotas: ScreenerFeasibilityCell[];
};

/** Null: the participant may be written to */
export type DoNotContact = {
  reason: string;
  by: Actor;
  at: string;
} | null;

export type Participant = {
  _type: "Participant";
  id: string;
  externalUid: string;
  email: string | null;
  name: string | null;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
  attributes: { [key: string]: string | number | boolean };
  doNotContact: DoNotContact;
};

export type PaginatedParticipant = {
  _type: "PaginatedParticipant";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: Participant[];
};

export type ParticipantName = {
  first?: string | null;
  last?: string | null;
};

export type NewParticipant = {
  externalUid: string;
  email: string;
  name: string | ParticipantName;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
};

export type ParticipantChange = {
  externalUid?: string;
  email?: string | null;
  name?: string | ParticipantName | null;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
  /** Nobody may write to the participant, and why; null: they may again */
  doNotContact?: {
    reason: string;
    /** Ignored, so that what was read can be sent back */
    by?: unknown;
    /** Ignored, so that what was read can be sent back */
    at?: unknown;
  } | null;
};

export type ScreenerSessionSignal = {
  kind: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD" | (string & {});
  at: string;
  /** HURRIED: how many pages were timed of which others' times are known */
  pages?: number;
  /** HURRIED: how many of them were faster than the share of their median */
  fasterPages?: number;
  /** HURRIED: how long these pages were open */
  seconds?: number;
  /** HURRIED: the medians of these pages, added up */
  medianSeconds?: number;
  /** SAME_…: how many other people there are by now, at most 20 */
  others?: number;
  /** ATTENTION_CHECK, CONTRADICTION: the pages whose rule holds */
  screenerPageIds?: string[];
  /** STRAIGHT_LINES, SAME_TEXT: the questions */
  screenerQuestionIds?: string[];
  /** SAME_…: the reference of one of the other sessions */
  otherReference?: string;
};

/** What a person has decided of a session. Of a screener participant: of the current session, only where it is reviewed */
export type ScreenerSessionReview = {
  state: "PENDING" | "ACCEPTED" | "REJECTED";
  /** Who has decided. Null while it is PENDING */
  by: Actor | null;
  at: string | null;
  reason: string | null;
  /** Only where a reviewer reads a single session, or decides of it */
  signals?: ScreenerSessionSignal[];
};

export type ScreenerParticipant = {
  _type: "ScreenerParticipant";
  id: string;
  screenerId: string;
  participantId: string;
  externalParticipantUid: string;
  currentSessionId: string | null;
  name: string | null;
  email: string | null;
  status: "NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
  review?: ScreenerSessionReview;
};

export type ScreenerSessionArm = {
  assignmentId: string;
  assignmentName: string;
  armId: string;
  armName: string;
};

export type WithdrawnConsent = {
  screenerQuestionId: string;
  textHash: string;
  version: string | null;
  language: string;
  at: string;
};

export type ScreenerSessionOrder = {
  /** Of a block; of a page; of a question */
  of: "PAGES" | "QUESTIONS" | "OPTIONS" | "ROWS";
  block: string | null;
  screenerPageId: string | null;
  screenerQuestionId: string | null;
  /** Of the pages, questions, options or rows, in the order shown */
  ids: string[];
};

export type ScreenerSession = {
  _type: "ScreenerSession";
  id: string;
  screenerId: string;
  screenerParticipantId: string;
  screenerPublicationId: string;
  screenerSessionLink: string;
  linkSlug: string;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | (string & {}) | null;
  startedAt: string | null;
  lastActiveAt: string | null;
  completedAt: string | null;
  assignedTags: Tag[];
  reference: string;
  isTest: boolean;
  outcomeQuotaIds: string[];
  screenerLinkId: string | null;
  arms: ScreenerSessionArm[];
  language: string | null;
  withdrawnAt: string | null;
  withdrawnConsents: WithdrawnConsent[];
  answersErasedAt: string | null;
  /** The orders by chance in which it is shown things, in the content's order: only where a single session is read, and its publication shuffles anything */
  orders?: ScreenerSessionOrder[];
  /** Null: it is not reviewed */
  review: ScreenerSessionReview | null;
  /** What speaks against the answers, of a session without a review: only where a reviewer reads a single session */
  signals?: ScreenerSessionSignal[];
  createdAt: string;
};

export type ScreenerTextResponse = {
  _type: "ScreenerTextResponse";
  questionType: "ScreenerTextQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: string | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerNumericResponse = {
  _type: "ScreenerNumericResponse";
  questionType: "ScreenerNumericQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: number | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerChoice = {
  /** null: a write-in. Missing in answers that were given before version 1.2 of the service */
  optionId?: string | null;
  text: string;
  isWriteIn: boolean;
};

export type ScreenerSingleSelectResponse = {
  _type: "ScreenerSingleSelectResponse";
  questionType: "ScreenerSingleSelectQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: ScreenerChoice[] | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerMultiSelectResponse = {
  _type: "ScreenerMultiSelectResponse";
  questionType: "ScreenerMultiSelectQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: ScreenerChoice[] | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerScaleResponse = {
  _type: "ScreenerScaleResponse";
  questionType: "ScreenerScaleQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: number | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerDateResponse = {
  _type: "ScreenerDateResponse";
  questionType: "ScreenerDateQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: string | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerRankedOption = {
  optionId: string;
  text: string;
  isWriteIn: false;
};

export type ScreenerRankingResponse = {
  _type: "ScreenerRankingResponse";
  questionType: "ScreenerRankingQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: ScreenerRankedOption[] | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerMatrixChoice = {
  columnId: string;
  text: string;
};

export type ScreenerMatrixAnswerRow = {
  rowId: string;
  text: string;
  choices: ScreenerMatrixChoice[];
};

export type ScreenerMatrixAnswer = {
  /** Those with a choice, in the order of the question */
  rows: ScreenerMatrixAnswerRow[];
};

export type ScreenerMatrixResponse = {
  _type: "ScreenerMatrixResponse";
  questionType: "ScreenerMatrixQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: ScreenerMatrixAnswer | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerConsent = {
  isGiven: true;
  /** SHA-256 of the text as it was shown, in UTF-8, as hexadecimal digits */
  textHash: string;
  /** The question’s, when it was answered */
  version: string | null;
  /** The language of the text that was shown, as BCP 47 has it */
  language: string;
  /** When consent was given first to this text */
  at: string;
};

export type ScreenerConsentResponse = {
  _type: "ScreenerConsentResponse";
  questionType: "ScreenerConsentQuestion";
  screenerSessionId: string;
  screenerPageId: string;
  screenerQuestionId: string;
  screenerId: string;
  screenerPublicationId: string;
  participantId: string;
  externalParticipantUid: string;
  screenerParticipantId: string;
  screenerQuestionPrompt: string;
  answer: ScreenerConsent | null;
  /** Of a text with a `format`: the answer in the form that programs can compare */
  normalizedAnswer?: string;
};

export type ScreenerResponse = ScreenerTextResponse | ScreenerNumericResponse | ScreenerSingleSelectResponse | ScreenerMultiSelectResponse | ScreenerScaleResponse | ScreenerDateResponse | ScreenerRankingResponse | ScreenerMatrixResponse | ScreenerConsentResponse;

export type PageTime = {
  _type: "PageTime";
  /** An id */
  screenerSessionId: string;
  /** An id */
  screenerPageId: string;
  seconds: number;
};

export type ParticipantImport = {
  _type: "ParticipantImport";
  /** An id */
  jobId: string;
  /** An id */
  screenerId: string;
  appliedAt: string;
  did: ("CREATED" | "UPDATED" | "ASSIGNED" | "REMOVED")[];
  formerValues: { [key: string]: unknown } | null;
};

export type ParticipantRequest = {
  _type: "ParticipantRequest";
  id: string;
  kind: "DATA" | "ERASURE" | (string & {});
  state: "OPEN" | "DONE";
  participantId: string;
  screenerId: string | null;
  screenerSessionId: string | null;
  createdAt: string;
  closedBy: Actor | null;
  closedAt: string | null;
};

export type ParticipantNote = {
  _type: "ParticipantNote";
  id: string;
  participantId: string;
  note: string;
  createdBy: Actor;
  createdAt: string;
};

export type Unsubscription = {
  _type: "Unsubscription";
  /** The study that they want no mail about; null: any */
  screenerId: string | null;
  createdAt: string;
};

export type MailSuppression = {
  _type: "MailSuppression";
  id: string;
  address: string | null;
  reason: "BY_HAND" | "BOUNCED" | "COMPLAINED" | "UNSUBSCRIBED" | "DO_NOT_CONTACT" | (string & {});
  detail: string | null;
  participantId: string | null;
  createdBy: Actor;
  createdAt: string;
};

export type ParticipantMessage = {
  _type: "ParticipantMessage";
  /** An id */
  id: string;
  /** MAILING, or what a single message is for: MY_LINK */
  kind: string;
  mailingId: string | null;
  screenerId: string | null;
  /** Of a mailing: 0 is the first message, then come the reminders */
  step: number | null;
  state: string;
  /** What the relay has said, or why it was not sent */
  reply: string | null;
  createdAt: string;
  endedAt: string | null;
};

export type ParticipantExport = {
  _type: "ParticipantExport";
  exportedAt: string;
  participant: Participant;
  screenerParticipants: ScreenerParticipant[];
  sessions: ScreenerSession[];
  responses: ScreenerResponse[];
  pageTimes: PageTime[];
  imports: ParticipantImport[];
  requests: ParticipantRequest[];
  notes: ParticipantNote[];
  unsubscriptions: Unsubscription[];
  mailSuppressions: MailSuppression[];
  messages: ParticipantMessage[];
};

export type ParticipantsErasure = {
  participantIds: string[];
  dryRun?: boolean | null;
};

export type PaginatedParticipantRequest = {
  _type: "PaginatedParticipantRequest";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ParticipantRequest[];
};

export type PaginatedParticipantNote = {
  _type: "PaginatedParticipantNote";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ParticipantNote[];
};

export type NewParticipantNote = {
  /** An id */
  participantId: string;
  note: string;
};

export type PaginatedMailSuppression = {
  _type: "PaginatedMailSuppression";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: MailSuppression[];
};

export type NewMailSuppression = {
  address: string;
  reason?: "BY_HAND" | "BOUNCED" | "COMPLAINED";
};

export type PaginatedScreenerParticipant = {
  _type: "PaginatedScreenerParticipant";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerParticipant[];
};

export type NewScreenerParticipant = {
  /** An id */
  screenerId: string;
  externalUid?: string;
  email?: string;
  name?: string | ParticipantName;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
};

export type RemovedScreenerParticipant = {
  _type: "ScreenerParticipant";
  id: string;
  screenerId: string;
  participantId: string;
  externalParticipantUid: string;
  currentSessionId: string | null;
  name: string | null;
  email: string | null;
  status: "REMOVED";
  review?: ScreenerSessionReview;
};

export type ImportParticipant = {
  externalUid?: string | null;
  email?: string | null;
  name?: string | ParticipantName | null;
  /** By key: a text, a number, true or false. null removes the key. At most 150 keys and 16384 bytes */
  attributes?: { [key: string]: string | number | boolean | null } | null;
};

export type ScreenerParticipantsImport = {
  /** An id */
  screenerId: string;
  importMode?: "UPDATES_ONLY" | "FULL_SYNC" | null;
  dryRun?: boolean | null;
  maxRemovals?: number | string | null;
  onRowError?: "REJECT_ALL" | "SKIP" | null;
  expectedRows?: number | null;
  includeJoined?: boolean | null;
  matchBy?: "externalUid" | "email" | null;
  participants: ImportParticipant[];
};

export type ScreenerParticipantsRemoval = {
  /** An id */
  screenerId: string;
  screenerParticipantIds: string[];
  dryRun?: boolean | null;
};

export type ScreenerSessionParticipant = {
  id: string;
  externalUid: string;
  email: string | null;
  name: string | null;
};

export type ListedScreenerSession = {
  _type: "ScreenerSession";
  id: string;
  screenerId: string;
  screenerParticipantId: string;
  screenerPublicationId: string;
  screenerSessionLink: string;
  linkSlug: string;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | (string & {}) | null;
  startedAt: string | null;
  lastActiveAt: string | null;
  completedAt: string | null;
  assignedTags: Tag[];
  reference: string;
  isTest: boolean;
  outcomeQuotaIds: string[];
  screenerLinkId: string | null;
  arms: ScreenerSessionArm[];
  language: string | null;
  withdrawnAt: string | null;
  withdrawnConsents: WithdrawnConsent[];
  answersErasedAt: string | null;
  /** The orders by chance in which it is shown things, in the content's order: only where a single session is read, and its publication shuffles anything */
  orders?: ScreenerSessionOrder[];
  /** Null: it is not reviewed */
  review: ScreenerSessionReview | null;
  /** What speaks against the answers, of a session without a review: only where a reviewer reads a single session */
  signals?: ScreenerSessionSignal[];
  createdAt: string;
  /** Whose session it is, now: only with `expand=participant`. Null in a test session that is nobody's */
  participant?: ScreenerSessionParticipant | null;
  /** Only with `expand=outcome`. Null until the session is completed */
  outcome?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
};

export type PaginatedScreenerSession = {
  _type: "PaginatedScreenerSession";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ListedScreenerSession[];
};

export type ScreenerSessionOrders = {
  _type: "ScreenerSessionOrders";
  screenerSessionId: string;
  screenerPublicationId: string;
  /** Of all that is shuffled, in the content's order */
  orders: ScreenerSessionOrder[];
};

export type NewScreenerSession = {
  screenerParticipantId?: string | null;
  screenerId?: string | null;
  /** Opens a test session, with `screenerId` one without a participant */
  isTest?: boolean | null;
};

/** An option by its text or its id; or a write-in: its text, and `isWriteIn` */
export type SubmittedChoice = {
  text?: string;
  optionId?: string | null;
  isWriteIn?: boolean | null;
};

export type SubmittedMatrixChoice = {
  columnId?: string;
  text?: string;
};

export type SubmittedMatrixRow = {
  rowId?: string;
  text?: string;
  choices?: SubmittedMatrixChoice[] | null;
};

/** Of a matrix: its rows with their choices, rows and columns by their ids, their texts or both */
export type SubmittedMatrixAnswer = {
  rows: SubmittedMatrixRow[];
};

/** `isGiven: false` is the same as null. More members, as a response has them, are taken and ignored */
export type SubmittedConsent = {
  isGiven: boolean;
};

export type NewScreenerResponse = {
  /** An id */
  screenerQuestionId: string;
  /** A string (also for a date), a number, an array of choices, the rows of a matrix, a consent, or null where the question was skipped */
  answer?: string | number | SubmittedChoice[] | SubmittedMatrixAnswer | SubmittedConsent | null;
};

export type NewScreenerResponses = {
  responses: NewScreenerResponse[];
  complete?: boolean | null;
};

export type Judgement = {
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | (string & {}) | null;
};

export type OutcomeOverride = {
  judged: Judgement;
  reason: string;
  createdBy: Actor;
  createdAt: string;
};

export type ExplanationBasis = {
  /** `NOT_KEPT`: the workspace's retention has removed the answers */
  answers: "KEPT" | "NOT_KEPT";
  /** `CURRENT`: the session is not completed. `AS_JUDGED`: the participant was not changed since it was. `MAY_HAVE_CHANGED`: the participant was */
  attributes: "NOT_USED" | "CURRENT" | "AS_JUDGED" | "MAY_HAVE_CHANGED";
};

export type ExplainedComparison = {
  /** Where it is in the rule's `condition`, as a JSON pointer */
  pointer: string;
  sentence: string;
  /** The element of `answers` that it is about */
  screenerQuestionId: string | null;
  /** The key of the element of `attributes` that it is about */
  attribute: string | null;
  /** The element of `arms` that it is about */
  assignmentId: string | null;
  /** null: it was not looked at, because it could not matter any more; or that is not known */
  holds: boolean | null;
};

export type ExplainedRule = {
  /** That a required consent is not given; a page's `disqualifyWhen`; the content's `qualifyWhen`; the publication's target; a quota of the content in which there was no place */
  kind: "CONSENT" | "DISQUALIFY_WHEN" | "QUALIFY_WHEN" | "QUOTA" | "QUOTA_CELL" | (string & {});
  screenerPageId: string | null;
  pageTitle: string | null;
  condition: Condition | null;
  sentence: string;
  /** `NOT_SHOWN`: its page is not shown for these answers. `NOT_REACHED`: a rule before it has decided. `UNKNOWN`: it depends on answers that are not given yet, or not kept any more */
  result: "HOLDS" | "DOES_NOT_HOLD" | "NOT_SHOWN" | "NOT_REACHED" | "UNKNOWN";
  /** Whether it screens out, or finds no place left. At most one rule does; none where the participant qualifies */
  decides: boolean;
  comparisons: ExplainedComparison[];
};

export type ExplainedQuota = {
  screenerQuotaId: string;
  name: string;
  /** Whether the session is in it, by its answers and attributes now. null: that is not known yet */
  isIn: boolean | null;
  /** The session's latest place in it. null: it never had one */
  place: "HELD" | "TAKEN" | "RELEASED" | null;
  /** Why the place was given back */
  reason: "LAPSED" | "ANSWERS_CHANGED" | "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | "WITHDRAWN" | "UNASSIGNED" | "SESSION_REMOVED" | "OVERRIDDEN" | "UNDONE" | "REJECTED" | (string & {}) | null;
};

export type ExplainedArm = {
  assignmentId: string;
  assignmentName: string;
  /** null: the session was given none, or none yet */
  armId: string | null;
  armName: string | null;
};

export type ExplainedAnswer = {
  screenerQuestionId: string;
  screenerPageId: string;
  prompt: string;
  /** `NOT_SHOWN`: for these answers. `NOT_KEPT`: removed by retention, or sent without consent */
  state: "ANSWERED" | "SKIPPED" | "NOT_ANSWERED" | "NOT_SHOWN" | "NOT_KEPT";
  /** As a response has it. null where there is none */
  answer: unknown;
  /** As a response has it, where it has one */
  normalizedAnswer?: string;
};

export type ExplainedAttribute = {
  key: string;
  exists: boolean;
  value: string | number | boolean | null;
};

export type ScreenerSessionExplanation = {
  _type: "ScreenerSessionExplanation";
  screenerSessionId: string;
  screenerPublicationId: string;
  /** Of the publication */
  version: number;
  status: "ACTIVE" | "ARCHIVED" | "REMOVED";
  state: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
  outcome: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN" | null;
  outcomeReason: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | (string & {}) | null;
  /** What decided, for a person to read */
  sentence: string;
  /** By whom `outcome` was set by hand, and what the rules had come to (`judged`). null: by the rules */
  override: OutcomeOverride | null;
  /** What the rules come to now. Of a completed session that is its outcome, unless what `basis` names has changed. Of another one: what it would come to if its answers stay. null: that is not known */
  judgedNow: Judgement | null;
  basis: ExplanationBasis;
  /** In the content's order; they are looked at in the order shown */
  rules: ExplainedRule[];
  /** Those of the session's publication, in their order */
  quotas: ExplainedQuota[];
  /** Of each assignment of the session's publication, in their order */
  arms: ExplainedArm[];
  /** To the questions that rules are about */
  answers: ExplainedAnswer[];
  /** Those that rules are about, as they are now */
  attributes: ExplainedAttribute[];
};

export type NewReview = {
  /** `PENDING`: what was decided is taken back */
  decision: "PENDING" | "ACCEPTED" | "REJECTED";
  reason?: string | null;
};

export type NewOverride = {
  /** `BY_RULES`: what the rules had come to */
  outcome: "QUALIFIED" | "DISQUALIFIED" | "BY_RULES";
  reason: string;
};

export type ScreenerSessionsMove = {
  /** An id */
  screenerId: string;
  dryRun?: boolean | null;
};

export type ScreenerQuotaRecount = {
  dryRun?: boolean | null;
};

export type ScreenerQuotaOffer = {
  /** How long places are held for those who get the offer. Default: 48 */
  holdHours?: number | null;
  dryRun?: boolean | null;
};

export type ScreenerSessionsReview = {
  /** An id */
  screenerId: string;
  filter?: { [key: string]: { [key: string]: string | number | boolean | (string | number | boolean)[] } } | null;
  screenerSessionIds?: string[] | null;
  decision: "ACCEPTED" | "REJECTED";
  reason?: string | null;
  dryRun?: boolean | null;
};

export type PaginatedScreenerResponse = {
  _type: "PaginatedScreenerResponse";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: ScreenerResponse[];
};

export type ScreenerAnswersColumn = {
  column: string;
  /** What people call it; of a question, its prompt */
  label: string;
  questionType: string | null;
};

export type ScreenerAnswers = {
  _type: "ScreenerAnswers";
  screenerSessionId: string;
  participantId: string;
  /** By the names of columns. An answer is as in a response, and null where the question was skipped. Where it was not shown or not asked, and of an attribute that the participant lacks, there is no value */
  values: { [key: string]: unknown };
};

export type PaginatedScreenerAnswers = {
  _type: "PaginatedScreenerAnswers";
  /** The number of all matching sessions */
  total: number;
  limit: number;
  offset: number;
  columns: ScreenerAnswersColumn[];
  items: ScreenerAnswers[];
};

export type ScreenerAnswerColumnOption = {
  id: string;
  text: string;
};

export type ScreenerAnswerColumn = {
  /** As `columns` takes it */
  column: string;
  /** What people call it; of a question, its prompt */
  label: string;
  questionType: string | null;
  /** Of a question: the title of its page */
  page: string | null;
  /** Of a question or an attribute: those of `filter[<column>][<operator>]` */
  operators: string[];
  /** What the newest version of a question lets people choose from */
  options: ScreenerAnswerColumnOption[];
};

export type ScreenerAnswerColumns = {
  _type: "ScreenerAnswerColumns";
  items: ScreenerAnswerColumn[];
};

/** Of the screener as it is now, whatever the publication. Exact */
export type ResultsFunnel = {
  /** Screener participants */
  assigned: number;
  /** Active sessions */
  opened: number;
  started: number;
  completed: number;
  qualified: number;
  disqualified: number;
  /** Completed by a publication without rules */
  unknown: number;
};

export type ResultsVersion = {
  screenerPublicationId: string;
  version: number;
  sessions: number;
};

export type ResultsDay = {
  /** In the screener's `timeZone`, as 2026-01-31 */
  date: string;
  opened: number;
  started: number;
  completed: number;
  qualified: number;
};

export type ResultsPage = {
  screenerPageId: string;
  title: string | null;
  /** The last version that had the page; null: the newest has it */
  lastVersion: number | null;
  /** Sessions with an answer on this page */
  answered: number;
  /** Sessions that are in progress, and whose last answer is on this page */
  left: number;
  /** Sessions that ended on this page, because consent was not given */
  noConsent: number;
  /** Sessions that were screened out, and whose last answer is on this page */
  screenedOut: number;
  /** For how long participants had the page open before they sent it: half of them longer. null if nobody has sent it in a browser */
  medianSeconds: number | null;
};

export type ResultsGroup = {
  label: string | null;
  sessions: number;
  /** The lower end of the interval in which the share lies among all, with 95 % (Wilson). null: all are counted, so there is nothing to estimate */
  low: number | null;
  /** The upper end of the interval in which the share lies among all, with 95 % (Wilson). null: all are counted, so there is nothing to estimate */
  high: number | null;
};

export type SplitQuestion = {
  screenerQuestionId: string;
  prompt: string;
};

export type SplitRow = {
  screenerQuestionId: string;
  rowId: string;
  prompt: string;
  text: string;
};

export type SplitAssignment = {
  assignmentId: string;
  name: string;
};

export type SplitQuota = {
  screenerQuotaId: string;
  name: string;
};

export type ResultsFormerPrompt = {
  prompt: string;
  fromVersion: number;
  toVersion: number;
};

export type ResultsRow = {
  label: string;
  /** Only of a histogram: numbers from here, … */
  from: number | null;
  /** … to here. This one is included in the last row alone */
  to: number | null;
  /** What participants have written beside the options */
  isWriteIn: boolean;
  /** An option that only former versions of the question had */
  isFormer: boolean;
  count: number;
  /** Only of a ranking, whose rows count those who have ranked an option first: its mean rank, of those who have ranked it */
  meanRank: number | null;
  /** In the order of `groups` */
  groupCounts: number[];
  /** The lower end of the interval in which the share lies among all, with 95 % (Wilson). null: all are counted, so there is nothing to estimate */
  low: number | null;
  /** The upper end of the interval in which the share lies among all, with 95 % (Wilson). null: all are counted, so there is nothing to estimate */
  high: number | null;
  /** The lower ends for the groups. null: all are counted */
  groupLows: number[] | null;
  /** The upper ends for the groups. null: all are counted */
  groupHighs: number[] | null;
};

export type ResultsStatistics = {
  min: number;
  max: number;
  mean: number;
  median: number;
};

export type ResultsMatrixRow = {
  label: string;
  /** A row that only former versions of the question had */
  isFormer: boolean;
  /** How many have chosen something in it */
  answered: number;
  /** In the order of `groups` */
  groupAnswered: number[];
  /** The columns, with how many have chosen each in this row */
  rows: ResultsRow[];
};

export type ResultsChart = {
  /** `OPTIONS`: how many have chosen each. `HISTOGRAM`: how many numbers lie in each range. `WORDS`: how many answers have each of the most frequent words of three letters or more. `MATRIX`: `matrixRows` has a chart of each row */
  kind: "OPTIONS" | "HISTOGRAM" | "WORDS" | "MATRIX" | (string & {});
  rows: ResultsRow[];
  /** Only of numbers, and of all groups together */
  statistics: ResultsStatistics | null;
  /** Only of a matrix, whose own `rows` are empty */
  matrixRows: ResultsMatrixRow[] | null;
};

export type ResultsQuestion = {
  screenerQuestionId: string;
  screenerPageId: string;
  questionType: string;
  key: string | null;
  /** As in the newest version that has the question */
  prompt: string;
  /** The version since which the question has this prompt; null: it never had another one */
  changedInVersion: number | null;
  /** What it was before, the newest first; at most 20 */
  formerPrompts: ResultsFormerPrompt[];
  /** The last version that had the question; null: the newest has it */
  lastVersion: number | null;
  answered: number;
  skipped: number;
  /** In the order of `groups` */
  groupAnswered: number[];
  chart: ResultsChart;
};

export type ScreenerResults = {
  _type: "ScreenerResults";
  screenerId: string;
  funnel: ResultsFunnel;
  /** The publication that all that follows is about, but `versions`; null: all publications together */
  screenerPublicationId: string | null;
  /** Of that publication; null: all versions together */
  version: number | null;
  /** All publications of the screener, the newest first, with their sessions that were not removed */
  versions: ResultsVersion[];
  /** Sessions that were not removed, also those that have not started. Exact */
  sessions: number;
  /** How many of them have started: answers are counted of these. Exact */
  startedSessions: number;
  /** As many as `sessions`, if all are counted. If they are fewer, they are a sample of those that have started; pages, groups and questions are counted of the sample then, and shares have their intervals */
  countedSessions: number;
  /** Days on which something was done, the oldest first. At most the last 366. Exact */
  days: ResultsDay[];
  pages: ResultsPage[];
  /** What `splitBy` splits sessions that have started into, the largest first. null: all the others. Empty without `splitBy` */
  groups: ResultsGroup[];
  /** Those of the newest version, and those that only former ones had */
  questionCount: number;
  /** Questions with options, for `splitBy`. At most 500 */
  splitQuestions: SplitQuestion[];
  /** Rows of matrices, for `splitBy` as `<screenerQuestionId>.<rowId>`. At most 500 */
  splitRows: SplitRow[];
  /** Assignments to arms, for `splitBy` */
  splitAssignments: SplitAssignment[];
  /** Quotas, for `splitBy`: the groups are TAKEN and HELD. At most 500 */
  splitQuotas: SplitQuota[];
  /** Those from `fromQuestion` on, at most `questions`: in the order of the newest version, then what only former ones had */
  questions: ResultsQuestion[];
};

export type JobProgress = {
  phase: string;
  done: number;
  total: number | null;
};

export type JobProblem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: "unauthenticated" | "invalid_request" | "unsupported_api_version" | "insufficient_scope" | "route_not_found" | "method_not_allowed" | "not_acceptable" | "workspace_suspended" | "request_timeout" | "screener_not_found" | "screener_publication_not_found" | "participant_not_found" | "screener_participant_not_found" | "screener_session_not_found" | "event_not_found" | "webhook_endpoint_not_found" | "webhook_delivery_not_found" | "job_not_found" | "screener_quota_not_found" | "screener_link_not_found" | "screener_link_revoked" | "screener_link_limit" | "embedding_conflict" | "mail_suppression_not_found" | "image_not_found" | "image_limit" | "signing_key_missing" | "workspace_not_sandbox" | "sandbox_sends_no_mail" | "mail_not_configured" | "mail_signature_invalid" | "translation_not_found" | "translations_incomplete" | "draft_incomplete" | "quota_rule_changed" | "external_uid_taken" | "email_taken" | "screener_not_published" | "confirmation_required" | "webhook_endpoint_disabled" | "webhook_endpoint_limit" | "webhook_replay_limit" | "screener_closed" | "link_expired" | "test_session_limit" | "session_closed" | "session_completed" | "session_not_withdrawn" | "participant_note_not_found" | "user_not_found" | "last_admin" | "user_without_account" | "operators_only" | "participant_request_not_found" | "session_not_completed" | "session_not_reviewed" | "quota_reached" | "job_not_finished" | "job_not_succeeded" | "job_not_cancellable" | "job_not_retryable" | "job_cancelled" | "job_overtaken" | "removal_limit_exceeded" | "mailing_not_found" | "mailing_ended" | "recipient_limit_exceeded" | "row_count_differs" | "plan_outdated" | "plan_expired" | "plan_superseded" | "job_not_planned" | "job_not_undoable" | "event_gone" | "undo_gone" | "job_result_gone" | "precondition_failed" | "body_too_large" | "result_too_large" | "unsupported_media_type" | "too_many_sessions" | "export_too_large" | "idempotency_key_reused" | "import_budget_exceeded" | "too_many_requests" | "headers_too_large" | "internal_error" | "job_crashed" | "job_lost" | "job_body_lost" | "result_damaged" | "workspace_moving" | "cell_away" | "store_busy" | "store_full" | "store_refused" | "store_migrating" | "store_unavailable" | (string & {});
  errors?: ProblemError[];
  /** The number of all errors, which may be more than `errors` has */
  errorCount?: number;
  supportedVersions?: string[];
  /** Of removal_limit_exceeded: how many would be removed */
  removals?: number;
  /** Of how many */
  assignments?: number;
  maxRemovals?: number | string;
  /** Of row_count_differs: how many rows the payload has */
  rows?: number;
  /** How many it should have */
  expectedRows?: number;
  /** The job that failed or was cancelled */
  jobId?: string;
};

export type JobWarning = {
  code: string;
  message: string;
  /** Of unknown_member: its name. Of unknown_column_near: the member that may be meant */
  member?: string;
  /** Of unknown_member: how many rows have it */
  rows?: number;
  /** Of columns_ignored: their headings */
  columns?: string[];
  /** Of unknown_column_near, column_missing and column_new: the column */
  column?: string;
  /** Of removal_limit_not_counted: the limit */
  maxRemovals?: number | string;
};

/** Of a dry run: the limit for removals that would count, if there is one */
export type JobRemovalLimit = {
  maxRemovals: number | string;
  isExceeded: boolean;
};

export type JobPlan = {
  reason: "DRY_RUN" | "REMOVAL_LIMIT" | (string & {});
  expiresAt: string;
  removalLimit?: JobRemovalLimit;
};

/** Set aside after 15 minutes of tries, and tried every hour, while the workspace's other jobs go on. null: it is not */
export type JobBlocked = {
  since: string;
  code: "store_refused" | "store_unavailable" | "store_full" | "store_busy" | "spool_unavailable" | "results_unavailable" | "newer_worker_needed" | (string & {});
  nextTryAt: string;
};

export type JobMembers = {
  _type: "Job";
  id: string;
  kind: "SCREENER_PARTICIPANTS_IMPORT" | "SCREENER_PARTICIPANTS_IMPORT_UNDO" | "SCREENER_PARTICIPANTS_REMOVAL" | "SCREENER_PARTICIPANTS_REMOVAL_UNDO" | "SCREENER_PUBLICATION" | "SCREENER_SESSIONS_OPENING" | "SCREENER_SESSIONS_MOVE" | "SCREENER_SESSIONS_MOVE_UNDO" | "SCREENER_QUOTA_RECOUNT" | "SCREENER_QUOTA_RECOUNT_UNDO" | "SCREENER_QUOTA_OFFER" | "SCREENER_QUOTA_OFFER_UNDO" | "SCREENER_SESSIONS_REVIEW" | "SCREENER_SESSIONS_REVIEW_UNDO" | "MAILING_PLANNING" | "PARTICIPANT_ERASURE" | "PARTICIPANTS_ERASURE" | "SCREENER_SESSION_ANSWERS_ERASURE" | "SCREENER_DELETION" | "SCREENER_TEST_SESSIONS_DELETION" | "WORKSPACE_SANDBOX_RESET" | (string & {});
  status: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  progress: JobProgress | null;
  summary: { [key: string]: unknown } | null;
  problem: JobProblem | null;
  createdBy: Actor;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  screenerId: string | null;
  screenerPublicationId: string | null;
  importMode: "UPDATES_ONLY" | "FULL_SYNC" | null;
  idempotencyKey: string | null;
  requestId: string | null;
  traceId: string | null;
  attempts: number;
  warnings: JobWarning[] | null;
  plan: JobPlan | null;
  blocked: JobBlocked | null;
};

export type ScreenerParticipantsImportSummary = {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  assigned: number;
  removed: number;
  /** Only if wrong rows are skipped */
  rejected?: number;
};

export interface ScreenerParticipantsImportJob extends JobMembers {
  kind: "SCREENER_PARTICIPANTS_IMPORT";
  summary: ScreenerParticipantsImportSummary | null;
}

export type ScreenerParticipantsImportUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
  /** Not of an undo that release 1.1.0 has done */
  leaving?: number;
  /** Not of an undo that release 1.1.0 has done */
  returning?: number;
  /** Not of an undo that release 1.1.0 has done */
  changedBack?: number;
};

export interface ScreenerParticipantsImportUndoJob extends JobMembers {
  kind: "SCREENER_PARTICIPANTS_IMPORT_UNDO";
  summary: ScreenerParticipantsImportUndoSummary | null;
}

export type ScreenerParticipantsRemovalSummary = {
  rows: number;
  removed: number;
  skipped: number;
};

export interface ScreenerParticipantsRemovalJob extends JobMembers {
  kind: "SCREENER_PARTICIPANTS_REMOVAL";
  summary: ScreenerParticipantsRemovalSummary | null;
}

export type ScreenerParticipantsRemovalUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
  leaving: number;
  returning: number;
  changedBack: number;
};

export interface ScreenerParticipantsRemovalUndoJob extends JobMembers {
  kind: "SCREENER_PARTICIPANTS_REMOVAL_UNDO";
  summary: ScreenerParticipantsRemovalUndoSummary | null;
}

export interface ScreenerPublicationJob extends JobMembers {
  kind: "SCREENER_PUBLICATION";
  summary: null;
}

export type ScreenerSessionsOpeningSummary = {
  opened: number;
};

export interface ScreenerSessionsOpeningJob extends JobMembers {
  kind: "SCREENER_SESSIONS_OPENING";
  summary: ScreenerSessionsOpeningSummary | null;
}

export type ScreenerSessionsMoveSummary = {
  moved: number;
};

export interface ScreenerSessionsMoveJob extends JobMembers {
  kind: "SCREENER_SESSIONS_MOVE";
  summary: ScreenerSessionsMoveSummary | null;
}

export type ScreenerSessionsMoveUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
};

export interface ScreenerSessionsMoveUndoJob extends JobMembers {
  kind: "SCREENER_SESSIONS_MOVE_UNDO";
  summary: ScreenerSessionsMoveUndoSummary | null;
}

export type ScreenerQuotaRecountSummary = {
  counted: number;
  skipped: number;
};

export interface ScreenerQuotaRecountJob extends JobMembers {
  kind: "SCREENER_QUOTA_RECOUNT";
  summary: ScreenerQuotaRecountSummary | null;
}

export type ScreenerQuotaRecountUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
};

export interface ScreenerQuotaRecountUndoJob extends JobMembers {
  kind: "SCREENER_QUOTA_RECOUNT_UNDO";
  summary: ScreenerQuotaRecountUndoSummary | null;
}

export type ScreenerQuotaOfferSummary = {
  offered: number;
  skipped: number;
};

export interface ScreenerQuotaOfferJob extends JobMembers {
  kind: "SCREENER_QUOTA_OFFER";
  summary: ScreenerQuotaOfferSummary | null;
}

export type ScreenerQuotaOfferUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
};

export interface ScreenerQuotaOfferUndoJob extends JobMembers {
  kind: "SCREENER_QUOTA_OFFER_UNDO";
  summary: ScreenerQuotaOfferUndoSummary | null;
}

export type ScreenerSessionsReviewSummary = {
  reviewed: number;
  skipped: number;
};

export interface ScreenerSessionsReviewJob extends JobMembers {
  kind: "SCREENER_SESSIONS_REVIEW";
  summary: ScreenerSessionsReviewSummary | null;
}

export type ScreenerSessionsReviewUndoSummary = {
  rows: number;
  reverted: number;
  kept: number;
};

export interface ScreenerSessionsReviewUndoJob extends JobMembers {
  kind: "SCREENER_SESSIONS_REVIEW_UNDO";
  summary: ScreenerSessionsReviewUndoSummary | null;
}

export type MailingPlanningSummary = {
  send: number;
  skip: number;
  noEmail?: number;
  doNotContact?: number;
  unsubscribed?: number;
  bounced?: number;
  contactedRecently?: number;
  noConsent?: number;
  finished?: number;
  studyClosed?: number;
  linkExpired?: number;
  quotaFull?: number;
  duplicateEmail?: number;
  removed?: number;
};

export interface MailingPlanningJob extends JobMembers {
  kind: "MAILING_PLANNING";
  summary: MailingPlanningSummary | null;
}

export type ParticipantErasureSummary = {
  participants: number;
  screenerParticipants: number;
  sessions: number;
  responses: number;
  jobs: number;
};

export interface ParticipantErasureJob extends JobMembers {
  kind: "PARTICIPANT_ERASURE";
  summary: ParticipantErasureSummary | null;
}

export type ParticipantsErasureSummary = {
  rows: number;
  erased: number;
  skipped: number;
};

export interface ParticipantsErasureJob extends JobMembers {
  kind: "PARTICIPANTS_ERASURE";
  summary: ParticipantsErasureSummary | null;
}

export type ScreenerSessionAnswersErasureSummary = {
  responses: number;
};

export interface ScreenerSessionAnswersErasureJob extends JobMembers {
  kind: "SCREENER_SESSION_ANSWERS_ERASURE";
  summary: ScreenerSessionAnswersErasureSummary | null;
}

export type ScreenerDeletionSummary = {
  publications: number;
  screenerParticipants: number;
  sessions: number;
  responses: number;
};

export interface ScreenerDeletionJob extends JobMembers {
  kind: "SCREENER_DELETION";
  summary: ScreenerDeletionSummary | null;
}

export type ScreenerTestSessionsDeletionSummary = {
  sessions: number;
  responses: number;
};

export interface ScreenerTestSessionsDeletionJob extends JobMembers {
  kind: "SCREENER_TEST_SESSIONS_DELETION";
  summary: ScreenerTestSessionsDeletionSummary | null;
}

export type WorkspaceSandboxResetSummary = {
  screeners: number;
  publications: number;
  participants: number;
  screenerParticipants: number;
  sessions: number;
  responses: number;
  mailings: number;
  messages: number;
  images: number;
};

export interface WorkspaceSandboxResetJob extends JobMembers {
  kind: "WORKSPACE_SANDBOX_RESET";
  summary: WorkspaceSandboxResetSummary | null;
}

/** `kind` says which it is, and so what `summary` has. Further kinds may come: what all have is JobMembers */
export type Job = ScreenerParticipantsImportJob | ScreenerParticipantsImportUndoJob | ScreenerParticipantsRemovalJob | ScreenerParticipantsRemovalUndoJob | ScreenerPublicationJob | ScreenerSessionsOpeningJob | ScreenerSessionsMoveJob | ScreenerSessionsMoveUndoJob | ScreenerQuotaRecountJob | ScreenerQuotaRecountUndoJob | ScreenerQuotaOfferJob | ScreenerQuotaOfferUndoJob | ScreenerSessionsReviewJob | ScreenerSessionsReviewUndoJob | MailingPlanningJob | ParticipantErasureJob | ParticipantsErasureJob | ScreenerSessionAnswersErasureJob | ScreenerDeletionJob | ScreenerTestSessionsDeletionJob | WorkspaceSandboxResetJob;

export type PaginatedJob = {
  _type: "PaginatedJob";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: Job[];
};

/** A member that has changed. An attribute is `attributes.<key>`. null: none */
export type JobRowChange = {
  field: string;
  from: unknown;
  to: unknown;
};

export type JobRow = {
  _type: "JobRow";
  position: number | null;
  line: number | null;
  externalUid: string | null;
  outcome: "CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED" | "REMOVED" | "ERASED" | "REVERTED" | "KEPT" | "OPENED" | "MOVED" | "COUNTED" | "OFFERED" | "REVIEWED" | "SKIPPED" | "SEND" | "SKIP";
  assigned: boolean;
  participantId: string | null;
  screenerParticipantId: string | null;
  status: string | null;
  sessionId: string | null;
  changes: JobRowChange[];
  errors: ProblemError[];
  reason: string | null;
};

export type PaginatedJobRow = {
  _type: "PaginatedJobRow";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: JobRow[];
};

export type JobApply = { [key: string]: never };

export type JobUndo = {
  dryRun?: boolean | null;
};

/** An API key, a user, a participant in a session (the id is the session's), an operator at the command line, or the service itself */
export type EventActor = {
  _type: "ApplicationActor" | "TenantUserActor" | "ScreenerSessionActor" | "OperatorActor" | "ServiceActor" | (string & {});
  id: string;
  name: string;
};

export type EventResource = {
  _type: string;
  id: string;
};

/** A member that has changed. An attribute is `attributes.<key>`. null: none */
export type EventChange = {
  field: string;
  from: unknown;
  to: unknown;
};

export type EventMembers = {
  _type: "Event";
  id: string;
  type: "screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed" | (string & {});
  createdAt: string;
  actor: EventActor;
  requestId: string | null;
  jobId: string | null;
  resource: EventResource;
  changes: EventChange[];
  summary: { [key: string]: unknown } | null;
  note: string | null;
  /** Its number in the log: 1 for the first event of the workspace, and one more for each that follows, without a gap */
  sequence: number;
  logId: string;
};

export type ScreenerTitleChange = {
  field: "title";
  from: string | null;
  to: string | null;
};

export type ScreenerDescriptionChange = {
  field: "description";
  from: string | null;
  to: string | null;
};

export type ScreenerActivePublicationIdChange = {
  field: "activePublicationId";
  from: string | null;
  to: string | null;
};

export type ScreenerAcceptanceChange = {
  field: "acceptance";
  from: "OPEN" | "PAUSED" | "CLOSED" | null;
  to: "OPEN" | "PAUSED" | "CLOSED" | null;
};

export type ScreenerOpensAtChange = {
  field: "opensAt";
  from: string | null;
  to: string | null;
};

export type ScreenerClosesAtChange = {
  field: "closesAt";
  from: string | null;
  to: string | null;
};

export type ScreenerTimeZoneChange = {
  field: "timeZone";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkExpiresAtChange = {
  field: "linkExpiresAt";
  from: string | null;
  to: string | null;
};

export type ScreenerQuotaHoldMinutesChange = {
  field: "quotaHoldMinutes";
  from: number | null;
  to: number | null;
};

export type ScreenerReviewChange = {
  field: "review";
  from: "NONE" | "ALL" | "SIGNALS" | null;
  to: "NONE" | "ALL" | "SIGNALS" | null;
};

export type ScreenerArchivedChange = {
  field: "archived";
  from: boolean | null;
  to: boolean | null;
};

export type ScreenerSignalsChange = {
  field: "signals";
  from: ScreenerSignalsView | null;
  to: ScreenerSignalsView | null;
};

/** A screener was created. */
export interface ScreenerCreatedEvent extends EventMembers {
  type: "screener.created";
  resource: EventResource & {
    _type: "Screener";
  };
  changes: (ScreenerTitleChange | ScreenerDescriptionChange | ScreenerActivePublicationIdChange | ScreenerAcceptanceChange | ScreenerOpensAtChange | ScreenerClosesAtChange | ScreenerTimeZoneChange | ScreenerLinkExpiresAtChange | ScreenerQuotaHoldMinutesChange | ScreenerReviewChange | ScreenerArchivedChange | ScreenerSignalsChange)[];
}

export type ScreenerContentRevisionChange = {
  field: "content.revision";
  from: unknown;
  to: unknown;
};

export type ScreenerWordChange = {
  field: `words.${string}`;
  from: string | null;
  to: string | null;
};

/** A screener's title, description, settings or draft was changed. */
export interface ScreenerUpdatedEvent extends EventMembers {
  type: "screener.updated";
  resource: EventResource & {
    _type: "Screener";
  };
  changes: (ScreenerTitleChange | ScreenerDescriptionChange | ScreenerActivePublicationIdChange | ScreenerAcceptanceChange | ScreenerOpensAtChange | ScreenerClosesAtChange | ScreenerTimeZoneChange | ScreenerLinkExpiresAtChange | ScreenerQuotaHoldMinutesChange | ScreenerReviewChange | ScreenerArchivedChange | ScreenerSignalsChange | ScreenerContentRevisionChange | ScreenerWordChange)[];
}

/** A screener was published: the new publication is active. */
export interface ScreenerPublishedEvent extends EventMembers {
  type: "screener.published";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** A screener was deleted, with everything of it. */
export interface ScreenerDeletedEvent extends EventMembers {
  type: "screener.deleted";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

export type ScreenerPublicationScreenerIdChange = {
  field: "screenerId";
  from: string | null;
  to: string | null;
};

export type ScreenerPublicationVersionChange = {
  field: "version";
  from: number | null;
  to: number | null;
};

export type ScreenerPublicationStatusChange = {
  field: "status";
  from: "ACTIVE" | "ARCHIVED" | null;
  to: "ACTIVE" | "ARCHIVED" | null;
};

export type ScreenerPublicationTargetQualifiedParticipantsChange = {
  field: "targetQualifiedParticipants";
  from: number | null;
  to: number | null;
};

export type ScreenerPublicationTagsChange = {
  field: "tags";
  from: Tag[] | null;
  to: Tag[] | null;
};

export type ScreenerPublicationLanguagesChange = {
  field: "languages";
  from: string[] | null;
  to: string[] | null;
};

/** A publication's target, tags or status was changed. */
export interface ScreenerPublicationUpdatedEvent extends EventMembers {
  type: "screener-publication.updated";
  resource: EventResource & {
    _type: "ScreenerPublication";
  };
  changes: (ScreenerPublicationScreenerIdChange | ScreenerPublicationVersionChange | ScreenerPublicationStatusChange | ScreenerPublicationTargetQualifiedParticipantsChange | ScreenerPublicationTagsChange | ScreenerPublicationLanguagesChange)[];
}

/** Translations of a screener's draft were changed. */
export interface ScreenerTranslationUpdatedEvent extends EventMembers {
  type: "screener-translation.updated";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** A language of a screener's draft was deleted, with its translations. */
export interface ScreenerTranslationDeletedEvent extends EventMembers {
  type: "screener-translation.deleted";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** As many participants as were wanted have qualified by a publication. */
export interface QuotaReachedEvent extends EventMembers {
  type: "quota.reached";
  resource: EventResource & {
    _type: "ScreenerPublication";
  };
  /** Empty */
  changes: EventChange[];
}

export type ScreenerQuotaLimitChange = {
  field: "limit";
  from: number | null;
  to: number | null;
};

export type ScreenerQuotaPausedChange = {
  field: "paused";
  from: boolean | null;
  to: boolean | null;
};

/** A quota's limit was changed, or it was paused or goes on. */
export interface ScreenerQuotaUpdatedEvent extends EventMembers {
  type: "screener-quota.updated";
  resource: EventResource & {
    _type: "ScreenerQuota";
  };
  changes: (ScreenerQuotaLimitChange | ScreenerQuotaPausedChange)[];
}

/** All places of a quota are taken. */
export interface ScreenerQuotaFullEvent extends EventMembers {
  type: "screener-quota.full";
  resource: EventResource & {
    _type: "ScreenerQuota";
  };
  /** Empty */
  changes: EventChange[];
}

/** A quota that was full has room again. */
export interface ScreenerQuotaOpenedEvent extends EventMembers {
  type: "screener-quota.opened";
  resource: EventResource & {
    _type: "ScreenerQuota";
  };
  /** Empty */
  changes: EventChange[];
}

/** Completed sessions were counted into a quota that is newer. The rows of its job say which. */
export interface ScreenerQuotaRecountedEvent extends EventMembers {
  type: "screener-quota.recounted";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** What a recount did was taken back. */
export interface ScreenerQuotaRecountUndoneEvent extends EventMembers {
  type: "screener-quota.recount-undone";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** Participants who were turned away by a full quota were offered places: their sessions go on. The rows of its job say which. */
export interface ScreenerQuotaOfferedEvent extends EventMembers {
  type: "screener-quota.offered";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** An offer of places was taken back, but for those who have answered since. */
export interface ScreenerQuotaOfferUndoneEvent extends EventMembers {
  type: "screener-quota.offer-undone";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** An image for statements of screeners was sent. */
export interface ImageCreatedEvent extends EventMembers {
  type: "image.created";
  resource: EventResource & {
    _type: "Image";
  };
  /** Empty */
  changes: EventChange[];
}

export type ScreenerLinkScreenerIdChange = {
  field: "screenerId";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkNameChange = {
  field: "name";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkLinkChange = {
  field: "link";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkStatusChange = {
  field: "status";
  from: "OPEN" | "NOT_YET_OPEN" | "CLOSED" | "FULL" | "REVOKED" | null;
  to: "OPEN" | "NOT_YET_OPEN" | "CLOSED" | "FULL" | "REVOKED" | null;
};

export type ScreenerLinkAskChange = {
  field: "ask";
  from: ("EMAIL" | "NAME")[] | null;
  to: ("EMAIL" | "NAME")[] | null;
};

export type ScreenerLinkRequiredChange = {
  field: "required";
  from: boolean | null;
  to: boolean | null;
};

export type ScreenerLinkLimitChange = {
  field: "limit";
  from: number | null;
  to: number | null;
};

export type ScreenerLinkOpensAtChange = {
  field: "opensAt";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkClosesAtChange = {
  field: "closesAt";
  from: string | null;
  to: string | null;
};

export type ScreenerLinkAttributeChange = {
  field: `attributes.${string}`;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
};

export type ScreenerLinkAcceptChange = {
  field: "accept";
  from: string[] | null;
  to: string[] | null;
};

export type ScreenerLinkOneEachChange = {
  field: "oneEach";
  from: "NONE" | "BROWSER" | "EMAIL" | null;
  to: "NONE" | "BROWSER" | "EMAIL" | null;
};

export type ScreenerLinkRequireSignatureChange = {
  field: "requireSignature";
  from: boolean | null;
  to: boolean | null;
};

export type ScreenerLinkConfirmEmailChange = {
  field: "confirmEmail";
  from: boolean | null;
  to: boolean | null;
};

export type ScreenerLinkJoinedChange = {
  field: "joined";
  from: number | null;
  to: number | null;
};

export type ScreenerLinkStartedChange = {
  field: "started";
  from: number | null;
  to: number | null;
};

export type ScreenerLinkCompletedChange = {
  field: "completed";
  from: number | null;
  to: number | null;
};

/** An open link of a screener was created. */
export interface ScreenerLinkCreatedEvent extends EventMembers {
  type: "screener-link.created";
  resource: EventResource & {
    _type: "ScreenerLink";
  };
  changes: (ScreenerLinkScreenerIdChange | ScreenerLinkNameChange | ScreenerLinkLinkChange | ScreenerLinkStatusChange | ScreenerLinkAskChange | ScreenerLinkRequiredChange | ScreenerLinkLimitChange | ScreenerLinkOpensAtChange | ScreenerLinkClosesAtChange | ScreenerLinkAttributeChange | ScreenerLinkAcceptChange | ScreenerLinkOneEachChange | ScreenerLinkRequireSignatureChange | ScreenerLinkConfirmEmailChange | ScreenerLinkJoinedChange | ScreenerLinkStartedChange | ScreenerLinkCompletedChange)[];
}

/** An open link of a screener was changed. */
export interface ScreenerLinkUpdatedEvent extends EventMembers {
  type: "screener-link.updated";
  resource: EventResource & {
    _type: "ScreenerLink";
  };
  changes: (ScreenerLinkScreenerIdChange | ScreenerLinkNameChange | ScreenerLinkLinkChange | ScreenerLinkStatusChange | ScreenerLinkAskChange | ScreenerLinkRequiredChange | ScreenerLinkLimitChange | ScreenerLinkOpensAtChange | ScreenerLinkClosesAtChange | ScreenerLinkAttributeChange | ScreenerLinkAcceptChange | ScreenerLinkOneEachChange | ScreenerLinkRequireSignatureChange | ScreenerLinkConfirmEmailChange | ScreenerLinkJoinedChange | ScreenerLinkStartedChange | ScreenerLinkCompletedChange)[];
}

/** An open link of a screener was revoked: nobody can join by it any more. */
export interface ScreenerLinkRevokedEvent extends EventMembers {
  type: "screener-link.revoked";
  resource: EventResource & {
    _type: "ScreenerLink";
  };
  changes: ScreenerLinkStatusChange[];
}

/** One person was assigned to a screener. */
export interface ScreenerParticipantAddedEvent extends EventMembers {
  type: "screener-participant.added";
  resource: EventResource & {
    _type: "ScreenerParticipant";
  };
  /** Empty */
  changes: EventChange[];
}

/** Somebody has joined a screener by an open link. Its resource is the screener participant. */
export interface ScreenerParticipantJoinedEvent extends EventMembers {
  type: "screener-participant.joined";
  resource: EventResource & {
    _type: "ScreenerParticipant";
  };
  /** Empty */
  changes: EventChange[];
}

/** A mailing was planned and applied: its messages wait to be sent. Its resource is the screener; the summary has the `mailingId`. */
export interface MailingCreatedEvent extends EventMembers {
  type: "mailing.created";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** The first messages of a mailing leave. */
export interface MailingStartedEvent extends EventMembers {
  type: "mailing.started";
  resource: EventResource & {
    _type: "Mailing";
  };
  /** Empty */
  changes: EventChange[];
}

/** A mailing was paused. */
export interface MailingPausedEvent extends EventMembers {
  type: "mailing.paused";
  resource: EventResource & {
    _type: "Mailing";
  };
  /** Empty */
  changes: EventChange[];
}

/** A paused mailing goes on. */
export interface MailingResumedEvent extends EventMembers {
  type: "mailing.resumed";
  resource: EventResource & {
    _type: "Mailing";
  };
  /** Empty */
  changes: EventChange[];
}

/** A mailing was stopped: what waited of it is dropped. */
export interface MailingStoppedEvent extends EventMembers {
  type: "mailing.stopped";
  resource: EventResource & {
    _type: "Mailing";
  };
  /** Empty */
  changes: EventChange[];
}

/** Nothing of a mailing waits any more, no reminder either. The summary says what has become of its messages. */
export interface MailingSentEvent extends EventMembers {
  type: "mailing.sent";
  resource: EventResource & {
    _type: "Mailing";
  };
  /** Empty */
  changes: EventChange[];
}

/** The relay has taken a message of a mailing to a participant. Its resource is the participant; the summary has the `mailingId` and the `messageId`. */
export interface MessageSentEvent extends EventMembers {
  type: "message.sent";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** A message of a mailing to a participant was refused by the relay, or nobody knows whether it was sent: `state` is FAILED or UNCERTAIN. Its resource is the participant. */
export interface MessageFailedEvent extends EventMembers {
  type: "message.failed";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** A message of a mailing to a participant came back. `isHard`: nobody has the address, and it is suppressed. Its resource is the participant. */
export interface MessageBouncedEvent extends EventMembers {
  type: "message.bounced";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

export type ParticipantExternalUidChange = {
  field: "externalUid";
  from: string | null;
  to: string | null;
};

export type ParticipantEmailChange = {
  field: "email";
  from: string | null;
  to: string | null;
};

export type ParticipantNameChange = {
  field: "name";
  from: string | null;
  to: string | null;
};

export type ParticipantAttributeChange = {
  field: `attributes.${string}`;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
};

export type ParticipantDoNotContactChange = {
  field: "doNotContact";
  from: DoNotContact;
  to: DoNotContact;
};

/** A participant was created. Those of an import are the rows of its job. */
export interface ParticipantCreatedEvent extends EventMembers {
  type: "participant.created";
  resource: EventResource & {
    _type: "Participant";
  };
  changes: (ParticipantExternalUidChange | ParticipantEmailChange | ParticipantNameChange | ParticipantAttributeChange | ParticipantDoNotContactChange)[];
}

/** A participant was changed. What an import changes is in the rows of its job. */
export interface ParticipantUpdatedEvent extends EventMembers {
  type: "participant.updated";
  resource: EventResource & {
    _type: "Participant";
  };
  changes: (ParticipantExternalUidChange | ParticipantEmailChange | ParticipantNameChange | ParticipantAttributeChange | ParticipantDoNotContactChange)[];
}

/** Staff wrote a note on a participant. What it says is not in the log. */
export interface ParticipantNoteWrittenEvent extends EventMembers {
  type: "participant-note.written";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** A note on a participant was deleted. */
export interface ParticipantNoteDeletedEvent extends EventMembers {
  type: "participant-note.deleted";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** A participant was erased, with everything of the person. */
export interface ParticipantErasedEvent extends EventMembers {
  type: "participant.erased";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** An assignment was removed, and its sessions were archived. */
export interface ScreenerParticipantRemovedEvent extends EventMembers {
  type: "screener-participant.removed";
  resource: EventResource & {
    _type: "ScreenerParticipant";
  };
  /** Empty */
  changes: EventChange[];
}

export type ScreenerSessionScreenerIdChange = {
  field: "screenerId";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionScreenerParticipantIdChange = {
  field: "screenerParticipantId";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionScreenerPublicationIdChange = {
  field: "screenerPublicationId";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionScreenerSessionLinkChange = {
  field: "screenerSessionLink";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionLinkSlugChange = {
  field: "linkSlug";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionStatusChange = {
  field: "status";
  from: "ACTIVE" | "ARCHIVED" | "REMOVED" | null;
  to: "ACTIVE" | "ARCHIVED" | "REMOVED" | null;
};

export type ScreenerSessionStateChange = {
  field: "state";
  from: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED" | null;
  to: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED" | null;
};

export type ScreenerSessionOutcomeReasonChange = {
  field: "outcomeReason";
  from: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | null;
  to: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT" | null;
};

export type ScreenerSessionStartedAtChange = {
  field: "startedAt";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionLastActiveAtChange = {
  field: "lastActiveAt";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionCompletedAtChange = {
  field: "completedAt";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionAssignedTagsChange = {
  field: "assignedTags";
  from: Tag[] | null;
  to: Tag[] | null;
};

export type ScreenerSessionReferenceChange = {
  field: "reference";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionIsTestChange = {
  field: "isTest";
  from: boolean | null;
  to: boolean | null;
};

export type ScreenerSessionOutcomeQuotaIdsChange = {
  field: "outcomeQuotaIds";
  from: string[] | null;
  to: string[] | null;
};

export type ScreenerSessionScreenerLinkIdChange = {
  field: "screenerLinkId";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionArmsChange = {
  field: "arms";
  from: ScreenerSessionArm[] | null;
  to: ScreenerSessionArm[] | null;
};

export type ScreenerSessionLanguageChange = {
  field: "language";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionWithdrawnAtChange = {
  field: "withdrawnAt";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionWithdrawnConsentsChange = {
  field: "withdrawnConsents";
  from: WithdrawnConsent[] | null;
  to: WithdrawnConsent[] | null;
};

export type ScreenerSessionAnswersErasedAtChange = {
  field: "answersErasedAt";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionOrdersChange = {
  field: "orders";
  from: ScreenerSessionOrder[] | null;
  to: ScreenerSessionOrder[] | null;
};

export type ScreenerSessionReviewChange = {
  field: "review";
  /** Null: it is not reviewed */
  from: ScreenerSessionReview | null;
  /** Null: it is not reviewed */
  to: ScreenerSessionReview | null;
};

export type ScreenerSessionSignalsChange = {
  field: "signals";
  from: ScreenerSessionSignal[] | null;
  to: ScreenerSessionSignal[] | null;
};

export type ScreenerSessionOutcomeChange = {
  field: "outcome";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionScreenerParticipantCurrentSessionIdChange = {
  field: "screenerParticipant.currentSessionId";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionScreenerParticipantStatusChange = {
  field: "screenerParticipant.status";
  from: string | null;
  to: string | null;
};

export type ScreenerSessionCreatedAtChange = {
  field: "createdAt";
  from: string | null;
  to: string | null;
};

/** A session was opened. */
export interface ScreenerSessionCreatedEvent extends EventMembers {
  type: "screener-session.created";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange | ScreenerSessionCreatedAtChange)[];
}

/** A participant has sent the first answers of a session. */
export interface ScreenerSessionStartedEvent extends EventMembers {
  type: "screener-session.started";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A participant has chosen the language of a session's pages. */
export interface ScreenerSessionLanguageChosenEvent extends EventMembers {
  type: "screener-session.language-chosen";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: ScreenerSessionLanguageChange[];
}

/** A participant has sent more answers of a session. */
export interface ScreenerSessionAnsweredEvent extends EventMembers {
  type: "screener-session.answered";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A session was completed. */
export interface ScreenerSessionCompletedEvent extends EventMembers {
  type: "screener-session.completed";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A participant has withdrawn from a session. */
export interface ScreenerSessionWithdrawnEvent extends EventMembers {
  type: "screener-session.withdrawn";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** The answers of a session were erased, whose participant has withdrawn. */
export interface ScreenerSessionAnswersErasedEvent extends EventMembers {
  type: "screener-session.answers-erased";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: ScreenerSessionAnswersErasedAtChange[];
}

/** A participant has unsubscribed from mail about a study, or from all. Its resource is the session; the summary has the `scope`. */
export interface ParticipantUnsubscribedEvent extends EventMembers {
  type: "participant.unsubscribed";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  /** Empty */
  changes: EventChange[];
}

/** A participant who had unsubscribed wants mail again. Its resource is the session; the summary has the `scope`. */
export interface ParticipantSubscribedEvent extends EventMembers {
  type: "participant.subscribed";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  /** Empty */
  changes: EventChange[];
}

/** A participant has asked for their data, or to be erased. Its resource is the session; the summary has the `participantRequestId` and the `kind`. */
export interface ParticipantRequestCreatedEvent extends EventMembers {
  type: "participant-request.created";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  /** Empty */
  changes: EventChange[];
}

/** What a participant has asked for is done. Its resource is the participant; the summary has the `participantRequestId` and the `kind`. */
export interface ParticipantRequestClosedEvent extends EventMembers {
  type: "participant-request.closed";
  resource: EventResource & {
    _type: "Participant";
  };
  /** Empty */
  changes: EventChange[];
}

/** An address is not written to any more. The summary has the `reason`. */
export interface MailSuppressionCreatedEvent extends EventMembers {
  type: "mail-suppression.created";
  resource: EventResource & {
    _type: "MailSuppression";
  };
  /** Empty */
  changes: EventChange[];
}

/** An address is written to again. The summary has the `reason` why it was not. */
export interface MailSuppressionDeletedEvent extends EventMembers {
  type: "mail-suppression.deleted";
  resource: EventResource & {
    _type: "MailSuppression";
  };
  /** Empty */
  changes: EventChange[];
}

export type ScreenerSessionReasonChange = {
  field: "reason";
  from: string | null;
  to: string | null;
};

/** A person has set the outcome of a session, or has taken that back. */
export interface ScreenerSessionOverriddenEvent extends EventMembers {
  type: "screener-session.overridden";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionOutcomeChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionReasonChange | ScreenerSessionReviewChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A person has reviewed a session and accepted it: its places are taken. */
export interface ScreenerSessionAcceptedEvent extends EventMembers {
  type: "screener-session.accepted";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: ScreenerSessionReviewChange[];
}

/** A person has reviewed a session and rejected it: its places were given back. */
export interface ScreenerSessionRejectedEvent extends EventMembers {
  type: "screener-session.rejected";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: ScreenerSessionReviewChange[];
}

/** What was decided about a session was taken back: it waits for its review again. */
export interface ScreenerSessionReviewReopenedEvent extends EventMembers {
  type: "screener-session.review-reopened";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: ScreenerSessionReviewChange[];
}

/** The places that were offered for a session have lapsed: it is turned away by the full quota again. */
export interface ScreenerSessionOfferLapsedEvent extends EventMembers {
  type: "screener-session.offer-lapsed";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A session was removed. */
export interface ScreenerSessionRemovedEvent extends EventMembers {
  type: "screener-session.removed";
  resource: EventResource & {
    _type: "ScreenerSession";
  };
  changes: (ScreenerSessionScreenerIdChange | ScreenerSessionScreenerParticipantIdChange | ScreenerSessionScreenerPublicationIdChange | ScreenerSessionScreenerSessionLinkChange | ScreenerSessionLinkSlugChange | ScreenerSessionStatusChange | ScreenerSessionStateChange | ScreenerSessionOutcomeReasonChange | ScreenerSessionStartedAtChange | ScreenerSessionLastActiveAtChange | ScreenerSessionCompletedAtChange | ScreenerSessionAssignedTagsChange | ScreenerSessionReferenceChange | ScreenerSessionIsTestChange | ScreenerSessionOutcomeQuotaIdsChange | ScreenerSessionScreenerLinkIdChange | ScreenerSessionArmsChange | ScreenerSessionLanguageChange | ScreenerSessionWithdrawnAtChange | ScreenerSessionWithdrawnConsentsChange | ScreenerSessionAnswersErasedAtChange | ScreenerSessionOrdersChange | ScreenerSessionReviewChange | ScreenerSessionSignalsChange | ScreenerSessionOutcomeChange | ScreenerSessionScreenerParticipantCurrentSessionIdChange | ScreenerSessionScreenerParticipantStatusChange)[];
}

/** A session was opened for every assignment that had none. */
export interface ScreenerSessionsOpenedEvent extends EventMembers {
  type: "screener-sessions.opened";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** The test sessions of a screener were deleted, with their answers. */
export interface ScreenerSessionsTestsDeletedEvent extends EventMembers {
  type: "screener-sessions.tests-deleted";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** Many participants were erased at once. Before it, each of them has a `participant.erased` of its own. */
export interface ParticipantsErasedEvent extends EventMembers {
  type: "participants.erased";
  resource: EventResource & {
    _type: "Job";
  };
  /** Empty */
  changes: EventChange[];
}

/** Many screener participants were removed at once, with their sessions archived. The rows of its job say which. */
export interface ScreenerParticipantsRemovedEvent extends EventMembers {
  type: "screener-participants.removed";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** A removal of many screener participants, or its undo, was taken back. */
export interface ScreenerParticipantsRemovalUndoneEvent extends EventMembers {
  type: "screener-participants.removal-undone";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** Sessions that nobody had begun went on with the active publication. The rows of its job say which. */
export interface ScreenerSessionsMovedEvent extends EventMembers {
  type: "screener-sessions.moved";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** What a move of sessions did, or its undo, was taken back. */
export interface ScreenerSessionsMovedBackEvent extends EventMembers {
  type: "screener-sessions.moved-back";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** Many sessions were accepted or rejected at once. Each of them has an event of its own, too. */
export interface ScreenerSessionsReviewedEvent extends EventMembers {
  type: "screener-sessions.reviewed";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** What was decided about many sessions at once was taken back. */
export interface ScreenerSessionsReviewUndoneEvent extends EventMembers {
  type: "screener-sessions.review-undone";
  resource: EventResource & {
    _type: "Screener";
  };
  /** Empty */
  changes: EventChange[];
}

/** An import or an undo has ended as a plan: nothing was changed. */
export interface ImportPlannedEvent extends EventMembers {
  type: "import.planned";
  resource: EventResource & {
    _type: "Screener" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** An import was applied. The rows of its job say whom it created or changed. */
export interface ImportCompletedEvent extends EventMembers {
  type: "import.completed";
  resource: EventResource & {
    _type: "Screener" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** An import or an undo has failed: nothing was changed. */
export interface ImportFailedEvent extends EventMembers {
  type: "import.failed";
  resource: EventResource & {
    _type: "Screener" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** What an import did, or an undo, was taken back. */
export interface ImportUndoneEvent extends EventMembers {
  type: "import.undone";
  resource: EventResource & {
    _type: "Screener" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** A job that is neither an import nor an undo of one has ended as a plan: nothing was changed. */
export interface JobPlannedEvent extends EventMembers {
  type: "job.planned";
  resource: EventResource & {
    _type: "Screener" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** A job that is neither an import nor an undo of one has failed. Nothing was changed, unless it was an erasure of many: each whom that had erased has an event of their own. */
export interface JobFailedEvent extends EventMembers {
  type: "job.failed";
  resource: EventResource & {
    _type: "Screener" | "Participant" | "ScreenerSession" | "Workspace" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** A job was cancelled, or a plan was ended: nothing was changed. */
export interface JobCancelledEvent extends EventMembers {
  type: "job.cancelled";
  resource: EventResource & {
    _type: "Screener" | "Participant" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** Somebody has a job run again that had failed for a reason of the service's own. */
export interface JobRetriedEvent extends EventMembers {
  type: "job.retried";
  resource: EventResource & {
    _type: "Screener" | "Participant" | "Job" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

export type WorkspaceNameChange = {
  field: "name";
  from: string | null;
  to: string | null;
};

export type WorkspaceIsSandboxChange = {
  field: "isSandbox";
  from: boolean | null;
  to: boolean | null;
};

/** The workspace was created. */
export interface WorkspaceCreatedEvent extends EventMembers {
  type: "workspace.created";
  resource: EventResource & {
    _type: "Workspace";
  };
  changes: (WorkspaceNameChange | WorkspaceIsSandboxChange)[];
}

export type WorkspaceMaxRemovalsChange = {
  field: "maxRemovals";
  from: number | string | null;
  to: number | string | null;
};

export type WorkspaceAnswersMonthsChange = {
  field: "answersMonths";
  from: number | null;
  to: number | null;
};

export type WorkspaceUnassignedDaysChange = {
  field: "unassignedDays";
  from: number | null;
  to: number | null;
};

export type WorkspaceAccentColorChange = {
  field: "accentColor";
  from: string | null;
  to: string | null;
};

export type WorkspaceAccentColorLightChange = {
  field: "accentColorLight";
  from: string | null;
  to: string | null;
};

export type WorkspaceAccentColorDarkChange = {
  field: "accentColorDark";
  from: string | null;
  to: string | null;
};

export type WorkspacePrivacyUrlChange = {
  field: "privacyUrl";
  from: string | null;
  to: string | null;
};

export type WorkspaceContactUrlChange = {
  field: "contactUrl";
  from: string | null;
  to: string | null;
};

export type WorkspaceLogoChange = {
  field: "logo";
  from: {
    url: string;
    width: number;
    height: number;
  } | null;
  to: {
    url: string;
    width: number;
    height: number;
  } | null;
};

export type WorkspaceFrameAncestorsChange = {
  field: "frameAncestors";
  from: string[] | null;
  to: string[] | null;
};

export type WorkspaceContactCapChange = {
  field: "contactCap";
  from: {
    messages: number;
    days: number;
  } | null;
  to: {
    messages: number;
    days: number;
  } | null;
};

export type WorkspaceRequiresTwoFactorChange = {
  field: "requiresTwoFactor";
  from: boolean | null;
  to: boolean | null;
};

export type WorkspaceSigningKeyChange = {
  field: "signingKey";
  from: string | null;
  to: string | null;
};

export type WorkspaceAttributesChange = {
  field: "attributes";
  from: string[] | null;
  to: string[] | null;
};

export type WorkspaceAttributeChange = {
  field: `attributes.${string}`;
  from: {
    label: string | null;
    type: string;
    values?: string[];
  } | null;
  to: {
    label: string | null;
    type: string;
    values?: string[];
  } | null;
};

export type WorkspaceWordChange = {
  field: `words.${string}`;
  from: string | null;
  to: string | null;
};

/** A setting of the workspace was changed, or its name. */
export interface WorkspaceUpdatedEvent extends EventMembers {
  type: "workspace.updated";
  resource: EventResource & {
    _type: "Workspace";
  };
  changes: (WorkspaceNameChange | WorkspaceMaxRemovalsChange | WorkspaceAnswersMonthsChange | WorkspaceUnassignedDaysChange | WorkspaceAccentColorChange | WorkspaceAccentColorLightChange | WorkspaceAccentColorDarkChange | WorkspacePrivacyUrlChange | WorkspaceContactUrlChange | WorkspaceLogoChange | WorkspaceFrameAncestorsChange | WorkspaceContactCapChange | WorkspaceRequiresTwoFactorChange | WorkspaceSigningKeyChange | WorkspaceAttributesChange | WorkspaceAttributeChange | WorkspaceWordChange)[];
}

export type WorkspaceSuspendedAtChange = {
  field: "suspendedAt";
  from: string | null;
  to: string | null;
};

/** The workspace was suspended. */
export interface WorkspaceSuspendedEvent extends EventMembers {
  type: "workspace.suspended";
  resource: EventResource & {
    _type: "Workspace";
  };
  changes: WorkspaceSuspendedAtChange[];
}

/** The workspace was restored from a backup: what came later is lost. */
export interface WorkspaceRestoredEvent extends EventMembers {
  type: "workspace.restored";
  resource: EventResource & {
    _type: "Workspace";
  };
  /** Empty */
  changes: EventChange[];
}

/** The workspace, a sandbox, was emptied. The summary says how much there was. */
export interface WorkspaceSandboxResetEvent extends EventMembers {
  type: "workspace.sandbox-reset";
  resource: EventResource & {
    _type: "Workspace";
  };
  /** Empty */
  changes: EventChange[];
}

export type WorkspaceCellChange = {
  field: "cell";
  from: string | null;
  to: string | null;
};

/** The workspace has moved to another cell. */
export interface WorkspaceMovedEvent extends EventMembers {
  type: "workspace.moved";
  resource: EventResource & {
    _type: "Workspace";
  };
  changes: WorkspaceCellChange[];
}

/** The workspace is in service again. */
export interface WorkspaceResumedEvent extends EventMembers {
  type: "workspace.resumed";
  resource: EventResource & {
    _type: "Workspace";
  };
  changes: WorkspaceSuspendedAtChange[];
}

/** The values of an attribute of participants have an index. */
export interface AttributeIndexCreatedEvent extends EventMembers {
  type: "attribute-index.created";
  resource: EventResource & {
    _type: "Workspace";
  };
  /** Empty */
  changes: EventChange[];
}

/** The values of an attribute have no index any more. */
export interface AttributeIndexRemovedEvent extends EventMembers {
  type: "attribute-index.removed";
  resource: EventResource & {
    _type: "Workspace";
  };
  /** Empty */
  changes: EventChange[];
}

/** A file with people's data, or a codebook, was downloaded, or many rows were shown page by page. The summary says what it had. */
export interface DataExportedEvent extends EventMembers {
  type: "data.exported";
  resource: EventResource & {
    _type: "Screener" | "Participant" | "Workspace" | (string & {});
  };
  /** Empty */
  changes: EventChange[];
}

/** What is older than the workspace keeps was removed. */
export interface RetentionAppliedEvent extends EventMembers {
  type: "retention.applied";
  resource: EventResource & {
    _type: "Workspace";
  };
  /** Empty */
  changes: EventChange[];
}

export type UserNameChange = {
  field: "name";
  from: string | null;
  to: string | null;
};

export type UserRoleChange = {
  field: "role";
  from: string | null;
  to: string | null;
};

/** A user was created. */
export interface UserCreatedEvent extends EventMembers {
  type: "user.created";
  resource: EventResource & {
    _type: "User";
  };
  changes: (UserNameChange | UserRoleChange)[];
}

/** A user was given a link to choose another password for the console. */
export interface UserLinkIssuedEvent extends EventMembers {
  type: "user.link-issued";
  resource: EventResource & {
    _type: "User";
  };
  /** Empty */
  changes: EventChange[];
}

/** Somebody who was invited has come with an account that other workspaces have, too. */
export interface UserJoinedEvent extends EventMembers {
  type: "user.joined";
  resource: EventResource & {
    _type: "User";
  };
  /** Empty */
  changes: EventChange[];
}

export type UserTwoFactorChange = {
  field: "twoFactor";
  from: boolean | null;
  to: boolean | null;
};

/** A user has set up two-factor sign-in: the sign-in asks for a code, too. */
export interface UserTwoFactorSetUpEvent extends EventMembers {
  type: "user.two-factor-set-up";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserTwoFactorChange[];
}

/** Two-factor sign-in of a user was turned off, by the user, an admin or an operator. */
export interface UserTwoFactorRemovedEvent extends EventMembers {
  type: "user.two-factor-removed";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserTwoFactorChange[];
}

export type UserOidcIssuerChange = {
  field: "oidcIssuer";
  from: string | null;
  to: string | null;
};

/** A user has signed in by single sign-on for the first time, and is tied to that account from now on. */
export interface UserTiedEvent extends EventMembers {
  type: "user.tied";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserOidcIssuerChange[];
}

/** A user was untied from the account of single sign-on. The sessions in the console have ended. */
export interface UserUntiedEvent extends EventMembers {
  type: "user.untied";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserOidcIssuerChange[];
}

export type UserDisabledAtChange = {
  field: "disabledAt";
  from: string | null;
  to: string | null;
};

/** A user was disabled: the tokens and sessions do not work. */
export interface UserDisabledEvent extends EventMembers {
  type: "user.disabled";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserDisabledAtChange[];
}

/** A user was enabled again. */
export interface UserEnabledEvent extends EventMembers {
  type: "user.enabled";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserDisabledAtChange[];
}

/** A user has got another role. */
export interface UserRoleChangedEvent extends EventMembers {
  type: "user.role-changed";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserRoleChange[];
}

export type UserIsOperatorChange = {
  field: "isOperator";
  from: boolean | null;
  to: boolean | null;
};

/** A user may see the figures of the whole installation, or may not any more. */
export interface UserUpdatedEvent extends EventMembers {
  type: "user.updated";
  resource: EventResource & {
    _type: "User";
  };
  changes: UserIsOperatorChange[];
}

export type ApiKeyNameChange = {
  field: "name";
  from: string | null;
  to: string | null;
};

export type ApiKeyScopesChange = {
  field: "scopes";
  from: string[] | null;
  to: string[] | null;
};

export type ApiKeySecretsChange = {
  field: "secrets";
  from: {
    createdAt: string;
    expiresAt: string | null;
  }[] | null;
  to: {
    createdAt: string;
    expiresAt: string | null;
  }[] | null;
};

/** An API key was issued. */
export interface ApiKeyCreatedEvent extends EventMembers {
  type: "api-key.created";
  resource: EventResource & {
    _type: "ApiKey";
  };
  changes: (ApiKeyNameChange | ApiKeyScopesChange | ApiKeySecretsChange)[];
}

/** An API key has got a new secret. */
export interface ApiKeyRotatedEvent extends EventMembers {
  type: "api-key.rotated";
  resource: EventResource & {
    _type: "ApiKey";
  };
  changes: ApiKeySecretsChange[];
}

export type ApiKeyRevokedAtChange = {
  field: "revokedAt";
  from: string | null;
  to: string | null;
};

/** An API key was revoked. */
export interface ApiKeyRevokedEvent extends EventMembers {
  type: "api-key.revoked";
  resource: EventResource & {
    _type: "ApiKey";
  };
  changes: (ApiKeySecretsChange | ApiKeyRevokedAtChange)[];
}

export type AccessTokenUserIdChange = {
  field: "userId";
  from: string | null;
  to: string | null;
};

export type AccessTokenScopesChange = {
  field: "scopes";
  from: string[] | null;
  to: string[] | null;
};

export type AccessTokenExpiresAtChange = {
  field: "expiresAt";
  from: string | null;
  to: string | null;
};

/** An access token was issued. */
export interface AccessTokenCreatedEvent extends EventMembers {
  type: "access-token.created";
  resource: EventResource & {
    _type: "AccessToken";
  };
  changes: (AccessTokenUserIdChange | AccessTokenScopesChange | AccessTokenExpiresAtChange)[];
}

export type AccessTokenRevokedAtChange = {
  field: "revokedAt";
  from: string | null;
  to: string | null;
};

/** An access token was revoked. */
export interface AccessTokenRevokedEvent extends EventMembers {
  type: "access-token.revoked";
  resource: EventResource & {
    _type: "AccessToken";
  };
  changes: AccessTokenRevokedAtChange[];
}

export type WebhookEndpointUrlChange = {
  field: "url";
  from: string | null;
  to: string | null;
};

export type WebhookEndpointTypesChange = {
  field: "types";
  from: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
  to: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
};

export type WebhookEndpointStatusChange = {
  field: "status";
  from: "ENABLED" | "DISABLED" | null;
  to: "ENABLED" | "DISABLED" | null;
};

export type WebhookEndpointDisabledReasonChange = {
  field: "disabledReason";
  from: "GONE" | "FAILING" | null;
  to: "GONE" | "FAILING" | null;
};

export type WebhookEndpointDisabledAtChange = {
  field: "disabledAt";
  from: string | null;
  to: string | null;
};

export type WebhookEndpointFailingSinceChange = {
  field: "failingSince";
  from: string | null;
  to: string | null;
};

export type WebhookEndpointPreviousSecretExpiresAtChange = {
  field: "previousSecretExpiresAt";
  from: string | null;
  to: string | null;
};

export type WebhookEndpointOrderedChange = {
  field: "ordered";
  from: boolean | null;
  to: boolean | null;
};

/** A webhook endpoint was created. */
export interface WebhookEndpointCreatedEvent extends EventMembers {
  type: "webhook-endpoint.created";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  changes: (WebhookEndpointUrlChange | WebhookEndpointTypesChange | WebhookEndpointStatusChange | WebhookEndpointDisabledReasonChange | WebhookEndpointDisabledAtChange | WebhookEndpointFailingSinceChange | WebhookEndpointPreviousSecretExpiresAtChange | WebhookEndpointOrderedChange)[];
}

/** A webhook endpoint was changed, or has got a new secret. */
export interface WebhookEndpointUpdatedEvent extends EventMembers {
  type: "webhook-endpoint.updated";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  changes: (WebhookEndpointUrlChange | WebhookEndpointTypesChange | WebhookEndpointStatusChange | WebhookEndpointDisabledReasonChange | WebhookEndpointDisabledAtChange | WebhookEndpointFailingSinceChange | WebhookEndpointPreviousSecretExpiresAtChange | WebhookEndpointOrderedChange)[];
}

/** A webhook endpoint was disabled, because its receiver said so or failed for days. */
export interface WebhookEndpointDisabledEvent extends EventMembers {
  type: "webhook-endpoint.disabled";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  changes: (WebhookEndpointUrlChange | WebhookEndpointTypesChange | WebhookEndpointStatusChange | WebhookEndpointDisabledReasonChange | WebhookEndpointDisabledAtChange | WebhookEndpointFailingSinceChange | WebhookEndpointPreviousSecretExpiresAtChange | WebhookEndpointOrderedChange)[];
}

/** A webhook endpoint was deleted. */
export interface WebhookEndpointDeletedEvent extends EventMembers {
  type: "webhook-endpoint.deleted";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  changes: (WebhookEndpointUrlChange | WebhookEndpointTypesChange | WebhookEndpointStatusChange | WebhookEndpointDisabledReasonChange | WebhookEndpointDisabledAtChange | WebhookEndpointFailingSinceChange | WebhookEndpointPreviousSecretExpiresAtChange | WebhookEndpointOrderedChange)[];
}

/** A test was sent to a webhook endpoint. */
export interface WebhookEndpointTestedEvent extends EventMembers {
  type: "webhook-endpoint.tested";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  /** Empty */
  changes: EventChange[];
}

/** Deliveries of webhooks were asked for again. */
export interface WebhookDeliveriesReplayedEvent extends EventMembers {
  type: "webhook-deliveries.replayed";
  resource: EventResource & {
    _type: "WebhookEndpoint";
  };
  /** Empty */
  changes: EventChange[];
}

/** `type` says which it is. Further types may come: what all have is EventMembers */
export type Event = ScreenerCreatedEvent | ScreenerUpdatedEvent | ScreenerPublishedEvent | ScreenerDeletedEvent | ScreenerPublicationUpdatedEvent | ScreenerTranslationUpdatedEvent | ScreenerTranslationDeletedEvent | QuotaReachedEvent | ScreenerQuotaUpdatedEvent | ScreenerQuotaFullEvent | ScreenerQuotaOpenedEvent | ScreenerQuotaRecountedEvent | ScreenerQuotaRecountUndoneEvent | ScreenerQuotaOfferedEvent | ScreenerQuotaOfferUndoneEvent | ImageCreatedEvent | ScreenerLinkCreatedEvent | ScreenerLinkUpdatedEvent | ScreenerLinkRevokedEvent | ScreenerParticipantAddedEvent | ScreenerParticipantJoinedEvent | MailingCreatedEvent | MailingStartedEvent | MailingPausedEvent | MailingResumedEvent | MailingStoppedEvent | MailingSentEvent | MessageSentEvent | MessageFailedEvent | MessageBouncedEvent | ParticipantCreatedEvent | ParticipantUpdatedEvent | ParticipantNoteWrittenEvent | ParticipantNoteDeletedEvent | ParticipantErasedEvent | ScreenerParticipantRemovedEvent | ScreenerSessionCreatedEvent | ScreenerSessionStartedEvent | ScreenerSessionLanguageChosenEvent | ScreenerSessionAnsweredEvent | ScreenerSessionCompletedEvent | ScreenerSessionWithdrawnEvent | ScreenerSessionAnswersErasedEvent | ParticipantUnsubscribedEvent | ParticipantSubscribedEvent | ParticipantRequestCreatedEvent | ParticipantRequestClosedEvent | MailSuppressionCreatedEvent | MailSuppressionDeletedEvent | ScreenerSessionOverriddenEvent | ScreenerSessionAcceptedEvent | ScreenerSessionRejectedEvent | ScreenerSessionReviewReopenedEvent | ScreenerSessionOfferLapsedEvent | ScreenerSessionRemovedEvent | ScreenerSessionsOpenedEvent | ScreenerSessionsTestsDeletedEvent | ParticipantsErasedEvent | ScreenerParticipantsRemovedEvent | ScreenerParticipantsRemovalUndoneEvent | ScreenerSessionsMovedEvent | ScreenerSessionsMovedBackEvent | ScreenerSessionsReviewedEvent | ScreenerSessionsReviewUndoneEvent | ImportPlannedEvent | ImportCompletedEvent | ImportFailedEvent | ImportUndoneEvent | JobPlannedEvent | JobFailedEvent | JobCancelledEvent | JobRetriedEvent | WorkspaceCreatedEvent | WorkspaceUpdatedEvent | WorkspaceSuspendedEvent | WorkspaceRestoredEvent | WorkspaceSandboxResetEvent | WorkspaceMovedEvent | WorkspaceResumedEvent | AttributeIndexCreatedEvent | AttributeIndexRemovedEvent | DataExportedEvent | RetentionAppliedEvent | UserCreatedEvent | UserLinkIssuedEvent | UserJoinedEvent | UserTwoFactorSetUpEvent | UserTwoFactorRemovedEvent | UserTiedEvent | UserUntiedEvent | UserDisabledEvent | UserEnabledEvent | UserRoleChangedEvent | UserUpdatedEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyRevokedEvent | AccessTokenCreatedEvent | AccessTokenRevokedEvent | WebhookEndpointCreatedEvent | WebhookEndpointUpdatedEvent | WebhookEndpointDisabledEvent | WebhookEndpointDeletedEvent | WebhookEndpointTestedEvent | WebhookDeliveriesReplayedEvent;

export type PaginatedEvent = {
  _type: "PaginatedEvent";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: Event[];
};

export type EventFeed = {
  _type: "EventFeed";
  items: Event[];
  /** The last event, to go on with as `after`. null: the log is empty */
  cursor: string | null;
  /** Which log `sequence` counts in. It changes when a backup is restored: what came after the backup is lost, and its numbers come again */
  logId: string;
};

export type AppearanceLogo = {
  url: string;
  width: number;
  height: number;
};

export type Appearance = {
  _type: "Appearance";
  accentColor: string | null;
  accentColorLight: string | null;
  accentColorDark: string | null;
  privacyUrl: string | null;
  contactUrl: string | null;
  logo: AppearanceLogo | null;
  frameAncestors: string[];
};

export type AppearanceChange = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  accentColorLight?: unknown;
  /** Ignored, so that what was read can be sent back */
  accentColorDark?: unknown;
  /** Ignored, so that what was read can be sent back */
  logo?: unknown;
  accentColor?: string | null;
  privacyUrl?: string | null;
  contactUrl?: string | null;
  frameAncestors?: string[];
  logoFile?: string | null;
};

export type NewImage = {
  /** A PNG, JPEG or WebP image in base64 */
  file: string;
};

export type Image = {
  _type: "Image";
  id: string;
  /** Of a WebP file, which never changes */
  url: string;
  /** In pixels of the file. It is shown in half of it, or smaller */
  width: number;
  height: number;
  /** Of the file */
  bytes: number;
};

export type AttributeType = {
  key: string;
  label: string | null;
  type: "TEXT" | "NUMBER" | "DATE" | "BOOLEAN" | "CHOICE";
  /** Of a CHOICE */
  values?: string[];
};

export type WorkspaceAttributes = {
  _type: "WorkspaceAttributes";
  attributes: AttributeType[];
};

export type AttributeTypeInput = {
  key: string;
  label?: string | null;
  type: "TEXT" | "NUMBER" | "DATE" | "BOOLEAN" | "CHOICE";
  values?: string[] | null;
};

export type WorkspaceAttributesInput = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  attributes: AttributeTypeInput[];
};

export type PageLanguage = {
  _type: "PageLanguage";
  language: string;
  direction: "ltr" | "rtl";
  /** Whether the service has words of its own for it */
  isBuiltIn: boolean;
  /** How many texts the workspace has in place of the service's */
  ownTexts: number;
};

export type PageLanguages = {
  items: PageLanguage[];
};

export type PageWord = {
  /** With a plural form of the language behind a point: `problems.one` */
  key: string;
  /** What the pages say. `{name}` is replaced by a value */
  text: string;
  /** The same in English */
  source: string;
  /** What the pages would say without a text that was given here */
  default: string;
  /** Whether nobody has said it in this language: the pages say it in English */
  isMissing: boolean;
  /** Whether it was given here, in place of what the pages would say */
  isOwn: boolean;
};

export type PageWords = {
  _type: "PageWords";
  language: string;
  direction: "ltr" | "rtl";
  words: PageWord[];
};

export type PageWordChange = {
  /** Ignored, so that what was read can be sent back */
  source?: unknown;
  /** Ignored, so that what was read can be sent back */
  default?: unknown;
  /** Ignored, so that what was read can be sent back */
  isMissing?: unknown;
  /** Ignored, so that what was read can be sent back */
  isOwn?: unknown;
  key: string;
  text: string | null;
};

export type PageWordsChange = {
  /** Ignored, so that what was read can be sent back */
  _type?: unknown;
  /** Ignored, so that what was read can be sent back */
  language?: unknown;
  /** Ignored, so that what was read can be sent back */
  direction?: unknown;
  words: PageWordChange[];
};

/** How many messages of mailings a participant gets within some days, over all studies; null: as many as there are */
export type ContactCap = {
  messages: number;
  days: number;
} | null;

export type MailSettings = {
  _type: "MailSettings";
  /** Whether the service can send mail: whether SMTP_URL is set */
  isConfigured: boolean;
  /** Host and port of the relay */
  relay: string | null;
  from: string | null;
  replyTo: string | null;
  /** Messages that leave in a minute, of all workspaces together */
  perMinute: number | null;
  /** The domain for which the service signs. null: it does not */
  dkimDomain: string | null;
  contactCap: ContactCap;
};

export type MailSettingsChange = {
  contactCap?: ContactCap;
};

export type NewMailTest = {
  to: string;
};

export type MailTest = {
  _type: "MailTest";
  /** SENT: the relay has taken it. DEFERRED: it could not be reached, or will not take it now. FAILED: it refuses it. UNCERTAIN: the connection ended before its reply */
  status: "SENT" | "DEFERRED" | "FAILED" | "UNCERTAIN";
  /** The words of the relay, or why there are none */
  reply: string;
};

/** How many messages, reminders among them, are in each state */
export type MailingMessageCounts = {
  READY: number;
  SENDING: number;
  SENT: number;
  DEFERRED: number;
  FAILED: number;
  DROPPED: number;
  UNCERTAIN: number;
  BOUNCED: number;
};

export type Mailing = {
  _type: "Mailing";
  id: string;
  screenerId: string;
  name: string;
  kind: "INVITATION" | "REMINDER" | "MESSAGE" | (string & {});
  status: "SCHEDULED" | "SENDING" | "PAUSED" | "STOPPED" | "SENT";
  pausedBecause: "PERSON" | "RESTORED" | null;
  language: string;
  subject: string;
  body: string;
  translations: { [key: string]: unknown }[];
  to: { [key: string]: unknown };
  at: string | null;
  window: { [key: string]: unknown } | null;
  perMinute: number | null;
  reminders: { [key: string]: unknown }[];
  resendUncertain: boolean;
  messages: MailingMessageCounts;
  nextAt: string | null;
  begunAt: string | null;
  endedAt: string | null;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
};

export type PaginatedMailing = {
  _type: "PaginatedMailing";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: Mailing[];
};

export type MailingTranslation = {
  language: string;
  subject: string;
  body: string;
};

export type MailingReminder = {
  /** Days after the message before it was sent */
  afterDays: number;
  subject: string;
  body: string;
  /** The same in other languages */
  translations?: MailingTranslation[];
};

export type MailingRecipients = {
  status?: ("NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
  /** As the filters of sessions have them: `{ "site": { "eq": "Leeds" } }` */
  attributes?: { [key: string]: { [key: string]: string | number | boolean | (string | number | boolean)[] } };
  /** The filters of the table of answers, by field and operator: `filter[answers.age][gte]=18` is `{ "answers.age": { "gte": 18 } }`. People whose current session the table has with them: only those who have begun */
  filter?: { [key: string]: { [key: string]: string | number | boolean | (string | number | boolean)[] } };
  /** `{ "age": { "gte": 18 } }` is the same as `filter` with `{ "answers.age": { "gte": 18 } }` */
  answers?: { [key: string]: { [key: string]: string | number | boolean | (string | number | boolean)[] } };
  review?: ("PENDING" | "ACCEPTED" | "REJECTED")[];
  notInvitedSince?: string;
  quotaIds?: string[];
  notInScreenerIds?: string[];
  notQualifiedSince?: string;
  /** At most so many are written to */
  limit?: number;
  /** Whom `limit` takes first. Default: OLDEST */
  order?: "OLDEST" | "RANDOM";
};

export type MailingWindow = {
  days: ("SUN" | "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT")[];
  from: string;
  to: string;
  timeZone: string;
};

export type NewMailing = {
  /** An id */
  screenerId: string;
  name: string;
  kind: "INVITATION" | "REMINDER" | "MESSAGE";
  subject: string;
  body: string;
  /** The same in other languages */
  translations?: MailingTranslation[];
  to?: MailingRecipients;
  /** When it begins. Default: as soon as it was planned */
  at?: string | null;
  /** The days and hours at which it is sent. Default: at any time */
  window?: MailingWindow | null;
  /** At most so many of it leave in a minute */
  perMinute?: number | null;
  reminders?: MailingReminder[];
  /** Whether a message is sent again of which nobody knows whether it left. Then somebody may get it twice */
  resendUncertain?: boolean;
  /** It fails if it would go to more people. A plan is shown all the same */
  maxRecipients?: number | null;
  dryRun?: boolean | null;
};

export type MailingMessage = {
  _type: "MailingMessage";
  id: string;
  mailingId: string;
  participantId: string;
  externalParticipantUid: string;
  /** 0: the first message. Then come the reminders */
  step: number;
  state: "READY" | "SENDING" | "SENT" | "DEFERRED" | "FAILED" | "DROPPED" | "UNCERTAIN" | "BOUNCED";
  reason: string | null;
  reply: string | null;
  attempts: number;
  dueAt: string | null;
  endedAt: string | null;
  language: string | null;
  template: string | null;
  contentHash: string | null;
  bouncedAt: string | null;
  bounce: string | null;
};

export type PaginatedMailingMessage = {
  _type: "PaginatedMailingMessage";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: MailingMessage[];
};

export type NewMailingPreview = {
  /** An id */
  screenerId: string;
  subject: string;
  body: string;
  /** The same in other languages */
  translations?: MailingTranslation[];
  /** As whom it is read. Default: somebody without a name */
  participantId?: string | null;
};

export type MailingPreview = {
  _type: "MailingPreview";
  language: string;
  subject: string;
  text: string;
  html: string;
  /** Whose answers it has. Null: it has none */
  screenerSessionId: string | null;
};

export type NewMailingTest = {
  /** An id */
  screenerId: string;
  subject: string;
  body: string;
  /** The same in other languages */
  translations?: MailingTranslation[];
  /** As whom it is read. Default: somebody without a name */
  participantId?: string | null;
  to: string;
};

export type MailingResume = {
  /** Sends those again, too, of which nobody knows whether they left, from now on. Default: as it is */
  resendUncertain?: boolean | null;
};

export type WebhookEndpoint = {
  _type: "WebhookEndpoint";
  id: string;
  url: string;
  types: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
  status: "ENABLED" | "DISABLED";
  disabledReason: "GONE" | "FAILING" | (string & {}) | null;
  disabledAt: string | null;
  failingSince: string | null;
  previousSecretExpiresAt: string | null;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
  ordered: boolean;
};

export type PaginatedWebhookEndpoint = {
  _type: "PaginatedWebhookEndpoint";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: WebhookEndpoint[];
};

export type NewWebhookEndpoint = {
  url: string;
  types?: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
  /** true: one message after the other, in the order of `sequence`; the next waits until the one before is taken or has failed for good. false: up to 8 at the same time */
  ordered?: boolean;
};

export type WebhookEndpointWithSecret = {
  _type: "WebhookEndpoint";
  id: string;
  url: string;
  types: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
  status: "ENABLED" | "DISABLED";
  disabledReason: "GONE" | "FAILING" | (string & {}) | null;
  disabledAt: string | null;
  failingSince: string | null;
  previousSecretExpiresAt: string | null;
  createdBy: Actor | null;
  createdAt: string | null;
  updatedBy: Actor | null;
  updatedAt: string | null;
  ordered: boolean;
  secret: string;
};

export type WebhookEndpointChange = {
  url?: string;
  types?: ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[] | null;
  /** true: one message after the other, in the order of `sequence`; the next waits until the one before is taken or has failed for good. false: up to 8 at the same time */
  ordered?: boolean;
  status?: "ENABLED" | "DISABLED";
};

export type WebhookSecretRotation = {
  /** How long events are signed with the old secret, too. Default: 24 */
  overlapHours?: number;
};

export type WebhookDelivery = {
  _type: "WebhookDelivery";
  id: string;
  webhookEndpointId: string;
  eventId: string;
  eventType: "screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed";
  status: "PENDING" | "SUCCEEDED" | "FAILED";
  createdAt: string;
  attemptCount: number;
  nextAttemptAt: string | null;
};

export type PaginatedWebhookDelivery = {
  _type: "PaginatedWebhookDelivery";
  /** The number of all matching items */
  total: number;
  /** The page size in use, at most the maximum */
  limit: number;
  offset: number;
  items: WebhookDelivery[];
};

export type WebhookAttempt = {
  _type: "WebhookAttempt";
  startedAt: string;
  milliseconds: number;
  httpStatus: number | null;
  error: string | null;
  answer: string | null;
};

export type WebhookDeliveryWithAttempts = {
  _type: "WebhookDelivery";
  id: string;
  webhookEndpointId: string;
  eventId: string;
  eventType: "screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed";
  status: "PENDING" | "SUCCEEDED" | "FAILED";
  createdAt: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  attempts: WebhookAttempt[];
};

export type WebhookReplayRequest = {
  from: string;
  to?: string;
};

export type WebhookReplay = {
  _type: "WebhookReplay";
  webhookEndpointId: string;
  from: string;
  to: string;
  /** How many events there are in this time. Those of the endpoint's types are sent */
  events: number;
};

export type User = {
  _type: "User";
  id: string;
  name: string;
  email: string | null;
  role: "viewer" | "researcher" | "admin" | null;
  isOperator: boolean;
  createdAt: string;
  disabledAt: string | null;
};

export type Users = {
  _type: "Users";
  items: User[];
};

export type UserChange = {
  /** What the user may do */
  role: "viewer" | "researcher" | "admin";
};

export type WorkspaceRows = {
  screeners: number;
  participants: number;
  screenerParticipants: number;
  screenerSessions: number;
  screenerResponses: number;
  events: number;
};

export type WorkspaceUsage = {
  _type: "WorkspaceUsage";
  /** Whether the workspace is for trying things out: it sends no mail, and can be emptied */
  isSandbox: boolean;
  rows: WorkspaceRows;
  /** The workspace's store, in bytes */
  storeBytes: number;
  /** What was written last, and is not in the store's file yet, in bytes */
  walBytes: number;
  /** Bodies of unfinished imports and plans, and those that are kept of failed jobs, in bytes */
  spoolBytes: number;
  /** The most that these may take, in bytes */
  maxSpoolBytes: number;
  /** Results and rows of jobs that are kept, in bytes */
  resultsBytes: number;
  /** The most that these may take: beyond it the oldest go, in bytes */
  maxResultsBytes: number;
  /** Jobs that wait or run */
  unfinishedJobs: number;
  oldestUnfinishedJobAt: string | null;
  lastActivityAt: string | null;
};

export type Health = {
  status: "ok" | "unavailable";
  reasons: string[];
  /** The name of the cell, if the installation is one of several */
  cell?: string;
  /** The release of the service */
  version: string;
  /** Names the code that runs; null: it was not compiled */
  build: string | null;
  /** The version of Node.js */
  node: string;
  /** The schema versions of the stores that this release writes */
  schema: {
    control: number;
    workspace: number;
  };
};

export type HealthDetail = {
  /** Stable: `no_worker`, `disk_nearly_full`, … */
  code: string;
  message: string;
  /** Whether this process can't serve because of it; with `writes`: whether it can't serve writes */
  blocking: boolean;
  /** The id of the workspace that it is about */
  workspace?: string;
  /** The id of the job that it is about */
  job?: string;
  /** Of `job_blocked`: since when the job is set aside, why, and when it is tried again */
  blocked?: {
    since: string;
    code: string;
    nextTryAt: string;
  };
};

export type Readiness = {
  status: "ok" | "unavailable";
  /** Why this process can't serve */
  reasons: string[];
  /** Everything that is wrong now, also what keeps nobody from being served */
  details: HealthDetail[];
};

export type EventMessage = {
  /** The event's type. New ones may come */
  type: string;
  /** When it happened */
  timestamp: string;
  data: Event;
};

/** The errors of an operation, by status. */
export type Problems<Status extends number> = { [S in Status]: Problem };

/** The operations, by their ids. A body or answer without JSON is a text. */
export interface Operations {
  /** List screeners */
  listScreeners: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
    };
    answers: { 200: PaginatedScreener } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Create a screener */
  createScreener: {
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: NewScreener;
    answers: { 201: Screener } & Problems<400 | 401 | 403 | 406 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a screener */
  getScreener: {
    path: {
      /** A UUID, in either case. Any other text is an unknown id. */
      id: string;
    };
    header: {
      /** The ETag of what the caller has */
      "If-None-Match"?: string;
    };
    answers: { 200: Screener; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a screener */
  changeScreener: {
    path: Operations["getScreener"]["path"];
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of what is to be changed, as GET shows it. If it is another now: 412, and nothing is changed. */
      "If-Match"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: ScreenerChange;
    answers: { 200: Screener } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Delete a screener with everything */
  deleteScreener: {
    path: Operations["getScreener"]["path"];
    query: {
      /** The screener's title; or its id, if it has no title */
      confirm?: string;
    };
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** `respond-async`: answer 202 at once. `wait=N`: wait up to N seconds for the job, at most 300, then answer 202. (RFC 7240) */
      Prefer?: string;
    };
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 429 | 431 | 500 | 503>;
  };
  /** Get a screener's draft */
  getScreenerContent: {
    path: Operations["getScreener"]["path"];
    header: {
      /** The ETag of the draft that the caller has */
      "If-None-Match"?: string;
    };
    answers: { 200: ScreenerContent; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Replace a screener's draft */
  putScreenerContent: {
    path: Operations["getScreener"]["path"];
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of the draft to replace */
      "If-Match"?: string;
    };
    body: ScreenerContentInput;
    answers: { 200: ScreenerContent } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** List the languages that a screener's draft is translated to */
  listScreenerTranslations: {
    path: Operations["getScreener"]["path"];
    answers: { 200: ScreenerTranslations } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get a draft's texts with their translations to a language */
  getScreenerTranslation: {
    path: {
      /** A UUID, in either case. Any other text is an unknown id. */
      id: string;
      /** A language, as BCP 47 names it */
      language: string;
    };
    header: {
      /** The ETag of the translations that the caller has */
      "If-None-Match"?: string;
    };
    answers: { 200: ScreenerTranslation; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change translations of a draft's texts */
  changeScreenerTranslation: {
    path: Operations["getScreenerTranslation"]["path"];
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of the translations to change. Changes of the draft do not count */
      "If-Match"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: ScreenerTranslationChangeInput;
    answers: { 200: ScreenerTranslation } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Take a file of translations */
  putScreenerTranslation: {
    path: Operations["getScreenerTranslation"]["path"];
    query: {
      /** Only with a file. `true`: says what would change, and changes nothing */
      dryRun?: "true" | "false";
    };
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of the translations to change. Changes of the draft do not count */
      "If-Match"?: string;
    };
    body: ScreenerTranslationFile;
    answers: { 200: ScreenerTranslationChanges } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Delete all translations to a language */
  deleteScreenerTranslation: {
    path: Operations["getScreenerTranslation"]["path"];
    header: Operations["putScreenerTranslation"]["header"];
    answers: { 200: ScreenerTranslation } & Problems<400 | 401 | 403 | 404 | 406 | 412 | 429 | 431 | 500 | 503>;
  };
  /** List a screener's publications */
  listScreenerPublications: {
    path: Operations["getScreener"]["path"];
    query: Operations["listScreeners"]["query"];
    answers: { 200: PaginatedScreenerPublication } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Publish a screener */
  publishScreener: {
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of the draft to publish */
      "If-Match"?: string;
      /** `respond-async`: answer 202 at once. `wait=N`: wait up to N seconds for the job, at most 300, then answer 202. `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: NewScreenerPublication;
    answers: { 201: ScreenerPublication; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a publication */
  getScreenerPublication: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ScreenerPublication; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a publication's target, tags or status */
  changeScreenerPublication: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: ScreenerPublicationChange;
    answers: { 200: ScreenerPublication } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Get a publication's content */
  getScreenerPublicationContent: {
    path: Operations["getScreener"]["path"];
    header: {
      /** The ETag of the content that the caller has */
      "If-None-Match"?: string;
    };
    answers: { 200: ScreenerPublicationContent; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Put a publication's content into the draft */
  restoreScreenerPublication: {
    path: Operations["getScreener"]["path"];
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of the draft to replace */
      "If-Match"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body?: ScreenerPublicationRestore;
    answers: { 200: ScreenerContent } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List a screener's quotas */
  listScreenerQuotas: {
    path: Operations["getScreener"]["path"];
    query: Operations["listScreeners"]["query"];
    answers: { 200: PaginatedScreenerQuota } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get a quota */
  getScreenerQuota: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ScreenerQuota; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a quota's limit, or pause it */
  changeScreenerQuota: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: ScreenerQuotaChange;
    answers: { 200: ScreenerQuota } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** List a quota's places */
  listScreenerQuotaPlaces: {
    path: Operations["getScreener"]["path"];
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[state][eq]"?: "HELD" | "TAKEN" | "RELEASED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "HELD" | "TAKEN" | "RELEASED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("HELD" | "TAKEN" | "RELEASED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("HELD" | "TAKEN" | "RELEASED")[];
    };
    answers: { 200: PaginatedScreenerQuotaPlace } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** List open links */
  listScreenerLinks: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerId][nin][]"?: readonly string[];
    };
    answers: { 200: PaginatedScreenerLink } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Create an open link */
  createScreenerLink: {
    header: Operations["createScreener"]["header"];
    body: NewScreenerLink;
    answers: { 201: ScreenerLink } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get an open link */
  getScreenerLink: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ScreenerLink; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change an open link */
  changeScreenerLink: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: ScreenerLinkChange;
    answers: { 200: ScreenerLink } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Revoke an open link */
  revokeScreenerLink: {
    path: Operations["getScreener"]["path"];
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
    };
    answers: { 200: ScreenerLink } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get the key that signs addresses */
  getSigningKey: {
    answers: { 200: SigningKey } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Make the key that signs addresses, or another one */
  rotateSigningKey: {
    header: Operations["createScreener"]["header"];
    body?: SigningKeyRotation;
    answers: { 200: NewSigningKey } & Problems<400 | 401 | 403 | 406 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List a screener's arms */
  listScreenerArms: {
    path: Operations["getScreener"]["path"];
    query: Operations["listScreeners"]["query"];
    answers: { 200: PaginatedScreenerArm } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Forecast what quotas let through */
  forecastScreenerQuotas: {
    path: Operations["getScreener"]["path"];
    body?: ScreenerQuotaForecastInput;
    answers: { 200: ScreenerQuotaForecast } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Count who fits, and who of them can be written to */
  assessScreenerFeasibility: {
    path: Operations["getScreener"]["path"];
    body?: ScreenerFeasibilityInput;
    answers: { 200: ScreenerFeasibility } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** List participants */
  listParticipants: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[externalUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalUid][nin][]"?: readonly string[];
      /** Only values that begin with this text. */
      "filter[externalUid][startsWith]"?: string;
      /** Only this value. */
      "filter[email][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[email][ne]"?: string;
      /** Only one of these values. */
      "filter[email][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[email][nin][]"?: readonly string[];
      /** Only values that begin with this text. */
      "filter[email][startsWith]"?: string;
      /** Only values that begin with this text. */
      "filter[name][startsWith]"?: string;
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
      /** This time or later. */
      "filter[updatedAt][gte]"?: string;
      /** Before this time. */
      "filter[updatedAt][lt]"?: string;
      /** Only this value. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][eq]`]: string | undefined;
      /** Any value but this one, also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][ne]`]: string | undefined;
      /** Only one of these values. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][in][]`]: readonly string[] | undefined;
      /** None of these values; also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][nin][]`]: readonly string[] | undefined;
      /** Only this value. */
      "filter[doNotContact][eq]"?: "true" | "false";
      /** Only those who have all of these words, or words that begin with them, in any order, without regard to case and accents. */
      "filter[search][matches]"?: string;
      /** The member to sort by. A minus before it: in descending order. */
      sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "externalUid" | "-externalUid" | "email" | "-email" | "name" | "-name";
    };
    answers: { 200: PaginatedParticipant } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Create a participant */
  createParticipant: {
    header: Operations["createScreener"]["header"];
    body: NewParticipant;
    answers: { 201: Participant } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a participant */
  getParticipant: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: Participant; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a participant */
  changeParticipant: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: ParticipantChange;
    answers: { 200: Participant } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Erase a participant */
  eraseParticipant: {
    path: Operations["getScreener"]["path"];
    header: Operations["deleteScreener"]["header"];
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 429 | 431 | 500 | 503>;
  };
  /** Export all about a participant */
  exportParticipant: {
    path: Operations["getScreener"]["path"];
    answers: { 200: ParticipantExport } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Erase many participants */
  eraseParticipants: {
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** `respond-async`: answer 202 at once. `wait=N`: wait up to N seconds for the job, at most 300, then answer 202. `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: ParticipantsErasure;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Erase the answers of a session that was withdrawn */
  eraseScreenerResponses: {
    path: Operations["getScreener"]["path"];
    header: Operations["deleteScreener"]["header"];
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 429 | 431 | 500 | 503>;
  };
  /** Answer questions of a session */
  submitScreenerResponses: {
    path: Operations["getScreener"]["path"];
    header: Operations["createScreener"]["header"];
    body: NewScreenerResponses;
    answers: { 200: ScreenerSession } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List what participants have asked for */
  listParticipantRequests: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[kind][eq]"?: "DATA" | "ERASURE";
      /** Any value but this one, also null. */
      "filter[kind][ne]"?: "DATA" | "ERASURE";
      /** Only one of these values. */
      "filter[kind][in][]"?: readonly ("DATA" | "ERASURE")[];
      /** None of these values; also null. */
      "filter[kind][nin][]"?: readonly ("DATA" | "ERASURE")[];
      /** Only this value. */
      "filter[state][eq]"?: "OPEN" | "DONE";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "OPEN" | "DONE";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("OPEN" | "DONE")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("OPEN" | "DONE")[];
      /** Only this value. */
      "filter[participantId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[participantId][ne]"?: string;
      /** Only one of these values. */
      "filter[participantId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[participantId][nin][]"?: readonly string[];
    };
    answers: { 200: PaginatedParticipantRequest } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get what a participant has asked for */
  getParticipantRequest: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ParticipantRequest; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Mark what a participant has asked for as done */
  closeParticipantRequest: {
    path: Operations["getScreener"]["path"];
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
    };
    answers: { 200: ParticipantRequest } & Problems<400 | 401 | 403 | 404 | 406 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List notes on participants */
  listParticipantNotes: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[participantId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[participantId][ne]"?: string;
      /** Only one of these values. */
      "filter[participantId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[participantId][nin][]"?: readonly string[];
    };
    answers: { 200: PaginatedParticipantNote } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Write a note on a participant */
  createParticipantNote: {
    header: Operations["createScreener"]["header"];
    body: NewParticipantNote;
    answers: { 201: ParticipantNote } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a note on a participant */
  getParticipantNote: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ParticipantNote; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Delete a note on a participant */
  deleteParticipantNote: {
    path: Operations["getScreener"]["path"];
    header: Operations["revokeScreenerLink"]["header"];
    answers: { 200: ParticipantNote } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** List addresses that are not written to */
  listMailSuppressions: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[address][eq]"?: string;
      /** Only one of these values. */
      "filter[address][in][]"?: readonly string[];
      /** Only this value. */
      "filter[reason][eq]"?: "BY_HAND" | "BOUNCED" | "COMPLAINED" | "UNSUBSCRIBED" | "DO_NOT_CONTACT";
      /** Any value but this one, also null. */
      "filter[reason][ne]"?: "BY_HAND" | "BOUNCED" | "COMPLAINED" | "UNSUBSCRIBED" | "DO_NOT_CONTACT";
      /** Only one of these values. */
      "filter[reason][in][]"?: readonly ("BY_HAND" | "BOUNCED" | "COMPLAINED" | "UNSUBSCRIBED" | "DO_NOT_CONTACT")[];
      /** None of these values; also null. */
      "filter[reason][nin][]"?: readonly ("BY_HAND" | "BOUNCED" | "COMPLAINED" | "UNSUBSCRIBED" | "DO_NOT_CONTACT")[];
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
    };
    answers: { 200: PaginatedMailSuppression } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Have an address not written to */
  createMailSuppression: {
    header: Operations["createScreener"]["header"];
    body: NewMailSuppression;
    answers: { 200: MailSuppression; 201: MailSuppression } & Problems<400 | 401 | 403 | 406 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get an address that is not written to */
  getMailSuppression: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: MailSuppression; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Have an address written to again */
  deleteMailSuppression: {
    path: Operations["getScreener"]["path"];
    header: Operations["revokeScreenerLink"]["header"];
    answers: { 200: MailSuppression } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** List screener participants */
  listScreenerParticipants: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[participantId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[participantId][ne]"?: string;
      /** Only one of these values. */
      "filter[participantId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[participantId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[externalParticipantUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalParticipantUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalParticipantUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalParticipantUid][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[status][eq]"?: "NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** Only this value. */
      "filter[screenerPublicationId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerPublicationId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerPublicationId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerPublicationId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[review][eq]"?: "PENDING" | "ACCEPTED" | "REJECTED";
      /** Only one of these values. */
      "filter[review][in][]"?: readonly ("PENDING" | "ACCEPTED" | "REJECTED")[];
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
      /** This time or later. */
      "filter[updatedAt][gte]"?: string;
      /** Before this time. */
      "filter[updatedAt][lt]"?: string;
      /** Only those who have all of these words, or words that begin with them, in any order, without regard to case and accents. */
      "filter[search][matches]"?: string;
      /** Only this value. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][eq]`]: string | undefined;
      /** Any value but this one, also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][ne]`]: string | undefined;
      /** Only one of these values. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][in][]`]: readonly string[] | undefined;
      /** None of these values; also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][nin][]`]: readonly string[] | undefined;
      /** The member to sort by. A minus before it: in descending order. */
      sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
    };
    answers: { 200: PaginatedScreenerParticipant } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Assign one person to a screener */
  addScreenerParticipant: {
    header: Operations["createScreener"]["header"];
    body: NewScreenerParticipant;
    answers: { 200: ScreenerParticipant; 201: ScreenerParticipant } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a screener participant */
  getScreenerParticipant: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ScreenerParticipant; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Remove a screener participant */
  removeScreenerParticipant: {
    path: Operations["getScreener"]["path"];
    header: Operations["revokeScreenerLink"]["header"];
    answers: { 200: RemovedScreenerParticipant } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Import participants into a screener */
  importScreenerParticipants: {
    query: {
      /** Required with a file. An id */
      screenerId?: string;
      /** Only with a file. Default: UPDATES_ONLY */
      importMode?: "UPDATES_ONLY" | "FULL_SYNC";
      /** Only with a file. */
      dryRun?: "true" | "false";
      /** Only with a file. */
      maxRemovals?: string;
      /** Only with a file. Default: REJECT_ALL */
      onRowError?: "REJECT_ALL" | "SKIP";
      /** Only with a file. */
      expectedRows?: string;
      /** Only with a file. */
      includeJoined?: "true" | "false";
      /** Only with a file. By what rows find their participants. With `email` the file has no externalUid: new participants get one of the service. Default: externalUid */
      matchBy?: "externalUid" | "email";
      /** Only with a file. What columns with other headings are: `columns[Person ID]=externalUid`. `name.first` and `name.last` make the name; `attributes`: an attribute; `ignore`: not imported. CSV and workbooks only. */
      columns?: { [key: string]: "externalUid" | "email" | "name" | "name.first" | "name.last" | "attributes" | "ignore" };
      /** Only with a file. `ignore`: do not import the columns that are no member of a participant. CSV and workbooks only. */
      attributes?: "ignore";
      /** Only with a file. How the file writes decimals, for attributes whose type is NUMBER: `72.5` or `72,5`. Default: POINT. CSV and workbooks only. */
      decimals?: "POINT" | "COMMA";
      /** Only with a file. How the file writes days, for attributes whose type is DATE: `1990-02-28` (YMD), `28.02.1990` (DMY) or `02/28/1990` (MDY). Default: YMD, which can be read in any case. CSV and workbooks only. */
      dates?: "YMD" | "DMY" | "MDY";
      /** Only with a file. The name of the sheet. Default: the first one. Workbooks only. */
      sheet?: string;
    };
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** `respond-async`: answer 202 at once. `wait=N`: wait up to N seconds for the job, at most 300, then answer 202. (RFC 7240) */
      Prefer?: string;
    };
    body: ScreenerParticipantsImport;
    answers: { 200: ScreenerParticipant[] | Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Remove many screener participants */
  removeScreenerParticipants: {
    header: Operations["eraseParticipants"]["header"];
    body: ScreenerParticipantsRemoval;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Empty a sandbox */
  resetSandbox: {
    header: Operations["importScreenerParticipants"]["header"];
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List sessions */
  listScreenerSessions: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[id][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[id][ne]"?: string;
      /** Only one of these values. */
      "filter[id][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[id][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerParticipantId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerParticipantId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerParticipantId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerParticipantId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[status][eq]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** Only this value. */
      "filter[state][eq]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** This time or later. */
      "filter[startedAt][gte]"?: string;
      /** Before this time. */
      "filter[startedAt][lt]"?: string;
      /** This time or later. */
      "filter[lastActiveAt][gte]"?: string;
      /** Before this time. */
      "filter[lastActiveAt][lt]"?: string;
      /** This time or later. */
      "filter[completedAt][gte]"?: string;
      /** Before this time. */
      "filter[completedAt][lt]"?: string;
      /** Only this value. */
      "filter[reference][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[reference][ne]"?: string;
      /** Only one of these values. */
      "filter[reference][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[reference][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[isTest][eq]"?: "true" | "false";
      /** Only this value. */
      "filter[screenerLinkId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerLinkId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerLinkId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerLinkId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[language][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[language][ne]"?: string;
      /** Only one of these values. */
      "filter[language][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[language][nin][]"?: readonly string[];
      /** This time or later. */
      "filter[withdrawnAt][gte]"?: string;
      /** Before this time. */
      "filter[withdrawnAt][lt]"?: string;
      /** Only this value. */
      "filter[review][eq]"?: "PENDING" | "ACCEPTED" | "REJECTED";
      /** Only one of these values. */
      "filter[review][in][]"?: readonly ("PENDING" | "ACCEPTED" | "REJECTED")[];
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
      /** This time or later. */
      "filter[updatedAt][gte]"?: string;
      /** Before this time. */
      "filter[updatedAt][lt]"?: string;
      /** Only this value. */
      "filter[armId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[armId][ne]"?: string;
      /** Only one of these values. */
      "filter[armId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[armId][nin][]"?: readonly string[];
      /** The member to sort by. A minus before it: in descending order. */
      sort?: "createdAt" | "-createdAt" | "startedAt" | "-startedAt" | "lastActiveAt" | "-lastActiveAt" | "completedAt" | "-completedAt" | "updatedAt" | "-updatedAt";
      /** What each session of a page has in it, too. JSON only. */
      expand?: "participant" | "outcome" | "participant,outcome" | "outcome,participant";
    };
    answers: { 200: PaginatedScreenerSession } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Open a session for one screener participant, or for all of a screener without one */
  openScreenerSession: {
    header: Operations["eraseParticipants"]["header"];
    body: NewScreenerSession;
    answers: { 200: ScreenerSession | ScreenerSession[]; 201: ScreenerSession; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a session */
  getScreenerSession: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: ScreenerSession; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Remove a session */
  removeScreenerSession: {
    path: Operations["getScreener"]["path"];
    header: Operations["revokeScreenerLink"]["header"];
    answers: { 200: ScreenerSession } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get the orders by chance of a session */
  getScreenerSessionOrders: {
    path: Operations["getScreener"]["path"];
    answers: { 200: ScreenerSessionOrders } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Explain a session's outcome, rule by rule */
  explainScreenerSession: {
    path: Operations["getScreener"]["path"];
    answers: { 200: ScreenerSessionExplanation } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Delete all test sessions of a screener */
  deleteScreenerTestSessions: {
    path: Operations["getScreener"]["path"];
    header: Operations["deleteScreener"]["header"];
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 429 | 431 | 500 | 503>;
  };
  /** Accept or reject a session */
  reviewScreenerSession: {
    path: Operations["getScreener"]["path"];
    header: {
      /** For 24 hours, the same request with this key gets the first reply again. Another request with it: 422. */
      "Idempotency-Key"?: string;
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of what is to be changed, as GET shows it. If it is another now: 412, and nothing is changed. */
      "If-Match"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: NewReview;
    answers: { 200: ScreenerSession } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Set the outcome of a completed session by hand */
  overrideScreenerSession: {
    path: Operations["getScreener"]["path"];
    header: Operations["createScreener"]["header"];
    body: NewOverride;
    answers: { 200: ScreenerSession } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Move links that nobody has opened to the active publication */
  moveScreenerSessions: {
    header: Operations["eraseParticipants"]["header"];
    body: ScreenerSessionsMove;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Count completed sessions into a quota that is newer */
  recountScreenerQuota: {
    path: Operations["getScreener"]["path"];
    header: Operations["eraseParticipants"]["header"];
    body?: ScreenerQuotaRecount;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Offer places to participants who were turned away by a full quota */
  offerScreenerQuota: {
    path: Operations["getScreener"]["path"];
    header: Operations["eraseParticipants"]["header"];
    body?: ScreenerQuotaOffer;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Accept or reject many sessions */
  reviewScreenerSessions: {
    header: Operations["eraseParticipants"]["header"];
    body: ScreenerSessionsReview;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List responses */
  listScreenerResponses: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[screenerSessionId][eq]"?: string;
      /** Only one of these values. */
      "filter[screenerSessionId][in][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Only this value. */
      "filter[screenerPublicationId][eq]"?: string;
      /** Only this value. */
      "filter[screenerParticipantId][eq]"?: string;
      /** Only one of these values. */
      "filter[screenerParticipantId][in][]"?: readonly string[];
      /** Only this value. */
      "filter[isTest][eq]"?: "true" | "false";
    };
    answers: { 200: PaginatedScreenerResponse } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Export a screener's responses as one table */
  exportScreenerResponses: {
    path: Operations["getScreener"]["path"];
    query: {
      /** Only this value. */
      "filter[id][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[id][ne]"?: string;
      /** Only one of these values. */
      "filter[id][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[id][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[externalUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalUid][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerPublicationId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerPublicationId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerPublicationId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerPublicationId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[version][eq]"?: number;
      /** Any value but this one, also null. */
      "filter[version][ne]"?: number;
      /** Only one of these values. */
      "filter[version][in][]"?: readonly number[];
      /** None of these values; also null. */
      "filter[version][nin][]"?: readonly number[];
      /** Only this value. */
      "filter[status][eq]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** Only this value. */
      "filter[state][eq]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** Only this value. */
      "filter[outcome][eq]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Any value but this one, also null. */
      "filter[outcome][ne]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Only one of these values. */
      "filter[outcome][in][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** None of these values; also null. */
      "filter[outcome][nin][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** Only this value. */
      "filter[outcomeReason][eq]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Any value but this one, also null. */
      "filter[outcomeReason][ne]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Only one of these values. */
      "filter[outcomeReason][in][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** None of these values; also null. */
      "filter[outcomeReason][nin][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** Only this value. */
      "filter[review][eq]"?: "PENDING" | "ACCEPTED" | "REJECTED";
      /** Only one of these values. */
      "filter[review][in][]"?: readonly ("PENDING" | "ACCEPTED" | "REJECTED")[];
      /** Only this value. */
      "filter[language][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[language][ne]"?: string;
      /** Only one of these values. */
      "filter[language][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[language][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerLinkId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerLinkId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerLinkId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerLinkId][nin][]"?: readonly string[];
      /** This time or later. */
      "filter[startedAt][gte]"?: string;
      /** Before this time. */
      "filter[startedAt][lt]"?: string;
      /** This time or later. */
      "filter[lastActiveAt][gte]"?: string;
      /** Before this time. */
      "filter[lastActiveAt][lt]"?: string;
      /** This time or later. */
      "filter[completedAt][gte]"?: string;
      /** Before this time. */
      "filter[completedAt][lt]"?: string;
      /** Only this value. */
      "filter[armId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[armId][ne]"?: string;
      /** Only one of these values. */
      "filter[armId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[armId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerQuotaId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerQuotaId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerQuotaId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerQuotaId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[signal][eq]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Any value but this one, also null. */
      "filter[signal][ne]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Only one of these values. */
      "filter[signal][in][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** None of these values; also null. */
      "filter[signal][nin][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** Only this value. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][eq]`]: string | undefined;
      /** Any value but this one, also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][ne]`]: string | undefined;
      /** Only one of these values. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][in][]`]: readonly string[] | undefined;
      /** None of these values; also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][nin][]`]: readonly string[] | undefined;
      /** The attribute is a text that has this piece, in upper or lower case. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without the attribute. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][notContains]`]: string | undefined;
      /** Below this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lt]`]: string | undefined;
      /** This number or below. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lte]`]: string | undefined;
      /** Above this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gt]`]: string | undefined;
      /** This number or above. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gte]`]: string | undefined;
      /** `true`: the participant has the attribute. `false`: the participant lacks it. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][exists]`]: string | undefined;
      /** The answer is this: a text, a number, or an option by its text or its id. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][eq]`]: string | undefined;
      /** The answer is not this, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ne]`]: string | undefined;
      /** The answer is one of these. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][in][]`]: readonly string[] | undefined;
      /** The answer is none of these, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][nin][]`]: readonly string[] | undefined;
      /** The text has this piece, in upper or lower case; or this option is among those chosen. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without an answer. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][notContains]`]: string | undefined;
      /** Below this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lt]`]: string | undefined;
      /** This number or below. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lte]`]: string | undefined;
      /** Above this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gt]`]: string | undefined;
      /** This number or above. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gte]`]: string | undefined;
      /** The text has all of these words, in any order, whatever their case and accents; a word of two letters or more also stands for words that begin with it. For text questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][matches]`]: string | undefined;
      /** `true`: there is an answer. `false`: there is none. For any question. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][answered]`]: string | undefined;
      /** Holds when so many options are chosen, or more. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtLeast]`]: string | undefined;
      /** Holds when so many options are chosen, or fewer. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtMost]`]: string | undefined;
      /** Holds when the date is before this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][before]`]: string | undefined;
      /** Holds when the date is after this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][after]`]: string | undefined;
      /** Holds when the date is this one, or before it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrBefore]`]: string | undefined;
      /** Holds when the date is this one, or after it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrAfter]`]: string | undefined;
      /** Holds when somebody who was born on the date is this old, or older, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageAtLeast]`]: string | undefined;
      /** Holds when somebody who was born on the date is younger than this, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageBelow]`]: string | undefined;
      /** Holds when this option (its id or label) is ranked first. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][first]`]: string | undefined;
      /** Holds when the option has this rank or a better one: 1 is the best. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][rankedAtMost]`]: string | undefined;
      /** The heading of a question without a key. `KEYS` (the default): its id. `READABLE`: one that is made from the first words of its prompt, such as `how_old_are_you` */
      headings?: "KEYS" | "READABLE";
      /** Questions of which several options can be chosen. `JOINED` (the default): all in one cell. `COLUMNS`: a column for each option, with 1 if it was chosen and 0 if not, and one for what was written in */
      choices?: "JOINED" | "COLUMNS";
      /** `true`: test sessions, too, after all others, and a column `session.isTest`. Else they are left out */
      includeTests?: "true" | "false";
      /** `true`: also sessions whose participants have withdrawn, and a column `session.withdrawnAt`. Else they are left out */
      includeWithdrawn?: "true" | "false";
    };
    answers: { 200: string } & Problems<400 | 401 | 403 | 404 | 406 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Say what the columns of the export mean */
  getScreenerCodebook: {
    path: Operations["getScreener"]["path"];
    query: {
      /** The heading of a question without a key. `KEYS` (the default): its id. `READABLE`: one that is made from the first words of its prompt, such as `how_old_are_you` */
      headings?: "KEYS" | "READABLE";
      /** Questions of which several options can be chosen. `JOINED` (the default): all in one cell. `COLUMNS`: a column for each option, with 1 if it was chosen and 0 if not, and one for what was written in */
      choices?: "JOINED" | "COLUMNS";
    };
    answers: { 200: string } & Problems<400 | 401 | 403 | 404 | 406 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List answers, a row for each session */
  listScreenerAnswers: {
    path: Operations["getScreener"]["path"];
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[id][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[id][ne]"?: string;
      /** Only one of these values. */
      "filter[id][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[id][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[externalUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalUid][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerPublicationId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerPublicationId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerPublicationId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerPublicationId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[version][eq]"?: number;
      /** Any value but this one, also null. */
      "filter[version][ne]"?: number;
      /** Only one of these values. */
      "filter[version][in][]"?: readonly number[];
      /** None of these values; also null. */
      "filter[version][nin][]"?: readonly number[];
      /** Only this value. */
      "filter[status][eq]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** Only this value. */
      "filter[state][eq]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** Only this value. */
      "filter[outcome][eq]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Any value but this one, also null. */
      "filter[outcome][ne]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Only one of these values. */
      "filter[outcome][in][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** None of these values; also null. */
      "filter[outcome][nin][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** Only this value. */
      "filter[outcomeReason][eq]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Any value but this one, also null. */
      "filter[outcomeReason][ne]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Only one of these values. */
      "filter[outcomeReason][in][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** None of these values; also null. */
      "filter[outcomeReason][nin][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** Only this value. */
      "filter[review][eq]"?: "PENDING" | "ACCEPTED" | "REJECTED";
      /** Only one of these values. */
      "filter[review][in][]"?: readonly ("PENDING" | "ACCEPTED" | "REJECTED")[];
      /** Only this value. */
      "filter[language][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[language][ne]"?: string;
      /** Only one of these values. */
      "filter[language][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[language][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerLinkId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerLinkId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerLinkId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerLinkId][nin][]"?: readonly string[];
      /** This time or later. */
      "filter[startedAt][gte]"?: string;
      /** Before this time. */
      "filter[startedAt][lt]"?: string;
      /** This time or later. */
      "filter[lastActiveAt][gte]"?: string;
      /** Before this time. */
      "filter[lastActiveAt][lt]"?: string;
      /** This time or later. */
      "filter[completedAt][gte]"?: string;
      /** Before this time. */
      "filter[completedAt][lt]"?: string;
      /** Only this value. */
      "filter[armId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[armId][ne]"?: string;
      /** Only one of these values. */
      "filter[armId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[armId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerQuotaId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerQuotaId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerQuotaId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerQuotaId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[signal][eq]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Any value but this one, also null. */
      "filter[signal][ne]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Only one of these values. */
      "filter[signal][in][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** None of these values; also null. */
      "filter[signal][nin][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** Only this value. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][eq]`]: string | undefined;
      /** Any value but this one, also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][ne]`]: string | undefined;
      /** Only one of these values. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][in][]`]: readonly string[] | undefined;
      /** None of these values; also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][nin][]`]: readonly string[] | undefined;
      /** The attribute is a text that has this piece, in upper or lower case. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without the attribute. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][notContains]`]: string | undefined;
      /** Below this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lt]`]: string | undefined;
      /** This number or below. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lte]`]: string | undefined;
      /** Above this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gt]`]: string | undefined;
      /** This number or above. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gte]`]: string | undefined;
      /** `true`: the participant has the attribute. `false`: the participant lacks it. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][exists]`]: string | undefined;
      /** The answer is this: a text, a number, or an option by its text or its id. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][eq]`]: string | undefined;
      /** The answer is not this, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ne]`]: string | undefined;
      /** The answer is one of these. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][in][]`]: readonly string[] | undefined;
      /** The answer is none of these, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][nin][]`]: readonly string[] | undefined;
      /** The text has this piece, in upper or lower case; or this option is among those chosen. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without an answer. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][notContains]`]: string | undefined;
      /** Below this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lt]`]: string | undefined;
      /** This number or below. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lte]`]: string | undefined;
      /** Above this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gt]`]: string | undefined;
      /** This number or above. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gte]`]: string | undefined;
      /** The text has all of these words, in any order, whatever their case and accents; a word of two letters or more also stands for words that begin with it. For text questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][matches]`]: string | undefined;
      /** `true`: there is an answer. `false`: there is none. For any question. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][answered]`]: string | undefined;
      /** Holds when so many options are chosen, or more. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtLeast]`]: string | undefined;
      /** Holds when so many options are chosen, or fewer. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtMost]`]: string | undefined;
      /** Holds when the date is before this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][before]`]: string | undefined;
      /** Holds when the date is after this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][after]`]: string | undefined;
      /** Holds when the date is this one, or before it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrBefore]`]: string | undefined;
      /** Holds when the date is this one, or after it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrAfter]`]: string | undefined;
      /** Holds when somebody who was born on the date is this old, or older, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageAtLeast]`]: string | undefined;
      /** Holds when somebody who was born on the date is younger than this, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageBelow]`]: string | undefined;
      /** Holds when this option (its id or label) is ranked first. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][first]`]: string | undefined;
      /** Holds when the option has this rank or a better one: 1 is the best. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][rankedAtMost]`]: string | undefined;
      /** The member to sort by. A minus before it: in descending order. */
      sort?: "-startedAt" | "startedAt";
      /** Which columns, with commas between them, in their order: `session.startedAt`, `answers.<key>`, `answers.<key>.<id of a row>`, `attributes.<key>`, `quotas.<name>`, `arms.<name>` and so on; see the list of columns. A name that has a comma stands in double quotes. At most 100. Default: who, when, the outcome and the first questions */
      columns?: string;
    };
    answers: { 200: PaginatedScreenerAnswers } & Problems<400 | 401 | 403 | 404 | 406 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List the columns that a table of answers can have */
  listScreenerAnswerColumns: {
    path: Operations["getScreener"]["path"];
    answers: { 200: ScreenerAnswerColumns } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Count a screener's results */
  getScreenerResults: {
    path: Operations["getScreener"]["path"];
    query: {
      /** Only this value. */
      "filter[id][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[id][ne]"?: string;
      /** Only one of these values. */
      "filter[id][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[id][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[externalUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalUid][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerPublicationId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerPublicationId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerPublicationId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerPublicationId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[version][eq]"?: number;
      /** Any value but this one, also null. */
      "filter[version][ne]"?: number;
      /** Only one of these values. */
      "filter[version][in][]"?: readonly number[];
      /** None of these values; also null. */
      "filter[version][nin][]"?: readonly number[];
      /** Only this value. */
      "filter[status][eq]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "ACTIVE" | "ARCHIVED" | "REMOVED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("ACTIVE" | "ARCHIVED" | "REMOVED")[];
      /** Only this value. */
      "filter[state][eq]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("NOT_STARTED" | "IN_PROGRESS" | "COMPLETED")[];
      /** Only this value. */
      "filter[outcome][eq]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Any value but this one, also null. */
      "filter[outcome][ne]"?: "QUALIFIED" | "DISQUALIFIED" | "UNKNOWN";
      /** Only one of these values. */
      "filter[outcome][in][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** None of these values; also null. */
      "filter[outcome][nin][]"?: readonly ("QUALIFIED" | "DISQUALIFIED" | "UNKNOWN")[];
      /** Only this value. */
      "filter[outcomeReason][eq]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Any value but this one, also null. */
      "filter[outcomeReason][ne]"?: "SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT";
      /** Only one of these values. */
      "filter[outcomeReason][in][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** None of these values; also null. */
      "filter[outcomeReason][nin][]"?: readonly ("SCREENED_OUT" | "OVER_QUOTA" | "NO_CONSENT")[];
      /** Only this value. */
      "filter[review][eq]"?: "PENDING" | "ACCEPTED" | "REJECTED";
      /** Only one of these values. */
      "filter[review][in][]"?: readonly ("PENDING" | "ACCEPTED" | "REJECTED")[];
      /** Only this value. */
      "filter[language][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[language][ne]"?: string;
      /** Only one of these values. */
      "filter[language][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[language][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerLinkId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerLinkId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerLinkId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerLinkId][nin][]"?: readonly string[];
      /** This time or later. */
      "filter[startedAt][gte]"?: string;
      /** Before this time. */
      "filter[startedAt][lt]"?: string;
      /** This time or later. */
      "filter[lastActiveAt][gte]"?: string;
      /** Before this time. */
      "filter[lastActiveAt][lt]"?: string;
      /** This time or later. */
      "filter[completedAt][gte]"?: string;
      /** Before this time. */
      "filter[completedAt][lt]"?: string;
      /** Only this value. */
      "filter[armId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[armId][ne]"?: string;
      /** Only one of these values. */
      "filter[armId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[armId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[screenerQuotaId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerQuotaId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerQuotaId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerQuotaId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[signal][eq]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Any value but this one, also null. */
      "filter[signal][ne]"?: "HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD";
      /** Only one of these values. */
      "filter[signal][in][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** None of these values; also null. */
      "filter[signal][nin][]"?: readonly ("HURRIED" | "STRAIGHT_LINES" | "SAME_TEXT" | "ATTENTION_CHECK" | "CONTRADICTION" | "SAME_EMAIL" | "SAME_BROWSER" | "SAME_ADDRESS" | "HIDDEN_FIELD")[];
      /** Only this value. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][eq]`]: string | undefined;
      /** Any value but this one, also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][ne]`]: string | undefined;
      /** Only one of these values. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][in][]`]: readonly string[] | undefined;
      /** None of these values; also null. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][nin][]`]: readonly string[] | undefined;
      /** The attribute is a text that has this piece, in upper or lower case. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without the attribute. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][notContains]`]: string | undefined;
      /** Below this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lt]`]: string | undefined;
      /** This number or below. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][lte]`]: string | undefined;
      /** Above this number. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gt]`]: string | undefined;
      /** This number or above. Of an attribute that is a number, or a text like -7.5. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][gte]`]: string | undefined;
      /** `true`: the participant has the attribute. `false`: the participant lacks it. Write a key instead of `{key}`. */
      [name: `filter[attributes.${string}][exists]`]: string | undefined;
      /** The answer is this: a text, a number, or an option by its text or its id. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][eq]`]: string | undefined;
      /** The answer is not this, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ne]`]: string | undefined;
      /** The answer is one of these. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][in][]`]: readonly string[] | undefined;
      /** The answer is none of these, also without an answer. For text, numeric, single select, scale and date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][nin][]`]: readonly string[] | undefined;
      /** The text has this piece, in upper or lower case; or this option is among those chosen. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][contains]`]: string | undefined;
      /** The opposite of `contains`, also without an answer. For text, multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][notContains]`]: string | undefined;
      /** Below this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lt]`]: string | undefined;
      /** This number or below. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][lte]`]: string | undefined;
      /** Above this number. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gt]`]: string | undefined;
      /** This number or above. For numeric and scale questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][gte]`]: string | undefined;
      /** The text has all of these words, in any order, whatever their case and accents; a word of two letters or more also stands for words that begin with it. For text questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][matches]`]: string | undefined;
      /** `true`: there is an answer. `false`: there is none. For any question. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][answered]`]: string | undefined;
      /** Holds when so many options are chosen, or more. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtLeast]`]: string | undefined;
      /** Holds when so many options are chosen, or fewer. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][chosenAtMost]`]: string | undefined;
      /** Holds when the date is before this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][before]`]: string | undefined;
      /** Holds when the date is after this one. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][after]`]: string | undefined;
      /** Holds when the date is this one, or before it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrBefore]`]: string | undefined;
      /** Holds when the date is this one, or after it. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][onOrAfter]`]: string | undefined;
      /** Holds when somebody who was born on the date is this old, or older, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageAtLeast]`]: string | undefined;
      /** Holds when somebody who was born on the date is younger than this, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][ageBelow]`]: string | undefined;
      /** Holds when this option (its id or label) is ranked first. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][first]`]: string | undefined;
      /** Holds when the option has this rank or a better one: 1 is the best. For ranking questions. Write a key instead of `{key}`. */
      [name: `filter[answers.${string}][rankedAtMost]`]: string | undefined;
      /** An id */
      publicationId?: string;
      /** Split into groups: by the answers to a question, by its id, or to a row of a matrix, as `<its id>.<the row’s>`; by `attributes.<key>` of the participants; by the arms of an assignment, as `arms.<its id>`; or by who has a place in a quota, as `quotas.<its id>` */
      splitBy?: string;
      /** `true`: also sessions whose participants have withdrawn */
      includeWithdrawn?: "true" | "false";
      fromQuestion?: string;
      questions?: string;
    };
    answers: { 200: ScreenerResults } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** List jobs */
  listJobs: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[kind][eq]"?: "SCREENER_PARTICIPANTS_IMPORT" | "SCREENER_PARTICIPANTS_IMPORT_UNDO" | "SCREENER_PARTICIPANTS_REMOVAL" | "SCREENER_PARTICIPANTS_REMOVAL_UNDO" | "SCREENER_PUBLICATION" | "SCREENER_SESSIONS_OPENING" | "SCREENER_SESSIONS_MOVE" | "SCREENER_SESSIONS_MOVE_UNDO" | "SCREENER_QUOTA_RECOUNT" | "SCREENER_QUOTA_RECOUNT_UNDO" | "SCREENER_QUOTA_OFFER" | "SCREENER_QUOTA_OFFER_UNDO" | "SCREENER_SESSIONS_REVIEW" | "SCREENER_SESSIONS_REVIEW_UNDO" | "MAILING_PLANNING" | "PARTICIPANT_ERASURE" | "PARTICIPANTS_ERASURE" | "SCREENER_SESSION_ANSWERS_ERASURE" | "SCREENER_DELETION" | "SCREENER_TEST_SESSIONS_DELETION" | "WORKSPACE_SANDBOX_RESET";
      /** Any value but this one, also null. */
      "filter[kind][ne]"?: "SCREENER_PARTICIPANTS_IMPORT" | "SCREENER_PARTICIPANTS_IMPORT_UNDO" | "SCREENER_PARTICIPANTS_REMOVAL" | "SCREENER_PARTICIPANTS_REMOVAL_UNDO" | "SCREENER_PUBLICATION" | "SCREENER_SESSIONS_OPENING" | "SCREENER_SESSIONS_MOVE" | "SCREENER_SESSIONS_MOVE_UNDO" | "SCREENER_QUOTA_RECOUNT" | "SCREENER_QUOTA_RECOUNT_UNDO" | "SCREENER_QUOTA_OFFER" | "SCREENER_QUOTA_OFFER_UNDO" | "SCREENER_SESSIONS_REVIEW" | "SCREENER_SESSIONS_REVIEW_UNDO" | "MAILING_PLANNING" | "PARTICIPANT_ERASURE" | "PARTICIPANTS_ERASURE" | "SCREENER_SESSION_ANSWERS_ERASURE" | "SCREENER_DELETION" | "SCREENER_TEST_SESSIONS_DELETION" | "WORKSPACE_SANDBOX_RESET";
      /** Only one of these values. */
      "filter[kind][in][]"?: readonly ("SCREENER_PARTICIPANTS_IMPORT" | "SCREENER_PARTICIPANTS_IMPORT_UNDO" | "SCREENER_PARTICIPANTS_REMOVAL" | "SCREENER_PARTICIPANTS_REMOVAL_UNDO" | "SCREENER_PUBLICATION" | "SCREENER_SESSIONS_OPENING" | "SCREENER_SESSIONS_MOVE" | "SCREENER_SESSIONS_MOVE_UNDO" | "SCREENER_QUOTA_RECOUNT" | "SCREENER_QUOTA_RECOUNT_UNDO" | "SCREENER_QUOTA_OFFER" | "SCREENER_QUOTA_OFFER_UNDO" | "SCREENER_SESSIONS_REVIEW" | "SCREENER_SESSIONS_REVIEW_UNDO" | "MAILING_PLANNING" | "PARTICIPANT_ERASURE" | "PARTICIPANTS_ERASURE" | "SCREENER_SESSION_ANSWERS_ERASURE" | "SCREENER_DELETION" | "SCREENER_TEST_SESSIONS_DELETION" | "WORKSPACE_SANDBOX_RESET")[];
      /** None of these values; also null. */
      "filter[kind][nin][]"?: readonly ("SCREENER_PARTICIPANTS_IMPORT" | "SCREENER_PARTICIPANTS_IMPORT_UNDO" | "SCREENER_PARTICIPANTS_REMOVAL" | "SCREENER_PARTICIPANTS_REMOVAL_UNDO" | "SCREENER_PUBLICATION" | "SCREENER_SESSIONS_OPENING" | "SCREENER_SESSIONS_MOVE" | "SCREENER_SESSIONS_MOVE_UNDO" | "SCREENER_QUOTA_RECOUNT" | "SCREENER_QUOTA_RECOUNT_UNDO" | "SCREENER_QUOTA_OFFER" | "SCREENER_QUOTA_OFFER_UNDO" | "SCREENER_SESSIONS_REVIEW" | "SCREENER_SESSIONS_REVIEW_UNDO" | "MAILING_PLANNING" | "PARTICIPANT_ERASURE" | "PARTICIPANTS_ERASURE" | "SCREENER_SESSION_ANSWERS_ERASURE" | "SCREENER_DELETION" | "SCREENER_TEST_SESSIONS_DELETION" | "WORKSPACE_SANDBOX_RESET")[];
      /** Only this value. */
      "filter[status][eq]"?: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("QUEUED" | "RUNNING" | "PLANNED" | "SUCCEEDED" | "FAILED" | "CANCELLED")[];
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerId][nin][]"?: readonly string[];
      /** The member to sort by. A minus before it: in descending order. */
      sort?: "createdAt" | "-createdAt";
    };
    answers: { 200: PaginatedJob } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get a job */
  getJob: {
    path: Operations["getScreener"]["path"];
    header: {
      /** `wait=N`: answer when the job has ended, after N seconds at the latest (RFC 7240) */
      Prefer?: string;
    };
    answers: { 200: Job } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Cancel a job */
  cancelJob: {
    path: Operations["getScreener"]["path"];
    header: Operations["revokeScreenerLink"]["header"];
    answers: { 200: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 429 | 431 | 500 | 503>;
  };
  /** Get a job's result */
  getJobResult: {
    path: Operations["getScreener"]["path"];
    answers: { 200: unknown } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 410 | 429 | 431 | 500 | 503>;
  };
  /** List the outcomes of a job's rows */
  listJobRows: {
    path: Operations["getScreener"]["path"];
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[externalUid][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[externalUid][ne]"?: string;
      /** Only one of these values. */
      "filter[externalUid][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[externalUid][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[outcome][eq]"?: "CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED" | "REMOVED" | "ERASED" | "REVERTED" | "KEPT" | "OPENED" | "MOVED" | "COUNTED" | "OFFERED" | "REVIEWED" | "SKIPPED" | "SEND" | "SKIP";
      /** Any value but this one, also null. */
      "filter[outcome][ne]"?: "CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED" | "REMOVED" | "ERASED" | "REVERTED" | "KEPT" | "OPENED" | "MOVED" | "COUNTED" | "OFFERED" | "REVIEWED" | "SKIPPED" | "SEND" | "SKIP";
      /** Only one of these values. */
      "filter[outcome][in][]"?: readonly ("CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED" | "REMOVED" | "ERASED" | "REVERTED" | "KEPT" | "OPENED" | "MOVED" | "COUNTED" | "OFFERED" | "REVIEWED" | "SKIPPED" | "SEND" | "SKIP")[];
      /** None of these values; also null. */
      "filter[outcome][nin][]"?: readonly ("CREATED" | "UPDATED" | "UNCHANGED" | "REJECTED" | "REMOVED" | "ERASED" | "REVERTED" | "KEPT" | "OPENED" | "MOVED" | "COUNTED" | "OFFERED" | "REVIEWED" | "SKIPPED" | "SEND" | "SKIP")[];
      /** Only this value. */
      "filter[reason][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[reason][ne]"?: string;
      /** Only one of these values. */
      "filter[reason][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[reason][nin][]"?: readonly string[];
    };
    answers: { 200: PaginatedJobRow } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 410 | 429 | 431 | 500 | 503>;
  };
  /** Apply a plan */
  applyJob: {
    path: Operations["getScreener"]["path"];
    header: Operations["eraseParticipants"]["header"];
    body?: JobApply;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Undo an import, or a move of links */
  undoJob: {
    path: Operations["getScreener"]["path"];
    header: Operations["eraseParticipants"]["header"];
    body?: JobUndo;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Have a failed job run again */
  retryJob: {
    path: Operations["getScreener"]["path"];
    header: Operations["closeParticipantRequest"]["header"];
    answers: { 200: Job } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List events */
  listEvents: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[id][eq]"?: string;
      /** Only one of these values. */
      "filter[id][in][]"?: readonly string[];
      /** Only this value. */
      "filter[type][eq]"?: "screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed";
      /** Any value but this one, also null. */
      "filter[type][ne]"?: "screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed";
      /** Only one of these values. */
      "filter[type][in][]"?: readonly ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[];
      /** None of these values; also null. */
      "filter[type][nin][]"?: readonly ("screener.created" | "screener.updated" | "screener.published" | "screener.deleted" | "screener-publication.updated" | "screener-translation.updated" | "screener-translation.deleted" | "quota.reached" | "screener-quota.updated" | "screener-quota.full" | "screener-quota.opened" | "screener-quota.recounted" | "screener-quota.recount-undone" | "screener-quota.offered" | "screener-quota.offer-undone" | "image.created" | "screener-link.created" | "screener-link.updated" | "screener-link.revoked" | "screener-participant.added" | "screener-participant.joined" | "mailing.created" | "mailing.started" | "mailing.paused" | "mailing.resumed" | "mailing.stopped" | "mailing.sent" | "message.sent" | "message.failed" | "message.bounced" | "participant.created" | "participant.updated" | "participant-note.written" | "participant-note.deleted" | "participant.erased" | "screener-participant.removed" | "screener-session.created" | "screener-session.started" | "screener-session.language-chosen" | "screener-session.answered" | "screener-session.completed" | "screener-session.withdrawn" | "screener-session.answers-erased" | "participant.unsubscribed" | "participant.subscribed" | "participant-request.created" | "participant-request.closed" | "mail-suppression.created" | "mail-suppression.deleted" | "screener-session.overridden" | "screener-session.accepted" | "screener-session.rejected" | "screener-session.review-reopened" | "screener-session.offer-lapsed" | "screener-session.removed" | "screener-sessions.opened" | "screener-sessions.tests-deleted" | "participants.erased" | "screener-participants.removed" | "screener-participants.removal-undone" | "screener-sessions.moved" | "screener-sessions.moved-back" | "screener-sessions.reviewed" | "screener-sessions.review-undone" | "import.planned" | "import.completed" | "import.failed" | "import.undone" | "job.planned" | "job.failed" | "job.cancelled" | "job.retried" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.restored" | "workspace.sandbox-reset" | "workspace.moved" | "workspace.resumed" | "attribute-index.created" | "attribute-index.removed" | "data.exported" | "retention.applied" | "user.created" | "user.link-issued" | "user.joined" | "user.two-factor-set-up" | "user.two-factor-removed" | "user.tied" | "user.untied" | "user.disabled" | "user.enabled" | "user.role-changed" | "user.updated" | "api-key.created" | "api-key.rotated" | "api-key.revoked" | "access-token.created" | "access-token.revoked" | "webhook-endpoint.created" | "webhook-endpoint.updated" | "webhook-endpoint.disabled" | "webhook-endpoint.deleted" | "webhook-endpoint.tested" | "webhook-deliveries.replayed")[];
      /** This time or later. */
      "filter[createdAt][gte]"?: string;
      /** Before this time. */
      "filter[createdAt][lt]"?: string;
      /** Only this value. */
      "filter[jobId][eq]"?: string;
      /** Only one of these values. */
      "filter[jobId][in][]"?: readonly string[];
      /** Only this value. */
      "filter[actorId][eq]"?: string;
      /** Only this value. */
      "filter[resourceId][eq]"?: string;
      /** Only one of these values. */
      "filter[resourceId][in][]"?: readonly string[];
    };
    answers: { 200: PaginatedEvent } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Follow the events */
  followEvents: {
    query: {
      /** The `cursor` of the page before. Without it: from the start */
      after?: string;
      limit?: string;
    };
    header: {
      /** `wait=N`: how many seconds to wait if nothing came after */
      Prefer?: string;
    };
    answers: { 200: EventFeed } & Problems<400 | 401 | 403 | 406 | 410 | 429 | 431 | 500 | 503>;
  };
  /** Get an event */
  getEvent: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: Event; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get how participants' pages look */
  getAppearance: {
    header: Operations["getScreener"]["header"];
    answers: { 200: Appearance; 304: undefined } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change how participants' pages look */
  changeAppearance: {
    header: Operations["changeScreener"]["header"];
    body: AppearanceChange;
    answers: { 200: Appearance } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Send an image for statements */
  createImage: {
    header: Operations["closeParticipantRequest"]["header"];
    body: NewImage;
    answers: { 200: Image; 201: Image } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get an image */
  getImage: {
    path: Operations["getScreener"]["path"];
    answers: { 200: Image } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get what the attributes of participants are */
  getWorkspaceAttributes: {
    header: Operations["getScreener"]["header"];
    answers: { 200: WorkspaceAttributes; 304: undefined } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Say what the attributes of participants are */
  putWorkspaceAttributes: {
    header: Operations["changeScreener"]["header"];
    body: WorkspaceAttributesInput;
    answers: { 200: WorkspaceAttributes } & Problems<400 | 401 | 403 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** List the languages of participants' pages */
  listPageWords: {
    answers: { 200: PageLanguages } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get the words of participants' pages in a language */
  getPageWords: {
    path: {
      /** A language, as BCP 47 names it */
      language: string;
    };
    header: Operations["getScreener"]["header"];
    answers: { 200: PageWords; 304: undefined } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Give words of your own to participants' pages */
  putPageWords: {
    path: Operations["getPageWords"]["path"];
    header: Operations["changeScreener"]["header"];
    body: PageWordsChange;
    answers: { 200: PageWords } & Problems<400 | 401 | 403 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Get the words of a study's pages in a language */
  getScreenerPageWords: {
    path: Operations["getScreenerTranslation"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: PageWords; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Give words of its own to a study's pages */
  putScreenerPageWords: {
    path: Operations["getScreenerTranslation"]["path"];
    header: Operations["changeScreener"]["header"];
    body: PageWordsChange;
    answers: { 200: PageWords } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Get how mail is sent */
  getMail: {
    answers: { 200: MailSettings } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change how mail is sent */
  changeMail: {
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: MailSettingsChange;
    answers: { 200: MailSettings } & Problems<400 | 401 | 403 | 406 | 408 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Send a test mail */
  sendTestMail: {
    header: {
      /** `handling=strict`: a member of the body that is not known is an error. Without it, `Warning-Members` names it. (RFC 7240) */
      Prefer?: string;
    };
    body: NewMailTest;
    answers: { 200: MailTest } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** List mailings */
  listMailings: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[screenerId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[screenerId][ne]"?: string;
      /** Only one of these values. */
      "filter[screenerId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[screenerId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[status][eq]"?: "SCHEDULED" | "SENDING" | "PAUSED" | "STOPPED" | "SENT";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "SCHEDULED" | "SENDING" | "PAUSED" | "STOPPED" | "SENT";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("SCHEDULED" | "SENDING" | "PAUSED" | "STOPPED" | "SENT")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("SCHEDULED" | "SENDING" | "PAUSED" | "STOPPED" | "SENT")[];
    };
    answers: { 200: PaginatedMailing } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Plan a mailing, and write its messages */
  createMailing: {
    header: Operations["eraseParticipants"]["header"];
    body: NewMailing;
    answers: { 200: Job; 202: Job } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a mailing */
  getMailing: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: Mailing; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** List the messages of a mailing */
  listMailingMessages: {
    path: Operations["getScreener"]["path"];
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[participantId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[participantId][ne]"?: string;
      /** Only one of these values. */
      "filter[participantId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[participantId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[state][eq]"?: "READY" | "SENDING" | "SENT" | "DEFERRED" | "FAILED" | "DROPPED" | "UNCERTAIN" | "BOUNCED";
      /** Any value but this one, also null. */
      "filter[state][ne]"?: "READY" | "SENDING" | "SENT" | "DEFERRED" | "FAILED" | "DROPPED" | "UNCERTAIN" | "BOUNCED";
      /** Only one of these values. */
      "filter[state][in][]"?: readonly ("READY" | "SENDING" | "SENT" | "DEFERRED" | "FAILED" | "DROPPED" | "UNCERTAIN" | "BOUNCED")[];
      /** None of these values; also null. */
      "filter[state][nin][]"?: readonly ("READY" | "SENDING" | "SENT" | "DEFERRED" | "FAILED" | "DROPPED" | "UNCERTAIN" | "BOUNCED")[];
    };
    answers: { 200: PaginatedMailingMessage } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Show a message as one person would get it */
  previewMailing: {
    header: Operations["sendTestMail"]["header"];
    body: NewMailingPreview;
    answers: { 200: MailingPreview } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Send a message to oneself */
  testMailing: {
    header: Operations["sendTestMail"]["header"];
    body: NewMailingTest;
    answers: { 200: MailTest } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Pause a mailing */
  pauseMailing: {
    path: Operations["getScreener"]["path"];
    header: Operations["closeParticipantRequest"]["header"];
    answers: { 200: Mailing } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Resume a paused mailing */
  resumeMailing: {
    path: Operations["getScreener"]["path"];
    header: Operations["createScreener"]["header"];
    body?: MailingResume;
    answers: { 200: Mailing } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Stop a mailing for good */
  stopMailing: {
    path: Operations["getScreener"]["path"];
    header: Operations["closeParticipantRequest"]["header"];
    answers: { 200: Mailing } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List webhook endpoints */
  listWebhookEndpoints: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[status][eq]"?: "ENABLED" | "DISABLED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "ENABLED" | "DISABLED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("ENABLED" | "DISABLED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("ENABLED" | "DISABLED")[];
    };
    answers: { 200: PaginatedWebhookEndpoint } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Create a webhook endpoint */
  createWebhookEndpoint: {
    header: Operations["createScreener"]["header"];
    body: NewWebhookEndpoint;
    answers: { 201: WebhookEndpointWithSecret } & Problems<400 | 401 | 403 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Get a webhook endpoint */
  getWebhookEndpoint: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: WebhookEndpoint; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a webhook endpoint's URL, types, order or status */
  changeWebhookEndpoint: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: WebhookEndpointChange;
    answers: { 200: WebhookEndpoint } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** Delete a webhook endpoint */
  deleteWebhookEndpoint: {
    path: Operations["getScreener"]["path"];
    header: {
      /** Why: kept with the events of the write, for the readers of `/events`. In UTF-8. */
      "X-Action-Note"?: string;
      /** The ETag of what is to be changed, as GET shows it. If it is another now: 412, and nothing is changed. */
      "If-Match"?: string;
    };
    answers: { 200: WebhookEndpoint } & Problems<400 | 401 | 403 | 404 | 406 | 412 | 429 | 431 | 500 | 503>;
  };
  /** Give a webhook endpoint a new secret */
  rotateWebhookSecret: {
    path: Operations["getScreener"]["path"];
    header: Operations["reviewScreenerSession"]["header"];
    body?: WebhookSecretRotation;
    answers: { 200: WebhookEndpointWithSecret } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List webhook deliveries */
  listWebhookDeliveries: {
    query: {
      /** How many items to leave out. JSON only. */
      "pagination[offset]"?: number;
      /** A limit above 500 is lowered to 500. JSON only. */
      "pagination[limit]"?: number;
      /** Only this value. */
      "filter[webhookEndpointId][eq]"?: string;
      /** Any value but this one, also null. */
      "filter[webhookEndpointId][ne]"?: string;
      /** Only one of these values. */
      "filter[webhookEndpointId][in][]"?: readonly string[];
      /** None of these values; also null. */
      "filter[webhookEndpointId][nin][]"?: readonly string[];
      /** Only this value. */
      "filter[eventId][eq]"?: string;
      /** Only one of these values. */
      "filter[eventId][in][]"?: readonly string[];
      /** Only this value. */
      "filter[status][eq]"?: "PENDING" | "SUCCEEDED" | "FAILED";
      /** Any value but this one, also null. */
      "filter[status][ne]"?: "PENDING" | "SUCCEEDED" | "FAILED";
      /** Only one of these values. */
      "filter[status][in][]"?: readonly ("PENDING" | "SUCCEEDED" | "FAILED")[];
      /** None of these values; also null. */
      "filter[status][nin][]"?: readonly ("PENDING" | "SUCCEEDED" | "FAILED")[];
    };
    answers: { 200: PaginatedWebhookDelivery } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get a webhook delivery with its attempts */
  getWebhookDelivery: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: WebhookDeliveryWithAttempts; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Send a webhook delivery again */
  retryWebhookDelivery: {
    path: Operations["getScreener"]["path"];
    header: Operations["closeParticipantRequest"]["header"];
    answers: { 200: WebhookDelivery } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Send a test to a webhook endpoint */
  testWebhookEndpoint: {
    path: Operations["getScreener"]["path"];
    header: Operations["closeParticipantRequest"]["header"];
    answers: { 201: WebhookDelivery } & Problems<400 | 401 | 403 | 404 | 406 | 409 | 422 | 429 | 431 | 500 | 503>;
  };
  /** Send the events of a time range again */
  replayWebhookEvents: {
    path: Operations["getScreener"]["path"];
    header: Operations["createScreener"]["header"];
    body: WebhookReplayRequest;
    answers: { 202: WebhookReplay } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503>;
  };
  /** List users */
  listUsers: {
    answers: { 200: Users } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Get a user */
  getUser: {
    path: Operations["getScreener"]["path"];
    header: Operations["getScreener"]["header"];
    answers: { 200: User; 304: undefined } & Problems<400 | 401 | 403 | 404 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Change a user's role */
  changeUser: {
    path: Operations["getScreener"]["path"];
    header: Operations["changeScreener"]["header"];
    body: UserChange;
    answers: { 200: User } & Problems<400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 429 | 431 | 500 | 503>;
  };
  /** What the workspace takes */
  getWorkspaceUsage: {
    answers: { 200: WorkspaceUsage } & Problems<400 | 401 | 403 | 406 | 429 | 431 | 500 | 503>;
  };
  /** Whether the process is alive */
  getHealth: {
    answers: { 200: Health } & Problems<400 | 406 | 431 | 500 | 503>;
  };
  /** Whether the process can serve */
  getReadiness: {
    query: {
      /** Whether the process can serve writes, too. Without it: whether it can serve reads. */
      writes?: "" | "true";
    };
    answers: { 200: Readiness; 503: Readiness } & Problems<400 | 406 | 431 | 500>;
  };
}

/** The ids of the operations, by path and method. */
export interface OperationIds {
  "/screeners": {
    get: "listScreeners";
    post: "createScreener";
  };
  "/screeners/{id}": {
    get: "getScreener";
    patch: "changeScreener";
    delete: "deleteScreener";
  };
  "/screeners/{id}/content": {
    get: "getScreenerContent";
    put: "putScreenerContent";
  };
  "/screeners/{id}/translations": {
    get: "listScreenerTranslations";
  };
  "/screeners/{id}/translations/{language}": {
    get: "getScreenerTranslation";
    patch: "changeScreenerTranslation";
    put: "putScreenerTranslation";
    delete: "deleteScreenerTranslation";
  };
  "/screeners/{id}/publications": {
    get: "listScreenerPublications";
  };
  "/screener-publications": {
    post: "publishScreener";
  };
  "/screener-publications/{id}": {
    get: "getScreenerPublication";
    patch: "changeScreenerPublication";
  };
  "/screener-publications/{id}/content": {
    get: "getScreenerPublicationContent";
  };
  "/screener-publications/{id}/restore": {
    post: "restoreScreenerPublication";
  };
  "/screeners/{id}/quotas": {
    get: "listScreenerQuotas";
  };
  "/screener-quotas/{id}": {
    get: "getScreenerQuota";
    patch: "changeScreenerQuota";
  };
  "/screener-quotas/{id}/places": {
    get: "listScreenerQuotaPlaces";
  };
  "/screener-links": {
    get: "listScreenerLinks";
    post: "createScreenerLink";
  };
  "/screener-links/{id}": {
    get: "getScreenerLink";
    patch: "changeScreenerLink";
    delete: "revokeScreenerLink";
  };
  "/workspace/signing-key": {
    get: "getSigningKey";
  };
  "/workspace/signing-key/rotate": {
    post: "rotateSigningKey";
  };
  "/screeners/{id}/arms": {
    get: "listScreenerArms";
  };
  "/screeners/{id}/quota-forecast": {
    post: "forecastScreenerQuotas";
  };
  "/screeners/{id}/feasibility": {
    post: "assessScreenerFeasibility";
  };
  "/participants": {
    get: "listParticipants";
    post: "createParticipant";
  };
  "/participants/{id}": {
    get: "getParticipant";
    patch: "changeParticipant";
    delete: "eraseParticipant";
  };
  "/participants/{id}/export": {
    get: "exportParticipant";
  };
  "/participants-erasure": {
    post: "eraseParticipants";
  };
  "/screener-sessions/{id}/responses": {
    delete: "eraseScreenerResponses";
    post: "submitScreenerResponses";
  };
  "/participant-requests": {
    get: "listParticipantRequests";
  };
  "/participant-requests/{id}": {
    get: "getParticipantRequest";
  };
  "/participant-requests/{id}/close": {
    post: "closeParticipantRequest";
  };
  "/participant-notes": {
    get: "listParticipantNotes";
    post: "createParticipantNote";
  };
  "/participant-notes/{id}": {
    get: "getParticipantNote";
    delete: "deleteParticipantNote";
  };
  "/mail-suppressions": {
    get: "listMailSuppressions";
    post: "createMailSuppression";
  };
  "/mail-suppressions/{id}": {
    get: "getMailSuppression";
    delete: "deleteMailSuppression";
  };
  "/screener-participants": {
    get: "listScreenerParticipants";
    post: "addScreenerParticipant";
  };
  "/screener-participants/{id}": {
    get: "getScreenerParticipant";
    delete: "removeScreenerParticipant";
  };
  "/screener-participants-import": {
    post: "importScreenerParticipants";
  };
  "/screener-participants-removal": {
    post: "removeScreenerParticipants";
  };
  "/workspace/sandbox-reset": {
    post: "resetSandbox";
  };
  "/screener-sessions": {
    get: "listScreenerSessions";
    post: "openScreenerSession";
  };
  "/screener-sessions/{id}": {
    get: "getScreenerSession";
    delete: "removeScreenerSession";
  };
  "/screener-sessions/{id}/orders": {
    get: "getScreenerSessionOrders";
  };
  "/screener-sessions/{id}/explanation": {
    get: "explainScreenerSession";
  };
  "/screeners/{id}/test-sessions": {
    delete: "deleteScreenerTestSessions";
  };
  "/screener-sessions/{id}/review": {
    post: "reviewScreenerSession";
  };
  "/screener-sessions/{id}/override": {
    post: "overrideScreenerSession";
  };
  "/screener-sessions-move": {
    post: "moveScreenerSessions";
  };
  "/screener-quotas/{id}/recount": {
    post: "recountScreenerQuota";
  };
  "/screener-quotas/{id}/offer": {
    post: "offerScreenerQuota";
  };
  "/screener-sessions-review": {
    post: "reviewScreenerSessions";
  };
  "/screener-responses": {
    get: "listScreenerResponses";
  };
  "/screeners/{id}/export": {
    get: "exportScreenerResponses";
  };
  "/screeners/{id}/codebook": {
    get: "getScreenerCodebook";
  };
  "/screeners/{id}/answers": {
    get: "listScreenerAnswers";
  };
  "/screeners/{id}/answer-columns": {
    get: "listScreenerAnswerColumns";
  };
  "/screeners/{id}/results": {
    get: "getScreenerResults";
  };
  "/jobs": {
    get: "listJobs";
  };
  "/jobs/{id}": {
    get: "getJob";
    delete: "cancelJob";
  };
  "/jobs/{id}/result": {
    get: "getJobResult";
  };
  "/jobs/{id}/rows": {
    get: "listJobRows";
  };
  "/jobs/{id}/apply": {
    post: "applyJob";
  };
  "/jobs/{id}/undo": {
    post: "undoJob";
  };
  "/jobs/{id}/retry": {
    post: "retryJob";
  };
  "/events": {
    get: "listEvents";
  };
  "/events/feed": {
    get: "followEvents";
  };
  "/events/{id}": {
    get: "getEvent";
  };
  "/workspace/appearance": {
    get: "getAppearance";
    patch: "changeAppearance";
  };
  "/workspace/images": {
    post: "createImage";
  };
  "/workspace/images/{id}": {
    get: "getImage";
  };
  "/workspace/attributes": {
    get: "getWorkspaceAttributes";
    put: "putWorkspaceAttributes";
  };
  "/workspace/words": {
    get: "listPageWords";
  };
  "/workspace/words/{language}": {
    get: "getPageWords";
    put: "putPageWords";
  };
  "/screeners/{id}/words/{language}": {
    get: "getScreenerPageWords";
    put: "putScreenerPageWords";
  };
  "/workspace/mail": {
    get: "getMail";
    patch: "changeMail";
  };
  "/workspace/mail/test": {
    post: "sendTestMail";
  };
  "/mailings": {
    get: "listMailings";
    post: "createMailing";
  };
  "/mailings/{id}": {
    get: "getMailing";
  };
  "/mailings/{id}/messages": {
    get: "listMailingMessages";
  };
  "/mailings-preview": {
    post: "previewMailing";
  };
  "/mailings-test": {
    post: "testMailing";
  };
  "/mailings/{id}/pause": {
    post: "pauseMailing";
  };
  "/mailings/{id}/resume": {
    post: "resumeMailing";
  };
  "/mailings/{id}/stop": {
    post: "stopMailing";
  };
  "/webhook-endpoints": {
    get: "listWebhookEndpoints";
    post: "createWebhookEndpoint";
  };
  "/webhook-endpoints/{id}": {
    get: "getWebhookEndpoint";
    patch: "changeWebhookEndpoint";
    delete: "deleteWebhookEndpoint";
  };
  "/webhook-endpoints/{id}/rotate-secret": {
    post: "rotateWebhookSecret";
  };
  "/webhook-deliveries": {
    get: "listWebhookDeliveries";
  };
  "/webhook-deliveries/{id}": {
    get: "getWebhookDelivery";
  };
  "/webhook-deliveries/{id}/retry": {
    post: "retryWebhookDelivery";
  };
  "/webhook-endpoints/{id}/test": {
    post: "testWebhookEndpoint";
  };
  "/webhook-endpoints/{id}/replay": {
    post: "replayWebhookEvents";
  };
  "/workspace/users": {
    get: "listUsers";
  };
  "/workspace/users/{id}": {
    get: "getUser";
    patch: "changeUser";
  };
  "/workspace/usage": {
    get: "getWorkspaceUsage";
  };
  "/healthz": {
    get: "getHealth";
  };
  "/readyz": {
    get: "getReadiness";
  };
}

/** The operations, by path and method. */
export type Paths = {
  [P in keyof OperationIds]: { [M in keyof OperationIds[P]]: Operations[OperationIds[P][M] & keyof Operations] };
};
