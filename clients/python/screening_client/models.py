"""What the API takes and answers."""
# Made from the API description by `npm run client`. Do not change this file by hand.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias

#: The version of the API that these types describe.
API_VERSION = "1.0.0"


class Actor(TypedDict):
    _type: Union[Literal["ApplicationActor", "TenantUserActor"], str]
    id: str
    name: str


class ScreenerSignalsView(TypedDict):
    hurried: Union[Dict[str, Any], None]
    straightLines: Union[Dict[str, Any], None]
    sameText: Union[Dict[str, Any], None]
    attentionCheck: Union[Dict[str, Any], None]
    contradiction: Union[Dict[str, Any], None]
    sameEmail: Union[Dict[str, Any], None]
    sameBrowser: Union[Dict[str, Any], None]
    sameAddress: Union[Dict[str, Any], None]
    hiddenField: Union[Dict[str, Any], None]


class Screener(TypedDict):
    _type: Literal["Screener"]
    id: str
    title: Union[str, None]
    description: Union[str, None]
    activePublicationId: Union[str, None]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]
    acceptance: Literal["OPEN", "PAUSED", "CLOSED"]
    opensAt: Union[str, None]
    closesAt: Union[str, None]
    timeZone: str
    linkExpiresAt: Union[str, None]
    quotaHoldMinutes: int
    review: Literal["NONE", "ALL", "SIGNALS"]
    archived: bool
    signals: ScreenerSignalsView


class PaginatedScreener(TypedDict):
    _type: Literal["PaginatedScreener"]
    total: int
    limit: int
    offset: int
    items: List[Screener]


class ProblemError(TypedDict):
    pointer: str
    message: str
    row: NotRequired[int]
    line: NotRequired[int]
    externalUid: NotRequired[str]
    value: NotRequired[Union[Union[str, float, bool], None]]
    heldBy: NotRequired[str]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Union[Literal["unauthenticated", "invalid_request", "unsupported_api_version", "insufficient_scope", "route_not_found", "method_not_allowed", "not_acceptable", "workspace_suspended", "request_timeout", "screener_not_found", "screener_publication_not_found", "participant_not_found", "screener_participant_not_found", "screener_session_not_found", "event_not_found", "webhook_endpoint_not_found", "webhook_delivery_not_found", "job_not_found", "screener_quota_not_found", "screener_link_not_found", "screener_link_revoked", "screener_link_limit", "embedding_conflict", "mail_suppression_not_found", "image_not_found", "image_limit", "signing_key_missing", "workspace_not_sandbox", "sandbox_sends_no_mail", "mail_not_configured", "mail_signature_invalid", "translation_not_found", "translations_incomplete", "draft_incomplete", "quota_rule_changed", "external_uid_taken", "email_taken", "screener_not_published", "confirmation_required", "webhook_endpoint_disabled", "webhook_endpoint_limit", "webhook_replay_limit", "screener_closed", "link_expired", "test_session_limit", "session_closed", "session_completed", "session_not_withdrawn", "participant_note_not_found", "user_not_found", "last_admin", "user_without_account", "operators_only", "participant_request_not_found", "session_not_completed", "session_not_reviewed", "quota_reached", "job_not_finished", "job_not_succeeded", "job_not_cancellable", "job_not_retryable", "job_cancelled", "job_overtaken", "removal_limit_exceeded", "mailing_not_found", "mailing_ended", "recipient_limit_exceeded", "row_count_differs", "plan_outdated", "plan_expired", "plan_superseded", "job_not_planned", "job_not_undoable", "event_gone", "undo_gone", "job_result_gone", "precondition_failed", "body_too_large", "result_too_large", "unsupported_media_type", "too_many_sessions", "export_too_large", "idempotency_key_reused", "import_budget_exceeded", "too_many_requests", "headers_too_large", "internal_error", "job_crashed", "job_lost", "job_body_lost", "result_damaged", "workspace_moving", "cell_away", "store_busy", "store_full", "store_refused", "store_migrating", "store_unavailable"], str]
    errors: NotRequired[List[ProblemError]]
    errorCount: NotRequired[int]
    supportedVersions: NotRequired[List[str]]
    removals: NotRequired[int]
    assignments: NotRequired[int]
    maxRemovals: NotRequired[Union[int, str]]
    rows: NotRequired[int]
    expectedRows: NotRequired[int]
    jobId: NotRequired[str]
    requestId: str


class ScreenerSignals(TypedDict):
    """One member for each kind. Null or missing: it is off. What is sent replaces all of them"""

    hurried: NotRequired[Union[Dict[str, Any], None]]
    straightLines: NotRequired[Union[Dict[str, Any], None]]
    sameText: NotRequired[Union[Dict[str, Any], None]]
    attentionCheck: NotRequired[Union[Dict[str, Any], None]]
    contradiction: NotRequired[Union[Dict[str, Any], None]]
    sameEmail: NotRequired[Union[Dict[str, Any], None]]
    sameBrowser: NotRequired[Union[Dict[str, Any], None]]
    sameAddress: NotRequired[Union[Dict[str, Any], None]]
    hiddenField: NotRequired[Union[Dict[str, Any], None]]


class NewScreener(TypedDict):
    title: str
    description: NotRequired[Union[str, None]]
    acceptance: NotRequired[Literal["OPEN", "PAUSED", "CLOSED"]]
    opensAt: NotRequired[Union[str, None]]
    closesAt: NotRequired[Union[str, None]]
    timeZone: NotRequired[str]
    linkExpiresAt: NotRequired[Union[str, None]]
    quotaHoldMinutes: NotRequired[int]
    review: NotRequired[Literal["NONE", "ALL", "SIGNALS"]]
    signals: NotRequired[ScreenerSignals]


class ScreenerChange(TypedDict):
    title: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    archived: NotRequired[bool]
    acceptance: NotRequired[Literal["OPEN", "PAUSED", "CLOSED"]]
    opensAt: NotRequired[Union[str, None]]
    closesAt: NotRequired[Union[str, None]]
    timeZone: NotRequired[str]
    linkExpiresAt: NotRequired[Union[str, None]]
    quotaHoldMinutes: NotRequired[int]
    review: NotRequired[Literal["NONE", "ALL", "SIGNALS"]]
    signals: NotRequired[ScreenerSignals]


class ScreenerAttentionCheck(TypedDict):
    when: Condition


class ScreenerTextQuestion(TypedDict):
    _type: Literal["ScreenerTextQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    multiline: bool
    minLength: Union[float, None]
    maxLength: Union[float, None]
    format: NotRequired[Literal["EMAIL", "PHONE", "POSTCODE", "URL", "DIGITS"]]
    pattern: NotRequired[str]
    patternMessage: NotRequired[str]


class ScreenerNumericQuestion(TypedDict):
    _type: Literal["ScreenerNumericQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    min: Union[float, None]
    max: Union[float, None]
    wholeNumber: bool


class ScreenerOption(TypedDict):
    id: str
    text: str
    fixed: NotRequired[Literal[True]]


class ScreenerSingleSelectQuestion(TypedDict):
    _type: Literal["ScreenerSingleSelectQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    options: List[ScreenerOption]
    allowsWriteIn: bool
    shuffle: NotRequired[Literal[True]]
    display: NotRequired[Literal["LIST", "MENU"]]


class ScreenerMultiOption(TypedDict):
    id: str
    text: str
    fixed: NotRequired[Literal[True]]
    exclusive: NotRequired[Literal[True]]


class ScreenerMultiSelectQuestion(TypedDict):
    _type: Literal["ScreenerMultiSelectQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    options: List[ScreenerMultiOption]
    allowsWriteIn: bool
    shuffle: NotRequired[Literal[True]]
    minChoices: Union[float, None]
    maxChoices: Union[float, None]

ScreenerScaleQuestion = TypedDict(
    "ScreenerScaleQuestion",
    {
        "_type": "Literal[\"ScreenerScaleQuestion\"]",
        "id": "str",
        "key": "Union[str, None]",
        "prompt": "str",
        "helpText": "Union[str, None]",
        "required": "bool",
        "showWhen": "Union[Condition, None]",
        "fixed": "NotRequired[Literal[True]]",
        "look": "Literal[\"NUMBERS\", \"STARS\", \"NPS\"]",
        "from": "float",
        "to": "float",
        "lowLabel": "Union[str, None]",
        "highLabel": "Union[str, None]",
    },
)

ScreenerDate: TypeAlias = "str"


class ScreenerDateFromToday(TypedDict):
    """The day that is so far from the day on which the session was started, in the time zone of the study"""

    today: str


class ScreenerDateQuestion(TypedDict):
    _type: Literal["ScreenerDateQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    precision: Literal["DAY", "MONTH", "YEAR"]
    min: Union[Union[ScreenerDate, ScreenerDateFromToday], None]
    max: Union[Union[ScreenerDate, ScreenerDateFromToday], None]


class ScreenerRankingQuestion(TypedDict):
    _type: Literal["ScreenerRankingQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    options: List[ScreenerOption]
    rankAtLeast: Union[float, None]
    rankAtMost: Union[float, None]
    shuffle: NotRequired[Literal[True]]


class ScreenerMatrixRow(TypedDict):
    id: str
    text: str
    fixed: NotRequired[Literal[True]]


class ScreenerMatrixColumn(TypedDict):
    id: str
    text: str


class ScreenerMatrixQuestion(TypedDict):
    _type: Literal["ScreenerMatrixQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    rows: List[ScreenerMatrixRow]
    columns: List[ScreenerMatrixColumn]
    multiple: bool
    requireEachRow: bool
    shuffle: NotRequired[Literal[True]]


class ScreenerConsentQuestion(TypedDict):
    _type: Literal["ScreenerConsentQuestion"]
    id: str
    key: Union[str, None]
    prompt: str
    helpText: Union[str, None]
    required: bool
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]
    text: str
    version: Union[str, None]
    withdrawText: Union[str, None]
    declinedText: Union[str, None]


class StatementImage(TypedDict):
    """Missing where there is none"""

    id: str
    alternativeText: str
    width: float
    height: float


class ScreenerStatement(TypedDict):
    _type: Literal["ScreenerStatement"]
    id: str
    text: Union[str, None]
    image: NotRequired[StatementImage]
    showWhen: Union[Condition, None]
    fixed: NotRequired[Literal[True]]

ScreenerQuestion: TypeAlias = "Union[ScreenerTextQuestion, ScreenerNumericQuestion, ScreenerSingleSelectQuestion, ScreenerMultiSelectQuestion, ScreenerScaleQuestion, ScreenerDateQuestion, ScreenerRankingQuestion, ScreenerMatrixQuestion, ScreenerConsentQuestion, ScreenerStatement]"


class ScreenerPage(TypedDict):
    _type: Literal["ScreenerPage"]
    id: str
    title: Union[str, None]
    description: Union[str, None]
    showWhen: Union[Condition, None]
    disqualifyWhen: Union[Condition, None]
    attentionCheck: NotRequired[ScreenerAttentionCheck]
    contradictsWhen: NotRequired[Condition]
    questions: List[ScreenerQuestion]
    shuffle: NotRequired[Literal[True]]
    shuffleBlock: NotRequired[str]
    fixed: NotRequired[Literal[True]]


class ThankYouByOutcome(TypedDict):
    QUALIFIED: NotRequired[str]
    DISQUALIFIED: NotRequired[str]
    UNKNOWN: NotRequired[str]


class RedirectByOutcome(TypedDict):
    """Missing where nobody is led anywhere"""

    QUALIFIED: NotRequired[str]
    DISQUALIFIED: NotRequired[str]
    UNKNOWN: NotRequired[str]


class ScreenerContentQuota(TypedDict):
    id: str
    name: str
    when: Union[Condition, None]
    mode: Literal["LIMIT", "COUNT"]
    limit: Union[float, None]
    ending: Dict[str, Any]


class ScreenerContentArm(TypedDict):
    id: str
    name: str
    when: Union[Condition, None]


class ScreenerArmAssignment(TypedDict):
    id: str
    name: str
    pick: Literal["LEAST_FULL", "RANDOM"]
    arms: List[ScreenerContentArm]


class IncompleteError(TypedDict):
    pointer: str
    message: str


class IncompletePiece(TypedDict):
    pointer: str
    value: Any
    errors: List[IncompleteError]


class ScreenerContent(TypedDict):
    _type: Literal["ScreenerContent"]
    screenerId: str
    markup: Literal["PLAIN", "MARKDOWN"]
    language: NotRequired[str]
    pages: List[ScreenerPage]
    qualifyWhen: Union[Condition, None]
    thankYou: Union[str, None]
    thankYouByOutcome: Union[ThankYouByOutcome, None]
    redirectByOutcome: NotRequired[RedirectByOutcome]
    signRedirects: NotRequired[Literal[True]]
    quotas: NotRequired[List[ScreenerContentQuota]]
    assignments: NotRequired[List[ScreenerArmAssignment]]
    allowIncomplete: NotRequired[Literal[True]]
    incomplete: NotRequired[List[IncompletePiece]]


class ScreenerOptionInput(TypedDict):
    id: NotRequired[Union[str, None]]
    text: str
    fixed: NotRequired[Union[bool, None]]


class ScreenerMultiOptionInput(TypedDict):
    id: NotRequired[Union[str, None]]
    text: str
    fixed: NotRequired[Union[bool, None]]
    exclusive: NotRequired[Union[bool, None]]


class ScreenerMatrixRowInput(TypedDict):
    id: NotRequired[Union[str, None]]
    text: str
    fixed: NotRequired[Union[bool, None]]


class ScreenerMatrixColumnInput(TypedDict):
    id: NotRequired[Union[str, None]]
    text: str


class ScreenerTextQuestionInput(TypedDict):
    _type: Literal["ScreenerTextQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    multiline: NotRequired[Union[bool, None]]
    minLength: NotRequired[Union[int, None]]
    maxLength: NotRequired[Union[int, None]]
    format: NotRequired[Union[Literal["EMAIL", "PHONE", "POSTCODE", "URL", "DIGITS"], None]]
    pattern: NotRequired[Union[str, None]]
    patternMessage: NotRequired[Union[str, None]]


class ScreenerNumericQuestionInput(TypedDict):
    _type: Literal["ScreenerNumericQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    min: NotRequired[Union[float, None]]
    max: NotRequired[Union[float, None]]
    wholeNumber: NotRequired[Union[bool, None]]


class ScreenerSingleSelectQuestionInput(TypedDict):
    _type: Literal["ScreenerSingleSelectQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    options: List[ScreenerOptionInput]
    allowsWriteIn: NotRequired[Union[bool, None]]
    shuffle: NotRequired[Union[bool, None]]
    display: NotRequired[Union[Literal["LIST", "MENU"], None]]


class ScreenerMultiSelectQuestionInput(TypedDict):
    _type: Literal["ScreenerMultiSelectQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    options: List[ScreenerMultiOptionInput]
    allowsWriteIn: NotRequired[Union[bool, None]]
    shuffle: NotRequired[Union[bool, None]]
    minChoices: NotRequired[Union[int, None]]
    maxChoices: NotRequired[Union[int, None]]

ScreenerScaleQuestionInput = TypedDict(
    "ScreenerScaleQuestionInput",
    {
        "_type": "Literal[\"ScreenerScaleQuestion\"]",
        "id": "NotRequired[Union[str, None]]",
        "key": "NotRequired[Union[str, None]]",
        "prompt": "str",
        "helpText": "NotRequired[Union[str, None]]",
        "required": "NotRequired[Union[bool, None]]",
        "showWhen": "NotRequired[Union[Condition, None]]",
        "fixed": "NotRequired[Union[bool, None]]",
        "look": "NotRequired[Union[Literal[\"NUMBERS\", \"STARS\", \"NPS\"], None]]",
        "from": "NotRequired[Union[int, None]]",
        "to": "NotRequired[Union[int, None]]",
        "lowLabel": "NotRequired[Union[str, None]]",
        "highLabel": "NotRequired[Union[str, None]]",
    },
)


class ScreenerDateQuestionInput(TypedDict):
    _type: Literal["ScreenerDateQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    precision: NotRequired[Union[Literal["DAY", "MONTH", "YEAR"], None]]
    min: NotRequired[Union[Union[ScreenerDate, ScreenerDateFromToday], None]]
    max: NotRequired[Union[Union[ScreenerDate, ScreenerDateFromToday], None]]


class ScreenerRankingQuestionInput(TypedDict):
    _type: Literal["ScreenerRankingQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    options: List[ScreenerOptionInput]
    rankAtLeast: NotRequired[Union[int, None]]
    rankAtMost: NotRequired[Union[int, None]]
    shuffle: NotRequired[Union[bool, None]]


class ScreenerMatrixQuestionInput(TypedDict):
    _type: Literal["ScreenerMatrixQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    rows: List[ScreenerMatrixRowInput]
    columns: List[ScreenerMatrixColumnInput]
    multiple: NotRequired[Union[bool, None]]
    requireEachRow: NotRequired[Union[bool, None]]
    shuffle: NotRequired[Union[bool, None]]


class ScreenerConsentQuestionInput(TypedDict):
    _type: Literal["ScreenerConsentQuestion"]
    id: NotRequired[Union[str, None]]
    key: NotRequired[Union[str, None]]
    prompt: str
    helpText: NotRequired[Union[str, None]]
    required: NotRequired[Union[bool, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]
    text: str
    version: NotRequired[Union[str, None]]
    withdrawText: NotRequired[Union[str, None]]
    declinedText: NotRequired[Union[str, None]]


class StatementImageInput(TypedDict):
    width: NotRequired[Any]
    height: NotRequired[Any]
    id: str
    alternativeText: str


class ScreenerStatementInput(TypedDict):
    _type: Literal["ScreenerStatement"]
    id: NotRequired[Union[str, None]]
    text: NotRequired[Union[str, None]]
    image: NotRequired[Union[StatementImageInput, None]]
    showWhen: NotRequired[Union[Condition, None]]
    fixed: NotRequired[Union[bool, None]]

ScreenerQuestionInput: TypeAlias = "Union[ScreenerTextQuestionInput, ScreenerNumericQuestionInput, ScreenerSingleSelectQuestionInput, ScreenerMultiSelectQuestionInput, ScreenerScaleQuestionInput, ScreenerDateQuestionInput, ScreenerRankingQuestionInput, ScreenerMatrixQuestionInput, ScreenerConsentQuestionInput, ScreenerStatementInput]"


class ScreenerAttentionCheckInput(TypedDict):
    """Where it holds at the end, the person has not read what is asked: a signal for those who review. It decides nothing"""

    when: Union[Condition, None]


class ScreenerPageInput(TypedDict):
    _type: NotRequired[Any]
    id: NotRequired[Union[str, None]]
    title: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    showWhen: NotRequired[Union[Condition, None]]
    disqualifyWhen: NotRequired[Union[Condition, None]]
    attentionCheck: NotRequired[Union[ScreenerAttentionCheckInput, None]]
    contradictsWhen: NotRequired[Union[Condition, None]]
    shuffle: NotRequired[Union[bool, None]]
    shuffleBlock: NotRequired[Union[str, None]]
    fixed: NotRequired[Union[bool, None]]
    questions: List[ScreenerQuestionInput]


class IncompletePieceInput(TypedDict):
    pointer: str
    value: Any
    errors: NotRequired[Any]


class QuotaEndingInput(TypedDict):
    at: NotRequired[Union[Literal["NOW", "END"], None]]
    thankYou: NotRequired[Union[str, None]]
    redirect: NotRequired[Union[str, None]]


class ScreenerContentQuotaInput(TypedDict):
    id: NotRequired[Union[str, None]]
    name: str
    when: NotRequired[Union[Condition, None]]
    mode: NotRequired[Union[Literal["LIMIT", "COUNT"], None]]
    limit: NotRequired[Union[int, None]]
    ending: NotRequired[Union[QuotaEndingInput, None]]


class ScreenerArmInput(TypedDict):
    id: NotRequired[Union[str, None]]
    name: str
    when: NotRequired[Union[Condition, None]]


class ScreenerArmAssignmentInput(TypedDict):
    id: NotRequired[Union[str, None]]
    name: str
    pick: NotRequired[Union[Literal["LEAST_FULL", "RANDOM"], None]]
    arms: List[ScreenerArmInput]


class AllCondition(TypedDict):
    """Holds when all of these hold."""

    all: List[Condition]


class AnyCondition(TypedDict):
    """Holds when one of these holds."""

    any: List[Condition]

NotCondition = TypedDict(
    "NotCondition",
    {
        "not": "Condition",
    },
)


class AnsweredCondition(TypedDict):
    """Holds when there is an answer (true), or none (false). For any question."""

    questionId: str
    answered: bool
    row: NotRequired[str]


class EqualsCondition(TypedDict):
    """Holds when the answer is this. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option."""

    questionId: str
    equals: Union[str, float]
    row: NotRequired[str]


class OneOfCondition(TypedDict):
    """Holds when the answer is one of these. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option."""

    questionId: str
    oneOf: List[Union[str, float]]
    row: NotRequired[str]


class ContainsCondition(TypedDict):
    """Holds when the text has this piece, in upper or lower case; or when this option (its id or label) is among those chosen. For text, multi select and ranking questions."""

    questionId: str
    contains: str
    row: NotRequired[str]


class IsNotCondition(TypedDict):
    """Holds where `equals` does not: also when there is no answer. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option."""

    questionId: str
    isNot: Union[str, float]
    row: NotRequired[str]


class NoneOfCondition(TypedDict):
    """Holds where `oneOf` does not: also when there is no answer. For text, numeric, single select, scale and date questions. A text, a number, or an option by its id (or its label, in the request that makes it). A write-in equals no option."""

    questionId: str
    noneOf: List[Union[str, float]]
    row: NotRequired[str]


class NotContainsCondition(TypedDict):
    """Holds where `contains` does not: also when there is no answer. For text, multi select and ranking questions."""

    questionId: str
    notContains: str
    row: NotRequired[str]


class LessThanCondition(TypedDict):
    """Holds when the answer is below this number. For numeric and scale questions."""

    questionId: str
    lessThan: float


class AtMostCondition(TypedDict):
    """Holds when the answer is this number or below. For numeric and scale questions."""

    questionId: str
    atMost: float


class GreaterThanCondition(TypedDict):
    """Holds when the answer is above this number. For numeric and scale questions."""

    questionId: str
    greaterThan: float


class AtLeastCondition(TypedDict):
    """Holds when the answer is this number or above. For numeric and scale questions."""

    questionId: str
    atLeast: float


class ChosenAtLeastCondition(TypedDict):
    """Holds when so many options are chosen, or more. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions."""

    questionId: str
    chosenAtLeast: int
    row: NotRequired[str]


class ChosenAtMostCondition(TypedDict):
    """Holds when so many options are chosen, or fewer. A write-in counts as one, an option that excludes all others as none. Without an answer it does not hold. For multi select and ranking questions."""

    questionId: str
    chosenAtMost: int
    row: NotRequired[str]


class BeforeCondition(TypedDict):
    """Holds when the date is before this one. With a month or a year only if it is certain. For date questions."""

    questionId: str
    before: Union[ScreenerDate, ScreenerDateFromToday]


class AfterCondition(TypedDict):
    """Holds when the date is after this one. With a month or a year only if it is certain. For date questions."""

    questionId: str
    after: Union[ScreenerDate, ScreenerDateFromToday]


class OnOrBeforeCondition(TypedDict):
    """Holds when the date is this one, or before it. With a month or a year only if it is certain. For date questions."""

    questionId: str
    onOrBefore: Union[ScreenerDate, ScreenerDateFromToday]


class OnOrAfterCondition(TypedDict):
    """Holds when the date is this one, or after it. With a month or a year only if it is certain. For date questions."""

    questionId: str
    onOrAfter: Union[ScreenerDate, ScreenerDateFromToday]


class AgeAtLeastCondition(TypedDict):
    """Holds when somebody who was born on the date is this old, or older, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions."""

    questionId: str
    ageAtLeast: int


class AgeBelowCondition(TypedDict):
    """Holds when somebody who was born on the date is younger than this, in whole years, on the day on which the session was started, in the time zone of the study. Who was born on 29 February has a birthday on 1 March in other years. With a month or a year only if it is certain. For date questions."""

    questionId: str
    ageBelow: int


class FirstCondition(TypedDict):
    """Holds when this option (its id or label) is ranked first. For ranking questions."""

    questionId: str
    first: str


class RankedAtMostCondition(TypedDict):
    """Holds when the option has this rank or a better one: 1 is the best. For ranking questions."""

    questionId: str
    rankedAtMost: Dict[str, Any]


class AttributeExistsCondition(TypedDict):
    """Holds when the participant has this attribute (true), or lacks it (false)."""

    attribute: str
    exists: bool

AttributeIsCondition = TypedDict(
    "AttributeIsCondition",
    {
        "attribute": "str",
        "is": "Union[str, float, bool]",
    },
)


class AttributeEqualsCondition(TypedDict):
    """The same as `is`."""

    attribute: str
    equals: Union[str, float, bool]


class AttributeOneOfCondition(TypedDict):
    """Holds when the attribute is one of these."""

    attribute: str
    oneOf: List[Union[str, float, bool]]


class AttributeContainsCondition(TypedDict):
    """Holds when the attribute is a text that has this piece, in upper or lower case."""

    attribute: str
    contains: str


class AttributeIsNotCondition(TypedDict):
    """Holds where `is` does not: also when the participant lacks the attribute."""

    attribute: str
    isNot: Union[str, float, bool]


class AttributeNoneOfCondition(TypedDict):
    """Holds where `oneOf` does not: also when the participant lacks the attribute."""

    attribute: str
    noneOf: List[Union[str, float, bool]]


class AttributeNotContainsCondition(TypedDict):
    """Holds where `contains` does not: also when the participant lacks the attribute."""

    attribute: str
    notContains: str


class AttributeLessThanCondition(TypedDict):
    """Holds when the attribute is a number, or a text like -7.5, and below this number."""

    attribute: str
    lessThan: float


class AttributeAtMostCondition(TypedDict):
    """Holds when the attribute is a number, or a text like -7.5, and this number or below."""

    attribute: str
    atMost: float


class AttributeGreaterThanCondition(TypedDict):
    """Holds when the attribute is a number, or a text like -7.5, and above this number."""

    attribute: str
    greaterThan: float


class AttributeAtLeastCondition(TypedDict):
    """Holds when the attribute is a number, or a text like -7.5, and this number or above."""

    attribute: str
    atLeast: float

ArmCondition = TypedDict(
    "ArmCondition",
    {
        "arm": "str",
        "is": "str",
    },
)

Condition: TypeAlias = "Union[AllCondition, AnyCondition, NotCondition, AnsweredCondition, EqualsCondition, OneOfCondition, ContainsCondition, IsNotCondition, NoneOfCondition, NotContainsCondition, LessThanCondition, AtMostCondition, GreaterThanCondition, AtLeastCondition, ChosenAtLeastCondition, ChosenAtMostCondition, BeforeCondition, AfterCondition, OnOrBeforeCondition, OnOrAfterCondition, AgeAtLeastCondition, AgeBelowCondition, FirstCondition, RankedAtMostCondition, AttributeExistsCondition, AttributeIsCondition, AttributeEqualsCondition, AttributeOneOfCondition, AttributeContainsCondition, AttributeIsNotCondition, AttributeNoneOfCondition, AttributeNotContainsCondition, AttributeLessThanCondition, AttributeAtMostCondition, AttributeGreaterThanCondition, AttributeAtLeastCondition, ArmCondition]"


class ThankYouByOutcomeInput(TypedDict):
    QUALIFIED: NotRequired[Union[str, None]]
    DISQUALIFIED: NotRequired[Union[str, None]]
    UNKNOWN: NotRequired[Union[str, None]]


class RedirectByOutcomeInput(TypedDict):
    QUALIFIED: NotRequired[Union[str, None]]
    DISQUALIFIED: NotRequired[Union[str, None]]
    UNKNOWN: NotRequired[Union[str, None]]


class ScreenerContentInput(TypedDict):
    pages: List[ScreenerPageInput]
    _type: NotRequired[Any]
    screenerId: NotRequired[Any]
    screenerPublicationId: NotRequired[Any]
    version: NotRequired[Any]
    allowIncomplete: NotRequired[Union[bool, None]]
    incomplete: NotRequired[Union[List[IncompletePieceInput], None]]
    markup: NotRequired[Union[Literal["PLAIN", "MARKDOWN"], None]]
    language: NotRequired[Union[str, None]]
    qualifyWhen: NotRequired[Union[Condition, None]]
    thankYou: NotRequired[Union[str, None]]
    thankYouByOutcome: NotRequired[Union[ThankYouByOutcomeInput, None]]
    redirectByOutcome: NotRequired[Union[RedirectByOutcomeInput, None]]
    signRedirects: NotRequired[Union[bool, None]]
    quotas: NotRequired[Union[List[ScreenerContentQuotaInput], None]]
    assignments: NotRequired[Union[List[ScreenerArmAssignmentInput], None]]


class ScreenerTranslationProgress(TypedDict):
    language: str
    direction: Literal["ltr", "rtl"]
    total: int
    translated: int
    stale: int
    missing: int


class ScreenerTranslations(TypedDict):
    _type: Literal["ScreenerTranslations"]
    screenerId: str
    language: str
    items: List[ScreenerTranslationProgress]


class ScreenerTranslationString(TypedDict):
    id: str
    path: str
    source: str
    text: Union[str, None]
    state: Literal["MISSING", "STALE", "DONE"]


class ScreenerTranslation(TypedDict):
    _type: Literal["ScreenerTranslation"]
    screenerId: str
    language: str
    direction: Literal["ltr", "rtl"]
    strings: List[ScreenerTranslationString]


class ScreenerTranslationStringChange(TypedDict):
    id: str
    text: Union[str, None]
    source: NotRequired[str]
    path: NotRequired[Any]
    state: NotRequired[Any]


class ScreenerTranslationChangeInput(TypedDict):
    strings: List[ScreenerTranslationStringChange]


class ScreenerTranslationFileString(TypedDict):
    id: str
    text: Union[str, None]
    source: NotRequired[str]
    state: NotRequired[Literal["MISSING", "STALE", "DONE"]]
    path: NotRequired[Any]


class ScreenerTranslationFile(TypedDict):
    _type: NotRequired[Any]
    screenerId: NotRequired[Any]
    language: NotRequired[Any]
    direction: NotRequired[Any]
    dryRun: NotRequired[bool]
    strings: List[ScreenerTranslationFileString]

ScreenerTranslationChange = TypedDict(
    "ScreenerTranslationChange",
    {
        "id": "str",
        "path": "str",
        "source": "str",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
        "state": "Literal[\"MISSING\", \"STALE\", \"DONE\"]",
        "madeFrom": "NotRequired[str]",
    },
)


class ScreenerTranslationChanges(TypedDict):
    _type: Literal["ScreenerTranslationChanges"]
    screenerId: str
    language: str
    dryRun: bool
    changes: List[ScreenerTranslationChange]
    ignored: List[Dict[str, Any]]


class Tag(TypedDict):
    _type: Literal["Tag"]
    id: str
    category: str
    value: str


class ScreenerPublication(TypedDict):
    _type: Literal["ScreenerPublication"]
    id: str
    screenerId: str
    version: int
    status: Literal["ACTIVE", "ARCHIVED"]
    targetQualifiedParticipants: Union[int, None]
    tags: List[Tag]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]
    languages: List[str]


class PaginatedScreenerPublication(TypedDict):
    _type: Literal["PaginatedScreenerPublication"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerPublication]


class TagInput(TypedDict):
    _type: NotRequired[Any]
    id: NotRequired[Any]
    category: str
    value: str


class NewScreenerPublication(TypedDict):
    screenerId: str
    targetQualifiedParticipants: NotRequired[Union[int, None]]
    tags: NotRequired[Union[List[TagInput], None]]
    requireTranslations: NotRequired[bool]


class ScreenerPublicationContent(TypedDict):
    _type: Literal["ScreenerPublicationContent"]
    screenerId: str
    screenerPublicationId: str
    version: float
    markup: Literal["PLAIN", "MARKDOWN"]
    language: NotRequired[str]
    pages: List[ScreenerPage]
    qualifyWhen: Union[Condition, None]
    thankYou: Union[str, None]
    thankYouByOutcome: Union[ThankYouByOutcome, None]
    redirectByOutcome: NotRequired[RedirectByOutcome]
    signRedirects: NotRequired[Literal[True]]
    quotas: NotRequired[List[ScreenerContentQuota]]
    assignments: NotRequired[List[ScreenerArmAssignment]]


class ScreenerPublicationChange(TypedDict):
    _type: NotRequired[Any]
    id: NotRequired[Any]
    screenerId: NotRequired[Any]
    version: NotRequired[Any]
    status: NotRequired[Literal["ACTIVE", "ARCHIVED"]]
    targetQualifiedParticipants: NotRequired[Union[int, None]]
    tags: NotRequired[Union[List[TagInput], None]]
    createdBy: NotRequired[Any]
    createdAt: NotRequired[Any]
    updatedBy: NotRequired[Any]
    updatedAt: NotRequired[Any]
    languages: NotRequired[Any]

ScreenerPublicationRestore: TypeAlias = "Dict[str, Any]"


class ScreenerQuota(TypedDict):
    _type: Literal["ScreenerQuota"]
    id: str
    screenerId: str
    name: str
    when: Union[Condition, None]
    mode: Literal["LIMIT", "COUNT"]
    limit: Union[int, None]
    paused: bool
    taken: int
    held: int
    remaining: Union[int, None]
    status: Literal["OPEN", "HELD_FULL", "FULL", "PAUSED", "RETIRED"]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]


class PaginatedScreenerQuota(TypedDict):
    _type: Literal["PaginatedScreenerQuota"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerQuota]


class ScreenerQuotaChange(TypedDict):
    limit: NotRequired[Union[int, None]]
    paused: NotRequired[bool]


class ScreenerQuotaPlace(TypedDict):
    _type: Literal["ScreenerQuotaPlace"]
    id: str
    screenerQuotaId: str
    participantId: str
    screenerSessionId: str
    state: Literal["HELD", "TAKEN", "RELEASED"]
    reason: Union[Union[Literal["LAPSED", "ANSWERS_CHANGED", "SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT", "WITHDRAWN", "UNASSIGNED", "SESSION_REMOVED", "OVERRIDDEN", "UNDONE", "REJECTED"], str], None]
    isOverLimit: bool
    createdAt: str
    expiresAt: Union[str, None]


class PaginatedScreenerQuotaPlace(TypedDict):
    _type: Literal["PaginatedScreenerQuotaPlace"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerQuotaPlace]


class ScreenerLink(TypedDict):
    _type: Literal["ScreenerLink"]
    id: str
    screenerId: str
    name: str
    link: str
    status: Literal["OPEN", "NOT_YET_OPEN", "CLOSED", "FULL", "REVOKED"]
    ask: List[Literal["EMAIL", "NAME"]]
    required: bool
    limit: Union[int, None]
    opensAt: Union[str, None]
    closesAt: Union[str, None]
    attributes: Dict[str, Union[str, float, bool]]
    accept: List[str]
    oneEach: Literal["NONE", "BROWSER", "EMAIL"]
    requireSignature: bool
    confirmEmail: bool
    joined: int
    started: int
    completed: int
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]


class PaginatedScreenerLink(TypedDict):
    _type: Literal["PaginatedScreenerLink"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerLink]


class NewScreenerLink(TypedDict):
    screenerId: str
    name: str
    ask: NotRequired[List[Literal["EMAIL", "NAME"]]]
    required: NotRequired[bool]
    limit: NotRequired[Union[int, None]]
    opensAt: NotRequired[Union[str, None]]
    closesAt: NotRequired[Union[str, None]]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]
    accept: NotRequired[List[str]]
    oneEach: NotRequired[Literal["NONE", "BROWSER", "EMAIL"]]
    requireSignature: NotRequired[bool]
    confirmEmail: NotRequired[bool]


class ScreenerLinkChange(TypedDict):
    name: NotRequired[str]
    ask: NotRequired[List[Literal["EMAIL", "NAME"]]]
    required: NotRequired[bool]
    limit: NotRequired[Union[int, None]]
    opensAt: NotRequired[Union[str, None]]
    closesAt: NotRequired[Union[str, None]]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]
    accept: NotRequired[List[str]]
    oneEach: NotRequired[Literal["NONE", "BROWSER", "EMAIL"]]
    requireSignature: NotRequired[bool]
    confirmEmail: NotRequired[bool]


class SigningKey(TypedDict):
    _type: Literal["SigningKey"]
    createdAt: Union[str, None]
    previousExpiresAt: Union[str, None]


class SigningKeyRotation(TypedDict):
    overlapHours: NotRequired[int]


class NewSigningKey(TypedDict):
    _type: Literal["SigningKey"]
    createdAt: Union[str, None]
    previousExpiresAt: Union[str, None]
    secret: str


class ScreenerArm(TypedDict):
    _type: Literal["ScreenerArm"]
    id: str
    screenerId: str
    assignmentId: str
    assignmentName: str
    name: str
    completed: int
    inProgress: int
    status: Literal["OPEN", "RETIRED"]


class PaginatedScreenerArm(TypedDict):
    _type: Literal["PaginatedScreenerArm"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerArm]


class ScreenerQuotaForecastInput(TypedDict):
    quotas: NotRequired[Union[List[ScreenerContentQuotaInput], None]]
    basis: NotRequired[Union[Literal["ANSWERS", "ROSTER"], None]]


class QuotaForecastTurnedAway(TypedDict):
    id: Union[str, None]
    name: str
    count: int


class QuotaForecastInvitations(TypedDict):
    estimate: int
    low: int
    high: int


class QuotaForecastCell(TypedDict):
    id: Union[str, None]
    name: str
    mode: Literal["LIMIT", "COUNT"]
    limit: Union[int, None]
    taken: int
    turnedAway: int
    turnedAwayBy: List[QuotaForecastTurnedAway]
    unknown: int
    people: int
    canFill: Union[bool, None]
    cannotFillBecause: Union[Literal["CONTRADICTION", "TOO_FEW_PEOPLE"], None]
    invitationsNeeded: Union[QuotaForecastInvitations, None]


class ScreenerQuotaForecast(TypedDict):
    _type: Literal["ScreenerQuotaForecast"]
    screenerId: str
    basis: Literal["ANSWERS", "ROSTER"]
    roster: Union[Literal["ASSIGNED", "WORKSPACE"], None]
    total: int
    replayed: int
    screenedOut: int
    quotas: List[QuotaForecastCell]


class ScreenerFeasibilityInput(TypedDict):
    quotas: NotRequired[Union[List[ScreenerContentQuotaInput], None]]


class ScreenerFeasibilityNoContact(TypedDict):
    """How many of the others are not to be written to, each by the first reason of these"""

    noEmail: int
    doNotContact: int
    unsubscribed: int
    bounced: int
    contactedRecently: int


class ScreenerFeasibilityCell(TypedDict):
    id: Union[str, None]
    name: str
    mode: Literal["LIMIT", "COUNT"]
    limit: Union[int, None]
    placesLeft: Union[int, None]
    fit: int
    finished: int
    noContact: ScreenerFeasibilityNoContact
    remaining: int
    dependsOnAnswers: int


class ScreenerFeasibility(TypedDict):
    _type: Literal["ScreenerFeasibility"]
    screenerId: str
    people: int
    counted: int
    fit: int
    finished: int
    noContact: ScreenerFeasibilityNoContact
    remaining: int
    quotas: List[ScreenerFeasibilityCell]

DoNotContact: TypeAlias = "Union[Dict[str, Any], None]"


class Participant(TypedDict):
    _type: Literal["Participant"]
    id: str
    externalUid: str
    email: Union[str, None]
    name: Union[str, None]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]
    attributes: Dict[str, Union[str, float, bool]]
    doNotContact: DoNotContact


class PaginatedParticipant(TypedDict):
    _type: Literal["PaginatedParticipant"]
    total: int
    limit: int
    offset: int
    items: List[Participant]


class ParticipantName(TypedDict):
    first: NotRequired[Union[str, None]]
    last: NotRequired[Union[str, None]]


class NewParticipant(TypedDict):
    externalUid: str
    email: str
    name: Union[str, ParticipantName]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]


class ParticipantChange(TypedDict):
    externalUid: NotRequired[str]
    email: NotRequired[Union[str, None]]
    name: NotRequired[Union[Union[str, ParticipantName], None]]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]
    doNotContact: NotRequired[Union[Dict[str, Any], None]]


class ScreenerSessionSignal(TypedDict):
    kind: Union[Literal["HURRIED", "STRAIGHT_LINES", "SAME_TEXT", "ATTENTION_CHECK", "CONTRADICTION", "SAME_EMAIL", "SAME_BROWSER", "SAME_ADDRESS", "HIDDEN_FIELD"], str]
    at: str
    pages: NotRequired[float]
    fasterPages: NotRequired[float]
    seconds: NotRequired[float]
    medianSeconds: NotRequired[float]
    others: NotRequired[float]
    screenerPageIds: NotRequired[List[str]]
    screenerQuestionIds: NotRequired[List[str]]
    otherReference: NotRequired[str]


class ScreenerSessionReview(TypedDict):
    """What a person has decided of a session. Of a screener participant: of the current session, only where it is reviewed"""

    state: Literal["PENDING", "ACCEPTED", "REJECTED"]
    by: Union[Actor, None]
    at: Union[str, None]
    reason: Union[str, None]
    signals: NotRequired[List[ScreenerSessionSignal]]


class ScreenerParticipant(TypedDict):
    _type: Literal["ScreenerParticipant"]
    id: str
    screenerId: str
    participantId: str
    externalParticipantUid: str
    currentSessionId: Union[str, None]
    name: Union[str, None]
    email: Union[str, None]
    status: Literal["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"]
    review: NotRequired[ScreenerSessionReview]


class ScreenerSessionArm(TypedDict):
    assignmentId: str
    assignmentName: str
    armId: str
    armName: str


class WithdrawnConsent(TypedDict):
    screenerQuestionId: str
    textHash: str
    version: Union[str, None]
    language: str
    at: str


class ScreenerSessionOrder(TypedDict):
    of: Literal["PAGES", "QUESTIONS", "OPTIONS", "ROWS"]
    block: Union[str, None]
    screenerPageId: Union[str, None]
    screenerQuestionId: Union[str, None]
    ids: List[str]


class ScreenerSession(TypedDict):
    _type: Literal["ScreenerSession"]
    id: str
    screenerId: str
    screenerParticipantId: str
    screenerPublicationId: str
    screenerSessionLink: str
    linkSlug: str
    status: Literal["ACTIVE", "ARCHIVED", "REMOVED"]
    state: Literal["NOT_STARTED", "IN_PROGRESS", "COMPLETED"]
    outcomeReason: Union[Union[Literal["SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT"], str], None]
    startedAt: Union[str, None]
    lastActiveAt: Union[str, None]
    completedAt: Union[str, None]
    assignedTags: List[Tag]
    reference: str
    isTest: bool
    outcomeQuotaIds: List[str]
    screenerLinkId: Union[str, None]
    arms: List[ScreenerSessionArm]
    language: Union[str, None]
    withdrawnAt: Union[str, None]
    withdrawnConsents: List[WithdrawnConsent]
    answersErasedAt: Union[str, None]
    orders: NotRequired[List[ScreenerSessionOrder]]
    review: Union[ScreenerSessionReview, None]
    signals: NotRequired[List[ScreenerSessionSignal]]
    createdAt: str


class ScreenerTextResponse(TypedDict):
    _type: Literal["ScreenerTextResponse"]
    questionType: Literal["ScreenerTextQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[str, None]
    normalizedAnswer: NotRequired[str]


class ScreenerNumericResponse(TypedDict):
    _type: Literal["ScreenerNumericResponse"]
    questionType: Literal["ScreenerNumericQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[float, None]
    normalizedAnswer: NotRequired[str]


class ScreenerChoice(TypedDict):
    optionId: NotRequired[Union[str, None]]
    text: str
    isWriteIn: bool


class ScreenerSingleSelectResponse(TypedDict):
    _type: Literal["ScreenerSingleSelectResponse"]
    questionType: Literal["ScreenerSingleSelectQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[List[ScreenerChoice], None]
    normalizedAnswer: NotRequired[str]


class ScreenerMultiSelectResponse(TypedDict):
    _type: Literal["ScreenerMultiSelectResponse"]
    questionType: Literal["ScreenerMultiSelectQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[List[ScreenerChoice], None]
    normalizedAnswer: NotRequired[str]


class ScreenerScaleResponse(TypedDict):
    _type: Literal["ScreenerScaleResponse"]
    questionType: Literal["ScreenerScaleQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[float, None]
    normalizedAnswer: NotRequired[str]


class ScreenerDateResponse(TypedDict):
    _type: Literal["ScreenerDateResponse"]
    questionType: Literal["ScreenerDateQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[str, None]
    normalizedAnswer: NotRequired[str]


class ScreenerRankedOption(TypedDict):
    optionId: str
    text: str
    isWriteIn: Literal[False]


class ScreenerRankingResponse(TypedDict):
    _type: Literal["ScreenerRankingResponse"]
    questionType: Literal["ScreenerRankingQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[List[ScreenerRankedOption], None]
    normalizedAnswer: NotRequired[str]


class ScreenerMatrixChoice(TypedDict):
    columnId: str
    text: str


class ScreenerMatrixAnswerRow(TypedDict):
    rowId: str
    text: str
    choices: List[ScreenerMatrixChoice]


class ScreenerMatrixAnswer(TypedDict):
    rows: List[ScreenerMatrixAnswerRow]


class ScreenerMatrixResponse(TypedDict):
    _type: Literal["ScreenerMatrixResponse"]
    questionType: Literal["ScreenerMatrixQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[ScreenerMatrixAnswer, None]
    normalizedAnswer: NotRequired[str]


class ScreenerConsent(TypedDict):
    isGiven: Literal[True]
    textHash: str
    version: Union[str, None]
    language: str
    at: str


class ScreenerConsentResponse(TypedDict):
    _type: Literal["ScreenerConsentResponse"]
    questionType: Literal["ScreenerConsentQuestion"]
    screenerSessionId: str
    screenerPageId: str
    screenerQuestionId: str
    screenerId: str
    screenerPublicationId: str
    participantId: str
    externalParticipantUid: str
    screenerParticipantId: str
    screenerQuestionPrompt: str
    answer: Union[ScreenerConsent, None]
    normalizedAnswer: NotRequired[str]

ScreenerResponse: TypeAlias = "Union[ScreenerTextResponse, ScreenerNumericResponse, ScreenerSingleSelectResponse, ScreenerMultiSelectResponse, ScreenerScaleResponse, ScreenerDateResponse, ScreenerRankingResponse, ScreenerMatrixResponse, ScreenerConsentResponse]"


class PageTime(TypedDict):
    _type: Literal["PageTime"]
    screenerSessionId: str
    screenerPageId: str
    seconds: float


class ParticipantImport(TypedDict):
    _type: Literal["ParticipantImport"]
    jobId: str
    screenerId: str
    appliedAt: str
    did: List[Literal["CREATED", "UPDATED", "ASSIGNED", "REMOVED"]]
    formerValues: Union[Dict[str, Any], None]


class ParticipantRequest(TypedDict):
    _type: Literal["ParticipantRequest"]
    id: str
    kind: Union[Literal["DATA", "ERASURE"], str]
    state: Literal["OPEN", "DONE"]
    participantId: str
    screenerId: Union[str, None]
    screenerSessionId: Union[str, None]
    createdAt: str
    closedBy: Union[Actor, None]
    closedAt: Union[str, None]


class ParticipantNote(TypedDict):
    _type: Literal["ParticipantNote"]
    id: str
    participantId: str
    note: str
    createdBy: Actor
    createdAt: str


class Unsubscription(TypedDict):
    _type: Literal["Unsubscription"]
    screenerId: Union[str, None]
    createdAt: str


class MailSuppression(TypedDict):
    _type: Literal["MailSuppression"]
    id: str
    address: Union[str, None]
    reason: Union[Literal["BY_HAND", "BOUNCED", "COMPLAINED", "UNSUBSCRIBED", "DO_NOT_CONTACT"], str]
    detail: Union[str, None]
    participantId: Union[str, None]
    createdBy: Actor
    createdAt: str


class ParticipantMessage(TypedDict):
    _type: Literal["ParticipantMessage"]
    id: str
    kind: str
    mailingId: Union[str, None]
    screenerId: Union[str, None]
    step: Union[float, None]
    state: str
    reply: Union[str, None]
    createdAt: str
    endedAt: Union[str, None]


class ParticipantExport(TypedDict):
    _type: Literal["ParticipantExport"]
    exportedAt: str
    participant: Participant
    screenerParticipants: List[ScreenerParticipant]
    sessions: List[ScreenerSession]
    responses: List[ScreenerResponse]
    pageTimes: List[PageTime]
    imports: List[ParticipantImport]
    requests: List[ParticipantRequest]
    notes: List[ParticipantNote]
    unsubscriptions: List[Unsubscription]
    mailSuppressions: List[MailSuppression]
    messages: List[ParticipantMessage]


class ParticipantsErasure(TypedDict):
    participantIds: List[str]
    dryRun: NotRequired[Union[bool, None]]


class PaginatedParticipantRequest(TypedDict):
    _type: Literal["PaginatedParticipantRequest"]
    total: int
    limit: int
    offset: int
    items: List[ParticipantRequest]


class PaginatedParticipantNote(TypedDict):
    _type: Literal["PaginatedParticipantNote"]
    total: int
    limit: int
    offset: int
    items: List[ParticipantNote]


class NewParticipantNote(TypedDict):
    participantId: str
    note: str


class PaginatedMailSuppression(TypedDict):
    _type: Literal["PaginatedMailSuppression"]
    total: int
    limit: int
    offset: int
    items: List[MailSuppression]


class NewMailSuppression(TypedDict):
    address: str
    reason: NotRequired[Literal["BY_HAND", "BOUNCED", "COMPLAINED"]]


class PaginatedScreenerParticipant(TypedDict):
    _type: Literal["PaginatedScreenerParticipant"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerParticipant]


class NewScreenerParticipant(TypedDict):
    screenerId: str
    externalUid: NotRequired[str]
    email: NotRequired[str]
    name: NotRequired[Union[str, ParticipantName]]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]


class RemovedScreenerParticipant(TypedDict):
    _type: Literal["ScreenerParticipant"]
    id: str
    screenerId: str
    participantId: str
    externalParticipantUid: str
    currentSessionId: Union[str, None]
    name: Union[str, None]
    email: Union[str, None]
    status: Literal["REMOVED"]
    review: NotRequired[ScreenerSessionReview]


class ImportParticipant(TypedDict):
    externalUid: NotRequired[Union[str, None]]
    email: NotRequired[Union[str, None]]
    name: NotRequired[Union[Union[str, ParticipantName], None]]
    attributes: NotRequired[Union[Dict[str, Union[str, float, bool, None]], None]]


class ScreenerParticipantsImport(TypedDict):
    screenerId: str
    importMode: NotRequired[Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]]
    dryRun: NotRequired[Union[bool, None]]
    maxRemovals: NotRequired[Union[Union[int, str], None]]
    onRowError: NotRequired[Union[Literal["REJECT_ALL", "SKIP"], None]]
    expectedRows: NotRequired[Union[int, None]]
    includeJoined: NotRequired[Union[bool, None]]
    matchBy: NotRequired[Union[Literal["externalUid", "email"], None]]
    participants: List[ImportParticipant]


class ScreenerParticipantsRemoval(TypedDict):
    screenerId: str
    screenerParticipantIds: List[str]
    dryRun: NotRequired[Union[bool, None]]


class ScreenerSessionParticipant(TypedDict):
    id: str
    externalUid: str
    email: Union[str, None]
    name: Union[str, None]


class ListedScreenerSession(TypedDict):
    _type: Literal["ScreenerSession"]
    id: str
    screenerId: str
    screenerParticipantId: str
    screenerPublicationId: str
    screenerSessionLink: str
    linkSlug: str
    status: Literal["ACTIVE", "ARCHIVED", "REMOVED"]
    state: Literal["NOT_STARTED", "IN_PROGRESS", "COMPLETED"]
    outcomeReason: Union[Union[Literal["SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT"], str], None]
    startedAt: Union[str, None]
    lastActiveAt: Union[str, None]
    completedAt: Union[str, None]
    assignedTags: List[Tag]
    reference: str
    isTest: bool
    outcomeQuotaIds: List[str]
    screenerLinkId: Union[str, None]
    arms: List[ScreenerSessionArm]
    language: Union[str, None]
    withdrawnAt: Union[str, None]
    withdrawnConsents: List[WithdrawnConsent]
    answersErasedAt: Union[str, None]
    orders: NotRequired[List[ScreenerSessionOrder]]
    review: Union[ScreenerSessionReview, None]
    signals: NotRequired[List[ScreenerSessionSignal]]
    createdAt: str
    participant: NotRequired[Union[ScreenerSessionParticipant, None]]
    outcome: NotRequired[Union[Literal["QUALIFIED", "DISQUALIFIED", "UNKNOWN"], None]]


class PaginatedScreenerSession(TypedDict):
    _type: Literal["PaginatedScreenerSession"]
    total: int
    limit: int
    offset: int
    items: List[ListedScreenerSession]


class ScreenerSessionOrders(TypedDict):
    _type: Literal["ScreenerSessionOrders"]
    screenerSessionId: str
    screenerPublicationId: str
    orders: List[ScreenerSessionOrder]


class NewScreenerSession(TypedDict):
    screenerParticipantId: NotRequired[Union[str, None]]
    screenerId: NotRequired[Union[str, None]]
    isTest: NotRequired[Union[bool, None]]


class SubmittedChoice(TypedDict):
    """An option by its text or its id; or a write-in: its text, and `isWriteIn`"""

    text: NotRequired[str]
    optionId: NotRequired[Union[str, None]]
    isWriteIn: NotRequired[Union[bool, None]]


class SubmittedMatrixChoice(TypedDict):
    columnId: NotRequired[str]
    text: NotRequired[str]


class SubmittedMatrixRow(TypedDict):
    rowId: NotRequired[str]
    text: NotRequired[str]
    choices: NotRequired[Union[List[SubmittedMatrixChoice], None]]


class SubmittedMatrixAnswer(TypedDict):
    """Of a matrix: its rows with their choices, rows and columns by their ids, their texts or both"""

    rows: List[SubmittedMatrixRow]


class SubmittedConsent(TypedDict):
    """`isGiven: false` is the same as null. More members, as a response has them, are taken and ignored"""

    isGiven: bool


class NewScreenerResponse(TypedDict):
    screenerQuestionId: str
    answer: NotRequired[Union[str, float, List[SubmittedChoice], SubmittedMatrixAnswer, SubmittedConsent, None]]


class NewScreenerResponses(TypedDict):
    responses: List[NewScreenerResponse]
    complete: NotRequired[Union[bool, None]]


class Judgement(TypedDict):
    outcome: Union[Literal["QUALIFIED", "DISQUALIFIED", "UNKNOWN"], None]
    outcomeReason: Union[Union[Literal["SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT"], str], None]


class OutcomeOverride(TypedDict):
    judged: Judgement
    reason: str
    createdBy: Actor
    createdAt: str


class ExplanationBasis(TypedDict):
    answers: Literal["KEPT", "NOT_KEPT"]
    attributes: Literal["NOT_USED", "CURRENT", "AS_JUDGED", "MAY_HAVE_CHANGED"]


class ExplainedComparison(TypedDict):
    pointer: str
    sentence: str
    screenerQuestionId: Union[str, None]
    attribute: Union[str, None]
    assignmentId: Union[str, None]
    holds: Union[bool, None]


class ExplainedRule(TypedDict):
    kind: Union[Literal["CONSENT", "DISQUALIFY_WHEN", "QUALIFY_WHEN", "QUOTA", "QUOTA_CELL"], str]
    screenerPageId: Union[str, None]
    pageTitle: Union[str, None]
    condition: Union[Condition, None]
    sentence: str
    result: Literal["HOLDS", "DOES_NOT_HOLD", "NOT_SHOWN", "NOT_REACHED", "UNKNOWN"]
    decides: bool
    comparisons: List[ExplainedComparison]


class ExplainedQuota(TypedDict):
    screenerQuotaId: str
    name: str
    isIn: Union[bool, None]
    place: Union[Literal["HELD", "TAKEN", "RELEASED"], None]
    reason: Union[Union[Literal["LAPSED", "ANSWERS_CHANGED", "SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT", "WITHDRAWN", "UNASSIGNED", "SESSION_REMOVED", "OVERRIDDEN", "UNDONE", "REJECTED"], str], None]


class ExplainedArm(TypedDict):
    assignmentId: str
    assignmentName: str
    armId: Union[str, None]
    armName: Union[str, None]


class ExplainedAnswer(TypedDict):
    screenerQuestionId: str
    screenerPageId: str
    prompt: str
    state: Literal["ANSWERED", "SKIPPED", "NOT_ANSWERED", "NOT_SHOWN", "NOT_KEPT"]
    answer: Any
    normalizedAnswer: NotRequired[str]


class ExplainedAttribute(TypedDict):
    key: str
    exists: bool
    value: Union[Union[str, float, bool], None]


class ScreenerSessionExplanation(TypedDict):
    _type: Literal["ScreenerSessionExplanation"]
    screenerSessionId: str
    screenerPublicationId: str
    version: float
    status: Literal["ACTIVE", "ARCHIVED", "REMOVED"]
    state: Literal["NOT_STARTED", "IN_PROGRESS", "COMPLETED"]
    outcome: Union[Literal["QUALIFIED", "DISQUALIFIED", "UNKNOWN"], None]
    outcomeReason: Union[Union[Literal["SCREENED_OUT", "OVER_QUOTA", "NO_CONSENT"], str], None]
    sentence: str
    override: Union[OutcomeOverride, None]
    judgedNow: Union[Judgement, None]
    basis: ExplanationBasis
    rules: List[ExplainedRule]
    quotas: List[ExplainedQuota]
    arms: List[ExplainedArm]
    answers: List[ExplainedAnswer]
    attributes: List[ExplainedAttribute]


class NewReview(TypedDict):
    decision: Literal["PENDING", "ACCEPTED", "REJECTED"]
    reason: NotRequired[Union[str, None]]


class NewOverride(TypedDict):
    outcome: Literal["QUALIFIED", "DISQUALIFIED", "BY_RULES"]
    reason: str


class ScreenerSessionsMove(TypedDict):
    screenerId: str
    dryRun: NotRequired[Union[bool, None]]


class ScreenerQuotaRecount(TypedDict):
    dryRun: NotRequired[Union[bool, None]]


class ScreenerQuotaOffer(TypedDict):
    holdHours: NotRequired[Union[int, None]]
    dryRun: NotRequired[Union[bool, None]]


class ScreenerSessionsReview(TypedDict):
    screenerId: str
    filter: NotRequired[Union[Dict[str, Dict[str, Union[Union[str, float, bool], List[Union[str, float, bool]]]]], None]]
    screenerSessionIds: NotRequired[Union[List[str], None]]
    decision: Literal["ACCEPTED", "REJECTED"]
    reason: NotRequired[Union[str, None]]
    dryRun: NotRequired[Union[bool, None]]


class PaginatedScreenerResponse(TypedDict):
    _type: Literal["PaginatedScreenerResponse"]
    total: int
    limit: int
    offset: int
    items: List[ScreenerResponse]


class ScreenerAnswersColumn(TypedDict):
    column: str
    label: str
    questionType: Union[str, None]


class ScreenerAnswers(TypedDict):
    _type: Literal["ScreenerAnswers"]
    screenerSessionId: str
    participantId: str
    values: Dict[str, Any]


class PaginatedScreenerAnswers(TypedDict):
    _type: Literal["PaginatedScreenerAnswers"]
    total: int
    limit: int
    offset: int
    columns: List[ScreenerAnswersColumn]
    items: List[ScreenerAnswers]


class ScreenerAnswerColumnOption(TypedDict):
    id: str
    text: str


class ScreenerAnswerColumn(TypedDict):
    column: str
    label: str
    questionType: Union[str, None]
    page: Union[str, None]
    operators: List[str]
    options: List[ScreenerAnswerColumnOption]


class ScreenerAnswerColumns(TypedDict):
    _type: Literal["ScreenerAnswerColumns"]
    items: List[ScreenerAnswerColumn]


class ResultsFunnel(TypedDict):
    """Of the screener as it is now, whatever the publication. Exact"""

    assigned: float
    opened: float
    started: float
    completed: float
    qualified: float
    disqualified: float
    unknown: float


class ResultsVersion(TypedDict):
    screenerPublicationId: str
    version: float
    sessions: float


class ResultsDay(TypedDict):
    date: str
    opened: float
    started: float
    completed: float
    qualified: float


class ResultsPage(TypedDict):
    screenerPageId: str
    title: Union[str, None]
    lastVersion: Union[float, None]
    answered: float
    left: float
    noConsent: float
    screenedOut: float
    medianSeconds: Union[float, None]


class ResultsGroup(TypedDict):
    label: Union[str, None]
    sessions: float
    low: Union[float, None]
    high: Union[float, None]


class SplitQuestion(TypedDict):
    screenerQuestionId: str
    prompt: str


class SplitRow(TypedDict):
    screenerQuestionId: str
    rowId: str
    prompt: str
    text: str


class SplitAssignment(TypedDict):
    assignmentId: str
    name: str


class SplitQuota(TypedDict):
    screenerQuotaId: str
    name: str


class ResultsFormerPrompt(TypedDict):
    prompt: str
    fromVersion: float
    toVersion: float

ResultsRow = TypedDict(
    "ResultsRow",
    {
        "label": "str",
        "from": "Union[float, None]",
        "to": "Union[float, None]",
        "isWriteIn": "bool",
        "isFormer": "bool",
        "count": "float",
        "meanRank": "Union[float, None]",
        "groupCounts": "List[float]",
        "low": "Union[float, None]",
        "high": "Union[float, None]",
        "groupLows": "Union[List[float], None]",
        "groupHighs": "Union[List[float], None]",
    },
)


class ResultsStatistics(TypedDict):
    min: float
    max: float
    mean: float
    median: float


class ResultsMatrixRow(TypedDict):
    label: str
    isFormer: bool
    answered: float
    groupAnswered: List[float]
    rows: List[ResultsRow]


class ResultsChart(TypedDict):
    kind: Union[Literal["OPTIONS", "HISTOGRAM", "WORDS", "MATRIX"], str]
    rows: List[ResultsRow]
    statistics: Union[ResultsStatistics, None]
    matrixRows: Union[List[ResultsMatrixRow], None]


class ResultsQuestion(TypedDict):
    screenerQuestionId: str
    screenerPageId: str
    questionType: str
    key: Union[str, None]
    prompt: str
    changedInVersion: Union[float, None]
    formerPrompts: List[ResultsFormerPrompt]
    lastVersion: Union[float, None]
    answered: float
    skipped: float
    groupAnswered: List[float]
    chart: ResultsChart


class ScreenerResults(TypedDict):
    _type: Literal["ScreenerResults"]
    screenerId: str
    funnel: ResultsFunnel
    screenerPublicationId: Union[str, None]
    version: Union[float, None]
    versions: List[ResultsVersion]
    sessions: float
    startedSessions: float
    countedSessions: float
    days: List[ResultsDay]
    pages: List[ResultsPage]
    groups: List[ResultsGroup]
    questionCount: float
    splitQuestions: List[SplitQuestion]
    splitRows: List[SplitRow]
    splitAssignments: List[SplitAssignment]
    splitQuotas: List[SplitQuota]
    questions: List[ResultsQuestion]


class JobProgress(TypedDict):
    phase: str
    done: int
    total: Union[int, None]


class JobProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Union[Literal["unauthenticated", "invalid_request", "unsupported_api_version", "insufficient_scope", "route_not_found", "method_not_allowed", "not_acceptable", "workspace_suspended", "request_timeout", "screener_not_found", "screener_publication_not_found", "participant_not_found", "screener_participant_not_found", "screener_session_not_found", "event_not_found", "webhook_endpoint_not_found", "webhook_delivery_not_found", "job_not_found", "screener_quota_not_found", "screener_link_not_found", "screener_link_revoked", "screener_link_limit", "embedding_conflict", "mail_suppression_not_found", "image_not_found", "image_limit", "signing_key_missing", "workspace_not_sandbox", "sandbox_sends_no_mail", "mail_not_configured", "mail_signature_invalid", "translation_not_found", "translations_incomplete", "draft_incomplete", "quota_rule_changed", "external_uid_taken", "email_taken", "screener_not_published", "confirmation_required", "webhook_endpoint_disabled", "webhook_endpoint_limit", "webhook_replay_limit", "screener_closed", "link_expired", "test_session_limit", "session_closed", "session_completed", "session_not_withdrawn", "participant_note_not_found", "user_not_found", "last_admin", "user_without_account", "operators_only", "participant_request_not_found", "session_not_completed", "session_not_reviewed", "quota_reached", "job_not_finished", "job_not_succeeded", "job_not_cancellable", "job_not_retryable", "job_cancelled", "job_overtaken", "removal_limit_exceeded", "mailing_not_found", "mailing_ended", "recipient_limit_exceeded", "row_count_differs", "plan_outdated", "plan_expired", "plan_superseded", "job_not_planned", "job_not_undoable", "event_gone", "undo_gone", "job_result_gone", "precondition_failed", "body_too_large", "result_too_large", "unsupported_media_type", "too_many_sessions", "export_too_large", "idempotency_key_reused", "import_budget_exceeded", "too_many_requests", "headers_too_large", "internal_error", "job_crashed", "job_lost", "job_body_lost", "result_damaged", "workspace_moving", "cell_away", "store_busy", "store_full", "store_refused", "store_migrating", "store_unavailable"], str]
    errors: NotRequired[List[ProblemError]]
    errorCount: NotRequired[int]
    supportedVersions: NotRequired[List[str]]
    removals: NotRequired[int]
    assignments: NotRequired[int]
    maxRemovals: NotRequired[Union[int, str]]
    rows: NotRequired[int]
    expectedRows: NotRequired[int]
    jobId: NotRequired[str]


class JobWarning(TypedDict):
    code: str
    message: str
    member: NotRequired[str]
    rows: NotRequired[int]
    columns: NotRequired[List[str]]
    column: NotRequired[str]
    maxRemovals: NotRequired[Union[int, str]]


class JobRemovalLimit(TypedDict):
    """Of a dry run: the limit for removals that would count, if there is one"""

    maxRemovals: Union[int, str]
    isExceeded: bool


class JobPlan(TypedDict):
    reason: Union[Literal["DRY_RUN", "REMOVAL_LIMIT"], str]
    expiresAt: str
    removalLimit: NotRequired[JobRemovalLimit]


class JobBlocked(TypedDict):
    """Set aside after 15 minutes of tries, and tried every hour, while the workspace's other jobs go on. null: it is not"""

    since: str
    code: Union[Literal["store_refused", "store_unavailable", "store_full", "store_busy", "spool_unavailable", "results_unavailable", "newer_worker_needed"], str]
    nextTryAt: str


class JobMembers(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Union[Literal["SCREENER_PARTICIPANTS_IMPORT", "SCREENER_PARTICIPANTS_IMPORT_UNDO", "SCREENER_PARTICIPANTS_REMOVAL", "SCREENER_PARTICIPANTS_REMOVAL_UNDO", "SCREENER_PUBLICATION", "SCREENER_SESSIONS_OPENING", "SCREENER_SESSIONS_MOVE", "SCREENER_SESSIONS_MOVE_UNDO", "SCREENER_QUOTA_RECOUNT", "SCREENER_QUOTA_RECOUNT_UNDO", "SCREENER_QUOTA_OFFER", "SCREENER_QUOTA_OFFER_UNDO", "SCREENER_SESSIONS_REVIEW", "SCREENER_SESSIONS_REVIEW_UNDO", "MAILING_PLANNING", "PARTICIPANT_ERASURE", "PARTICIPANTS_ERASURE", "SCREENER_SESSION_ANSWERS_ERASURE", "SCREENER_DELETION", "SCREENER_TEST_SESSIONS_DELETION", "WORKSPACE_SANDBOX_RESET"], str]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[Dict[str, Any], None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerParticipantsImportSummary(TypedDict):
    rows: int
    created: int
    updated: int
    unchanged: int
    assigned: int
    removed: int
    rejected: NotRequired[int]


class ScreenerParticipantsImportJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_PARTICIPANTS_IMPORT"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerParticipantsImportSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerParticipantsImportUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int
    leaving: NotRequired[int]
    returning: NotRequired[int]
    changedBack: NotRequired[int]


class ScreenerParticipantsImportUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_PARTICIPANTS_IMPORT_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerParticipantsImportUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerParticipantsRemovalSummary(TypedDict):
    rows: int
    removed: int
    skipped: int


class ScreenerParticipantsRemovalJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_PARTICIPANTS_REMOVAL"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerParticipantsRemovalSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerParticipantsRemovalUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int
    leaving: int
    returning: int
    changedBack: int


class ScreenerParticipantsRemovalUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_PARTICIPANTS_REMOVAL_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerParticipantsRemovalUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerPublicationJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_PUBLICATION"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: None
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionsOpeningSummary(TypedDict):
    opened: int


class ScreenerSessionsOpeningJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSIONS_OPENING"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionsOpeningSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionsMoveSummary(TypedDict):
    moved: int


class ScreenerSessionsMoveJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSIONS_MOVE"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionsMoveSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionsMoveUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int


class ScreenerSessionsMoveUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSIONS_MOVE_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionsMoveUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerQuotaRecountSummary(TypedDict):
    counted: int
    skipped: int


class ScreenerQuotaRecountJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_QUOTA_RECOUNT"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerQuotaRecountSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerQuotaRecountUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int


class ScreenerQuotaRecountUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_QUOTA_RECOUNT_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerQuotaRecountUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerQuotaOfferSummary(TypedDict):
    offered: int
    skipped: int


class ScreenerQuotaOfferJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_QUOTA_OFFER"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerQuotaOfferSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerQuotaOfferUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int


class ScreenerQuotaOfferUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_QUOTA_OFFER_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerQuotaOfferUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionsReviewSummary(TypedDict):
    reviewed: int
    skipped: int


class ScreenerSessionsReviewJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSIONS_REVIEW"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionsReviewSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionsReviewUndoSummary(TypedDict):
    rows: int
    reverted: int
    kept: int


class ScreenerSessionsReviewUndoJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSIONS_REVIEW_UNDO"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionsReviewUndoSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class MailingPlanningSummary(TypedDict):
    send: int
    skip: int
    noEmail: NotRequired[int]
    doNotContact: NotRequired[int]
    unsubscribed: NotRequired[int]
    bounced: NotRequired[int]
    contactedRecently: NotRequired[int]
    noConsent: NotRequired[int]
    finished: NotRequired[int]
    studyClosed: NotRequired[int]
    linkExpired: NotRequired[int]
    quotaFull: NotRequired[int]
    duplicateEmail: NotRequired[int]
    removed: NotRequired[int]


class MailingPlanningJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["MAILING_PLANNING"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[MailingPlanningSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ParticipantErasureSummary(TypedDict):
    participants: int
    screenerParticipants: int
    sessions: int
    responses: int
    jobs: int


class ParticipantErasureJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["PARTICIPANT_ERASURE"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ParticipantErasureSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ParticipantsErasureSummary(TypedDict):
    rows: int
    erased: int
    skipped: int


class ParticipantsErasureJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["PARTICIPANTS_ERASURE"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ParticipantsErasureSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerSessionAnswersErasureSummary(TypedDict):
    responses: int


class ScreenerSessionAnswersErasureJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_SESSION_ANSWERS_ERASURE"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerSessionAnswersErasureSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerDeletionSummary(TypedDict):
    publications: int
    screenerParticipants: int
    sessions: int
    responses: int


class ScreenerDeletionJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_DELETION"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerDeletionSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class ScreenerTestSessionsDeletionSummary(TypedDict):
    sessions: int
    responses: int


class ScreenerTestSessionsDeletionJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["SCREENER_TEST_SESSIONS_DELETION"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[ScreenerTestSessionsDeletionSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]


class WorkspaceSandboxResetSummary(TypedDict):
    screeners: int
    publications: int
    participants: int
    screenerParticipants: int
    sessions: int
    responses: int
    mailings: int
    messages: int
    images: int


class WorkspaceSandboxResetJob(TypedDict):
    _type: Literal["Job"]
    id: str
    kind: Literal["WORKSPACE_SANDBOX_RESET"]
    status: Literal["QUEUED", "RUNNING", "PLANNED", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: Union[JobProgress, None]
    summary: Union[WorkspaceSandboxResetSummary, None]
    problem: Union[JobProblem, None]
    createdBy: Actor
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    screenerId: Union[str, None]
    screenerPublicationId: Union[str, None]
    importMode: Union[Literal["UPDATES_ONLY", "FULL_SYNC"], None]
    idempotencyKey: Union[str, None]
    requestId: Union[str, None]
    traceId: Union[str, None]
    attempts: int
    warnings: Union[List[JobWarning], None]
    plan: Union[JobPlan, None]
    blocked: Union[JobBlocked, None]

Job: TypeAlias = "Union[ScreenerParticipantsImportJob, ScreenerParticipantsImportUndoJob, ScreenerParticipantsRemovalJob, ScreenerParticipantsRemovalUndoJob, ScreenerPublicationJob, ScreenerSessionsOpeningJob, ScreenerSessionsMoveJob, ScreenerSessionsMoveUndoJob, ScreenerQuotaRecountJob, ScreenerQuotaRecountUndoJob, ScreenerQuotaOfferJob, ScreenerQuotaOfferUndoJob, ScreenerSessionsReviewJob, ScreenerSessionsReviewUndoJob, MailingPlanningJob, ParticipantErasureJob, ParticipantsErasureJob, ScreenerSessionAnswersErasureJob, ScreenerDeletionJob, ScreenerTestSessionsDeletionJob, WorkspaceSandboxResetJob]"


class PaginatedJob(TypedDict):
    _type: Literal["PaginatedJob"]
    total: int
    limit: int
    offset: int
    items: List[Job]

JobRowChange = TypedDict(
    "JobRowChange",
    {
        "field": "str",
        "from": "Any",
        "to": "Any",
    },
)


class JobRow(TypedDict):
    _type: Literal["JobRow"]
    position: Union[int, None]
    line: Union[int, None]
    externalUid: Union[str, None]
    outcome: Literal["CREATED", "UPDATED", "UNCHANGED", "REJECTED", "REMOVED", "ERASED", "REVERTED", "KEPT", "OPENED", "MOVED", "COUNTED", "OFFERED", "REVIEWED", "SKIPPED", "SEND", "SKIP"]
    assigned: bool
    participantId: Union[str, None]
    screenerParticipantId: Union[str, None]
    status: Union[str, None]
    sessionId: Union[str, None]
    changes: List[JobRowChange]
    errors: List[ProblemError]
    reason: Union[str, None]


class PaginatedJobRow(TypedDict):
    _type: Literal["PaginatedJobRow"]
    total: int
    limit: int
    offset: int
    items: List[JobRow]

JobApply: TypeAlias = "Dict[str, Any]"


class JobUndo(TypedDict):
    dryRun: NotRequired[Union[bool, None]]


class EventActor(TypedDict):
    """An API key, a user, a participant in a session (the id is the session's), an operator at the command line, or the service itself"""

    _type: Union[Literal["ApplicationActor", "TenantUserActor", "ScreenerSessionActor", "OperatorActor", "ServiceActor"], str]
    id: str
    name: str


class EventResource(TypedDict):
    _type: str
    id: str

EventChange = TypedDict(
    "EventChange",
    {
        "field": "str",
        "from": "Any",
        "to": "Any",
    },
)


class EventMembers(TypedDict):
    _type: Literal["Event"]
    id: str
    type: Union[Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"], str]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerTitleChange = TypedDict(
    "ScreenerTitleChange",
    {
        "field": "Literal[\"title\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerDescriptionChange = TypedDict(
    "ScreenerDescriptionChange",
    {
        "field": "Literal[\"description\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerActivePublicationIdChange = TypedDict(
    "ScreenerActivePublicationIdChange",
    {
        "field": "Literal[\"activePublicationId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerAcceptanceChange = TypedDict(
    "ScreenerAcceptanceChange",
    {
        "field": "Literal[\"acceptance\"]",
        "from": "Union[Literal[\"OPEN\", \"PAUSED\", \"CLOSED\"], None]",
        "to": "Union[Literal[\"OPEN\", \"PAUSED\", \"CLOSED\"], None]",
    },
)

ScreenerOpensAtChange = TypedDict(
    "ScreenerOpensAtChange",
    {
        "field": "Literal[\"opensAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerClosesAtChange = TypedDict(
    "ScreenerClosesAtChange",
    {
        "field": "Literal[\"closesAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerTimeZoneChange = TypedDict(
    "ScreenerTimeZoneChange",
    {
        "field": "Literal[\"timeZone\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkExpiresAtChange = TypedDict(
    "ScreenerLinkExpiresAtChange",
    {
        "field": "Literal[\"linkExpiresAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerQuotaHoldMinutesChange = TypedDict(
    "ScreenerQuotaHoldMinutesChange",
    {
        "field": "Literal[\"quotaHoldMinutes\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerReviewChange = TypedDict(
    "ScreenerReviewChange",
    {
        "field": "Literal[\"review\"]",
        "from": "Union[Literal[\"NONE\", \"ALL\", \"SIGNALS\"], None]",
        "to": "Union[Literal[\"NONE\", \"ALL\", \"SIGNALS\"], None]",
    },
)

ScreenerArchivedChange = TypedDict(
    "ScreenerArchivedChange",
    {
        "field": "Literal[\"archived\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

ScreenerSignalsChange = TypedDict(
    "ScreenerSignalsChange",
    {
        "field": "Literal[\"signals\"]",
        "from": "Union[ScreenerSignalsView, None]",
        "to": "Union[ScreenerSignalsView, None]",
    },
)


class ScreenerCreatedEvent(TypedDict):
    """A screener was created."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerTitleChange, ScreenerDescriptionChange, ScreenerActivePublicationIdChange, ScreenerAcceptanceChange, ScreenerOpensAtChange, ScreenerClosesAtChange, ScreenerTimeZoneChange, ScreenerLinkExpiresAtChange, ScreenerQuotaHoldMinutesChange, ScreenerReviewChange, ScreenerArchivedChange, ScreenerSignalsChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerContentRevisionChange = TypedDict(
    "ScreenerContentRevisionChange",
    {
        "field": "Literal[\"content.revision\"]",
        "from": "Any",
        "to": "Any",
    },
)

ScreenerWordChange = TypedDict(
    "ScreenerWordChange",
    {
        "field": "str",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class ScreenerUpdatedEvent(TypedDict):
    """A screener's title, description, settings or draft was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerTitleChange, ScreenerDescriptionChange, ScreenerActivePublicationIdChange, ScreenerAcceptanceChange, ScreenerOpensAtChange, ScreenerClosesAtChange, ScreenerTimeZoneChange, ScreenerLinkExpiresAtChange, ScreenerQuotaHoldMinutesChange, ScreenerReviewChange, ScreenerArchivedChange, ScreenerSignalsChange, ScreenerContentRevisionChange, ScreenerWordChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerPublishedEvent(TypedDict):
    """A screener was published: the new publication is active."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener.published"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerDeletedEvent(TypedDict):
    """A screener was deleted, with everything of it."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener.deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerPublicationScreenerIdChange = TypedDict(
    "ScreenerPublicationScreenerIdChange",
    {
        "field": "Literal[\"screenerId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerPublicationVersionChange = TypedDict(
    "ScreenerPublicationVersionChange",
    {
        "field": "Literal[\"version\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerPublicationStatusChange = TypedDict(
    "ScreenerPublicationStatusChange",
    {
        "field": "Literal[\"status\"]",
        "from": "Union[Literal[\"ACTIVE\", \"ARCHIVED\"], None]",
        "to": "Union[Literal[\"ACTIVE\", \"ARCHIVED\"], None]",
    },
)

ScreenerPublicationTargetQualifiedParticipantsChange = TypedDict(
    "ScreenerPublicationTargetQualifiedParticipantsChange",
    {
        "field": "Literal[\"targetQualifiedParticipants\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerPublicationTagsChange = TypedDict(
    "ScreenerPublicationTagsChange",
    {
        "field": "Literal[\"tags\"]",
        "from": "Union[List[Tag], None]",
        "to": "Union[List[Tag], None]",
    },
)

ScreenerPublicationLanguagesChange = TypedDict(
    "ScreenerPublicationLanguagesChange",
    {
        "field": "Literal[\"languages\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)


class ScreenerPublicationUpdatedEvent(TypedDict):
    """A publication's target, tags or status was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-publication.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerPublicationScreenerIdChange, ScreenerPublicationVersionChange, ScreenerPublicationStatusChange, ScreenerPublicationTargetQualifiedParticipantsChange, ScreenerPublicationTagsChange, ScreenerPublicationLanguagesChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerTranslationUpdatedEvent(TypedDict):
    """Translations of a screener's draft were changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-translation.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerTranslationDeletedEvent(TypedDict):
    """A language of a screener's draft was deleted, with its translations."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-translation.deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class QuotaReachedEvent(TypedDict):
    """As many participants as were wanted have qualified by a publication."""

    _type: Literal["Event"]
    id: str
    type: Literal["quota.reached"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerQuotaLimitChange = TypedDict(
    "ScreenerQuotaLimitChange",
    {
        "field": "Literal[\"limit\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerQuotaPausedChange = TypedDict(
    "ScreenerQuotaPausedChange",
    {
        "field": "Literal[\"paused\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)


class ScreenerQuotaUpdatedEvent(TypedDict):
    """A quota's limit was changed, or it was paused or goes on."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerQuotaLimitChange, ScreenerQuotaPausedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaFullEvent(TypedDict):
    """All places of a quota are taken."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.full"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaOpenedEvent(TypedDict):
    """A quota that was full has room again."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.opened"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaRecountedEvent(TypedDict):
    """Completed sessions were counted into a quota that is newer. The rows of its job say which."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.recounted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaRecountUndoneEvent(TypedDict):
    """What a recount did was taken back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.recount-undone"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaOfferedEvent(TypedDict):
    """Participants who were turned away by a full quota were offered places: their sessions go on. The rows of its job say which."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.offered"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerQuotaOfferUndoneEvent(TypedDict):
    """An offer of places was taken back, but for those who have answered since."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-quota.offer-undone"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ImageCreatedEvent(TypedDict):
    """An image for statements of screeners was sent."""

    _type: Literal["Event"]
    id: str
    type: Literal["image.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerLinkScreenerIdChange = TypedDict(
    "ScreenerLinkScreenerIdChange",
    {
        "field": "Literal[\"screenerId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkNameChange = TypedDict(
    "ScreenerLinkNameChange",
    {
        "field": "Literal[\"name\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkLinkChange = TypedDict(
    "ScreenerLinkLinkChange",
    {
        "field": "Literal[\"link\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkStatusChange = TypedDict(
    "ScreenerLinkStatusChange",
    {
        "field": "Literal[\"status\"]",
        "from": "Union[Literal[\"OPEN\", \"NOT_YET_OPEN\", \"CLOSED\", \"FULL\", \"REVOKED\"], None]",
        "to": "Union[Literal[\"OPEN\", \"NOT_YET_OPEN\", \"CLOSED\", \"FULL\", \"REVOKED\"], None]",
    },
)

ScreenerLinkAskChange = TypedDict(
    "ScreenerLinkAskChange",
    {
        "field": "Literal[\"ask\"]",
        "from": "Union[List[Literal[\"EMAIL\", \"NAME\"]], None]",
        "to": "Union[List[Literal[\"EMAIL\", \"NAME\"]], None]",
    },
)

ScreenerLinkRequiredChange = TypedDict(
    "ScreenerLinkRequiredChange",
    {
        "field": "Literal[\"required\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

ScreenerLinkLimitChange = TypedDict(
    "ScreenerLinkLimitChange",
    {
        "field": "Literal[\"limit\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerLinkOpensAtChange = TypedDict(
    "ScreenerLinkOpensAtChange",
    {
        "field": "Literal[\"opensAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkClosesAtChange = TypedDict(
    "ScreenerLinkClosesAtChange",
    {
        "field": "Literal[\"closesAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerLinkAttributeChange = TypedDict(
    "ScreenerLinkAttributeChange",
    {
        "field": "str",
        "from": "Union[Union[str, float, bool], None]",
        "to": "Union[Union[str, float, bool], None]",
    },
)

ScreenerLinkAcceptChange = TypedDict(
    "ScreenerLinkAcceptChange",
    {
        "field": "Literal[\"accept\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

ScreenerLinkOneEachChange = TypedDict(
    "ScreenerLinkOneEachChange",
    {
        "field": "Literal[\"oneEach\"]",
        "from": "Union[Literal[\"NONE\", \"BROWSER\", \"EMAIL\"], None]",
        "to": "Union[Literal[\"NONE\", \"BROWSER\", \"EMAIL\"], None]",
    },
)

ScreenerLinkRequireSignatureChange = TypedDict(
    "ScreenerLinkRequireSignatureChange",
    {
        "field": "Literal[\"requireSignature\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

ScreenerLinkConfirmEmailChange = TypedDict(
    "ScreenerLinkConfirmEmailChange",
    {
        "field": "Literal[\"confirmEmail\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

ScreenerLinkJoinedChange = TypedDict(
    "ScreenerLinkJoinedChange",
    {
        "field": "Literal[\"joined\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerLinkStartedChange = TypedDict(
    "ScreenerLinkStartedChange",
    {
        "field": "Literal[\"started\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

ScreenerLinkCompletedChange = TypedDict(
    "ScreenerLinkCompletedChange",
    {
        "field": "Literal[\"completed\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)


class ScreenerLinkCreatedEvent(TypedDict):
    """An open link of a screener was created."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-link.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerLinkScreenerIdChange, ScreenerLinkNameChange, ScreenerLinkLinkChange, ScreenerLinkStatusChange, ScreenerLinkAskChange, ScreenerLinkRequiredChange, ScreenerLinkLimitChange, ScreenerLinkOpensAtChange, ScreenerLinkClosesAtChange, ScreenerLinkAttributeChange, ScreenerLinkAcceptChange, ScreenerLinkOneEachChange, ScreenerLinkRequireSignatureChange, ScreenerLinkConfirmEmailChange, ScreenerLinkJoinedChange, ScreenerLinkStartedChange, ScreenerLinkCompletedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerLinkUpdatedEvent(TypedDict):
    """An open link of a screener was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-link.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerLinkScreenerIdChange, ScreenerLinkNameChange, ScreenerLinkLinkChange, ScreenerLinkStatusChange, ScreenerLinkAskChange, ScreenerLinkRequiredChange, ScreenerLinkLimitChange, ScreenerLinkOpensAtChange, ScreenerLinkClosesAtChange, ScreenerLinkAttributeChange, ScreenerLinkAcceptChange, ScreenerLinkOneEachChange, ScreenerLinkRequireSignatureChange, ScreenerLinkConfirmEmailChange, ScreenerLinkJoinedChange, ScreenerLinkStartedChange, ScreenerLinkCompletedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerLinkRevokedEvent(TypedDict):
    """An open link of a screener was revoked: nobody can join by it any more."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-link.revoked"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerLinkStatusChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerParticipantAddedEvent(TypedDict):
    """One person was assigned to a screener."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-participant.added"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerParticipantJoinedEvent(TypedDict):
    """Somebody has joined a screener by an open link. Its resource is the screener participant."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-participant.joined"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingCreatedEvent(TypedDict):
    """A mailing was planned and applied: its messages wait to be sent. Its resource is the screener; the summary has the `mailingId`."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingStartedEvent(TypedDict):
    """The first messages of a mailing leave."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.started"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingPausedEvent(TypedDict):
    """A mailing was paused."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.paused"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingResumedEvent(TypedDict):
    """A paused mailing goes on."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.resumed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingStoppedEvent(TypedDict):
    """A mailing was stopped: what waited of it is dropped."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.stopped"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailingSentEvent(TypedDict):
    """Nothing of a mailing waits any more, no reminder either. The summary says what has become of its messages."""

    _type: Literal["Event"]
    id: str
    type: Literal["mailing.sent"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MessageSentEvent(TypedDict):
    """The relay has taken a message of a mailing to a participant. Its resource is the participant; the summary has the `mailingId` and the `messageId`."""

    _type: Literal["Event"]
    id: str
    type: Literal["message.sent"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MessageFailedEvent(TypedDict):
    """A message of a mailing to a participant was refused by the relay, or nobody knows whether it was sent: `state` is FAILED or UNCERTAIN. Its resource is the participant."""

    _type: Literal["Event"]
    id: str
    type: Literal["message.failed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MessageBouncedEvent(TypedDict):
    """A message of a mailing to a participant came back. `isHard`: nobody has the address, and it is suppressed. Its resource is the participant."""

    _type: Literal["Event"]
    id: str
    type: Literal["message.bounced"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ParticipantExternalUidChange = TypedDict(
    "ParticipantExternalUidChange",
    {
        "field": "Literal[\"externalUid\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ParticipantEmailChange = TypedDict(
    "ParticipantEmailChange",
    {
        "field": "Literal[\"email\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ParticipantNameChange = TypedDict(
    "ParticipantNameChange",
    {
        "field": "Literal[\"name\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ParticipantAttributeChange = TypedDict(
    "ParticipantAttributeChange",
    {
        "field": "str",
        "from": "Union[Union[str, float, bool], None]",
        "to": "Union[Union[str, float, bool], None]",
    },
)

ParticipantDoNotContactChange = TypedDict(
    "ParticipantDoNotContactChange",
    {
        "field": "Literal[\"doNotContact\"]",
        "from": "DoNotContact",
        "to": "DoNotContact",
    },
)


class ParticipantCreatedEvent(TypedDict):
    """A participant was created. Those of an import are the rows of its job."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ParticipantExternalUidChange, ParticipantEmailChange, ParticipantNameChange, ParticipantAttributeChange, ParticipantDoNotContactChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantUpdatedEvent(TypedDict):
    """A participant was changed. What an import changes is in the rows of its job."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ParticipantExternalUidChange, ParticipantEmailChange, ParticipantNameChange, ParticipantAttributeChange, ParticipantDoNotContactChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantNoteWrittenEvent(TypedDict):
    """Staff wrote a note on a participant. What it says is not in the log."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant-note.written"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantNoteDeletedEvent(TypedDict):
    """A note on a participant was deleted."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant-note.deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantErasedEvent(TypedDict):
    """A participant was erased, with everything of the person."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant.erased"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerParticipantRemovedEvent(TypedDict):
    """An assignment was removed, and its sessions were archived."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-participant.removed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerSessionScreenerIdChange = TypedDict(
    "ScreenerSessionScreenerIdChange",
    {
        "field": "Literal[\"screenerId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionScreenerParticipantIdChange = TypedDict(
    "ScreenerSessionScreenerParticipantIdChange",
    {
        "field": "Literal[\"screenerParticipantId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionScreenerPublicationIdChange = TypedDict(
    "ScreenerSessionScreenerPublicationIdChange",
    {
        "field": "Literal[\"screenerPublicationId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionScreenerSessionLinkChange = TypedDict(
    "ScreenerSessionScreenerSessionLinkChange",
    {
        "field": "Literal[\"screenerSessionLink\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionLinkSlugChange = TypedDict(
    "ScreenerSessionLinkSlugChange",
    {
        "field": "Literal[\"linkSlug\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionStatusChange = TypedDict(
    "ScreenerSessionStatusChange",
    {
        "field": "Literal[\"status\"]",
        "from": "Union[Literal[\"ACTIVE\", \"ARCHIVED\", \"REMOVED\"], None]",
        "to": "Union[Literal[\"ACTIVE\", \"ARCHIVED\", \"REMOVED\"], None]",
    },
)

ScreenerSessionStateChange = TypedDict(
    "ScreenerSessionStateChange",
    {
        "field": "Literal[\"state\"]",
        "from": "Union[Literal[\"NOT_STARTED\", \"IN_PROGRESS\", \"COMPLETED\"], None]",
        "to": "Union[Literal[\"NOT_STARTED\", \"IN_PROGRESS\", \"COMPLETED\"], None]",
    },
)

ScreenerSessionOutcomeReasonChange = TypedDict(
    "ScreenerSessionOutcomeReasonChange",
    {
        "field": "Literal[\"outcomeReason\"]",
        "from": "Union[Literal[\"SCREENED_OUT\", \"OVER_QUOTA\", \"NO_CONSENT\"], None]",
        "to": "Union[Literal[\"SCREENED_OUT\", \"OVER_QUOTA\", \"NO_CONSENT\"], None]",
    },
)

ScreenerSessionStartedAtChange = TypedDict(
    "ScreenerSessionStartedAtChange",
    {
        "field": "Literal[\"startedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionLastActiveAtChange = TypedDict(
    "ScreenerSessionLastActiveAtChange",
    {
        "field": "Literal[\"lastActiveAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionCompletedAtChange = TypedDict(
    "ScreenerSessionCompletedAtChange",
    {
        "field": "Literal[\"completedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionAssignedTagsChange = TypedDict(
    "ScreenerSessionAssignedTagsChange",
    {
        "field": "Literal[\"assignedTags\"]",
        "from": "Union[List[Tag], None]",
        "to": "Union[List[Tag], None]",
    },
)

ScreenerSessionReferenceChange = TypedDict(
    "ScreenerSessionReferenceChange",
    {
        "field": "Literal[\"reference\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionIsTestChange = TypedDict(
    "ScreenerSessionIsTestChange",
    {
        "field": "Literal[\"isTest\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

ScreenerSessionOutcomeQuotaIdsChange = TypedDict(
    "ScreenerSessionOutcomeQuotaIdsChange",
    {
        "field": "Literal[\"outcomeQuotaIds\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

ScreenerSessionScreenerLinkIdChange = TypedDict(
    "ScreenerSessionScreenerLinkIdChange",
    {
        "field": "Literal[\"screenerLinkId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionArmsChange = TypedDict(
    "ScreenerSessionArmsChange",
    {
        "field": "Literal[\"arms\"]",
        "from": "Union[List[ScreenerSessionArm], None]",
        "to": "Union[List[ScreenerSessionArm], None]",
    },
)

ScreenerSessionLanguageChange = TypedDict(
    "ScreenerSessionLanguageChange",
    {
        "field": "Literal[\"language\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionWithdrawnAtChange = TypedDict(
    "ScreenerSessionWithdrawnAtChange",
    {
        "field": "Literal[\"withdrawnAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionWithdrawnConsentsChange = TypedDict(
    "ScreenerSessionWithdrawnConsentsChange",
    {
        "field": "Literal[\"withdrawnConsents\"]",
        "from": "Union[List[WithdrawnConsent], None]",
        "to": "Union[List[WithdrawnConsent], None]",
    },
)

ScreenerSessionAnswersErasedAtChange = TypedDict(
    "ScreenerSessionAnswersErasedAtChange",
    {
        "field": "Literal[\"answersErasedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionOrdersChange = TypedDict(
    "ScreenerSessionOrdersChange",
    {
        "field": "Literal[\"orders\"]",
        "from": "Union[List[ScreenerSessionOrder], None]",
        "to": "Union[List[ScreenerSessionOrder], None]",
    },
)

ScreenerSessionReviewChange = TypedDict(
    "ScreenerSessionReviewChange",
    {
        "field": "Literal[\"review\"]",
        "from": "Union[ScreenerSessionReview, None]",
        "to": "Union[ScreenerSessionReview, None]",
    },
)

ScreenerSessionSignalsChange = TypedDict(
    "ScreenerSessionSignalsChange",
    {
        "field": "Literal[\"signals\"]",
        "from": "Union[List[ScreenerSessionSignal], None]",
        "to": "Union[List[ScreenerSessionSignal], None]",
    },
)

ScreenerSessionOutcomeChange = TypedDict(
    "ScreenerSessionOutcomeChange",
    {
        "field": "Literal[\"outcome\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionScreenerParticipantCurrentSessionIdChange = TypedDict(
    "ScreenerSessionScreenerParticipantCurrentSessionIdChange",
    {
        "field": "Literal[\"screenerParticipant.currentSessionId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionScreenerParticipantStatusChange = TypedDict(
    "ScreenerSessionScreenerParticipantStatusChange",
    {
        "field": "Literal[\"screenerParticipant.status\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ScreenerSessionCreatedAtChange = TypedDict(
    "ScreenerSessionCreatedAtChange",
    {
        "field": "Literal[\"createdAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class ScreenerSessionCreatedEvent(TypedDict):
    """A session was opened."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange, ScreenerSessionCreatedAtChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionStartedEvent(TypedDict):
    """A participant has sent the first answers of a session."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.started"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionLanguageChosenEvent(TypedDict):
    """A participant has chosen the language of a session's pages."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.language-chosen"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerSessionLanguageChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionAnsweredEvent(TypedDict):
    """A participant has sent more answers of a session."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.answered"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionCompletedEvent(TypedDict):
    """A session was completed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.completed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionWithdrawnEvent(TypedDict):
    """A participant has withdrawn from a session."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.withdrawn"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionAnswersErasedEvent(TypedDict):
    """The answers of a session were erased, whose participant has withdrawn."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.answers-erased"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerSessionAnswersErasedAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantUnsubscribedEvent(TypedDict):
    """A participant has unsubscribed from mail about a study, or from all. Its resource is the session; the summary has the `scope`."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant.unsubscribed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantSubscribedEvent(TypedDict):
    """A participant who had unsubscribed wants mail again. Its resource is the session; the summary has the `scope`."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant.subscribed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantRequestCreatedEvent(TypedDict):
    """A participant has asked for their data, or to be erased. Its resource is the session; the summary has the `participantRequestId` and the `kind`."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant-request.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantRequestClosedEvent(TypedDict):
    """What a participant has asked for is done. Its resource is the participant; the summary has the `participantRequestId` and the `kind`."""

    _type: Literal["Event"]
    id: str
    type: Literal["participant-request.closed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailSuppressionCreatedEvent(TypedDict):
    """An address is not written to any more. The summary has the `reason`."""

    _type: Literal["Event"]
    id: str
    type: Literal["mail-suppression.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class MailSuppressionDeletedEvent(TypedDict):
    """An address is written to again. The summary has the `reason` why it was not."""

    _type: Literal["Event"]
    id: str
    type: Literal["mail-suppression.deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ScreenerSessionReasonChange = TypedDict(
    "ScreenerSessionReasonChange",
    {
        "field": "Literal[\"reason\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class ScreenerSessionOverriddenEvent(TypedDict):
    """A person has set the outcome of a session, or has taken that back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.overridden"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionOutcomeChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionReasonChange, ScreenerSessionReviewChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionAcceptedEvent(TypedDict):
    """A person has reviewed a session and accepted it: its places are taken."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.accepted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerSessionReviewChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionRejectedEvent(TypedDict):
    """A person has reviewed a session and rejected it: its places were given back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.rejected"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerSessionReviewChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionReviewReopenedEvent(TypedDict):
    """What was decided about a session was taken back: it waits for its review again."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.review-reopened"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ScreenerSessionReviewChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionOfferLapsedEvent(TypedDict):
    """The places that were offered for a session have lapsed: it is turned away by the full quota again."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.offer-lapsed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionRemovedEvent(TypedDict):
    """A session was removed."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-session.removed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ScreenerSessionScreenerIdChange, ScreenerSessionScreenerParticipantIdChange, ScreenerSessionScreenerPublicationIdChange, ScreenerSessionScreenerSessionLinkChange, ScreenerSessionLinkSlugChange, ScreenerSessionStatusChange, ScreenerSessionStateChange, ScreenerSessionOutcomeReasonChange, ScreenerSessionStartedAtChange, ScreenerSessionLastActiveAtChange, ScreenerSessionCompletedAtChange, ScreenerSessionAssignedTagsChange, ScreenerSessionReferenceChange, ScreenerSessionIsTestChange, ScreenerSessionOutcomeQuotaIdsChange, ScreenerSessionScreenerLinkIdChange, ScreenerSessionArmsChange, ScreenerSessionLanguageChange, ScreenerSessionWithdrawnAtChange, ScreenerSessionWithdrawnConsentsChange, ScreenerSessionAnswersErasedAtChange, ScreenerSessionOrdersChange, ScreenerSessionReviewChange, ScreenerSessionSignalsChange, ScreenerSessionOutcomeChange, ScreenerSessionScreenerParticipantCurrentSessionIdChange, ScreenerSessionScreenerParticipantStatusChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsOpenedEvent(TypedDict):
    """A session was opened for every assignment that had none."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.opened"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsTestsDeletedEvent(TypedDict):
    """The test sessions of a screener were deleted, with their answers."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.tests-deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ParticipantsErasedEvent(TypedDict):
    """Many participants were erased at once. Before it, each of them has a `participant.erased` of its own."""

    _type: Literal["Event"]
    id: str
    type: Literal["participants.erased"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerParticipantsRemovedEvent(TypedDict):
    """Many screener participants were removed at once, with their sessions archived. The rows of its job say which."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-participants.removed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerParticipantsRemovalUndoneEvent(TypedDict):
    """A removal of many screener participants, or its undo, was taken back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-participants.removal-undone"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsMovedEvent(TypedDict):
    """Sessions that nobody had begun went on with the active publication. The rows of its job say which."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.moved"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsMovedBackEvent(TypedDict):
    """What a move of sessions did, or its undo, was taken back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.moved-back"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsReviewedEvent(TypedDict):
    """Many sessions were accepted or rejected at once. Each of them has an event of its own, too."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.reviewed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ScreenerSessionsReviewUndoneEvent(TypedDict):
    """What was decided about many sessions at once was taken back."""

    _type: Literal["Event"]
    id: str
    type: Literal["screener-sessions.review-undone"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ImportPlannedEvent(TypedDict):
    """An import or an undo has ended as a plan: nothing was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["import.planned"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ImportCompletedEvent(TypedDict):
    """An import was applied. The rows of its job say whom it created or changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["import.completed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ImportFailedEvent(TypedDict):
    """An import or an undo has failed: nothing was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["import.failed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ImportUndoneEvent(TypedDict):
    """What an import did, or an undo, was taken back."""

    _type: Literal["Event"]
    id: str
    type: Literal["import.undone"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class JobPlannedEvent(TypedDict):
    """A job that is neither an import nor an undo of one has ended as a plan: nothing was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["job.planned"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class JobFailedEvent(TypedDict):
    """A job that is neither an import nor an undo of one has failed. Nothing was changed, unless it was an erasure of many: each whom that had erased has an event of their own."""

    _type: Literal["Event"]
    id: str
    type: Literal["job.failed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class JobCancelledEvent(TypedDict):
    """A job was cancelled, or a plan was ended: nothing was changed."""

    _type: Literal["Event"]
    id: str
    type: Literal["job.cancelled"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class JobRetriedEvent(TypedDict):
    """Somebody has a job run again that had failed for a reason of the service's own."""

    _type: Literal["Event"]
    id: str
    type: Literal["job.retried"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

WorkspaceNameChange = TypedDict(
    "WorkspaceNameChange",
    {
        "field": "Literal[\"name\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceIsSandboxChange = TypedDict(
    "WorkspaceIsSandboxChange",
    {
        "field": "Literal[\"isSandbox\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)


class WorkspaceCreatedEvent(TypedDict):
    """The workspace was created."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WorkspaceNameChange, WorkspaceIsSandboxChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

WorkspaceMaxRemovalsChange = TypedDict(
    "WorkspaceMaxRemovalsChange",
    {
        "field": "Literal[\"maxRemovals\"]",
        "from": "Union[Union[int, str], None]",
        "to": "Union[Union[int, str], None]",
    },
)

WorkspaceAnswersMonthsChange = TypedDict(
    "WorkspaceAnswersMonthsChange",
    {
        "field": "Literal[\"answersMonths\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

WorkspaceUnassignedDaysChange = TypedDict(
    "WorkspaceUnassignedDaysChange",
    {
        "field": "Literal[\"unassignedDays\"]",
        "from": "Union[int, None]",
        "to": "Union[int, None]",
    },
)

WorkspaceAccentColorChange = TypedDict(
    "WorkspaceAccentColorChange",
    {
        "field": "Literal[\"accentColor\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceAccentColorLightChange = TypedDict(
    "WorkspaceAccentColorLightChange",
    {
        "field": "Literal[\"accentColorLight\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceAccentColorDarkChange = TypedDict(
    "WorkspaceAccentColorDarkChange",
    {
        "field": "Literal[\"accentColorDark\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspacePrivacyUrlChange = TypedDict(
    "WorkspacePrivacyUrlChange",
    {
        "field": "Literal[\"privacyUrl\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceContactUrlChange = TypedDict(
    "WorkspaceContactUrlChange",
    {
        "field": "Literal[\"contactUrl\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceLogoChange = TypedDict(
    "WorkspaceLogoChange",
    {
        "field": "Literal[\"logo\"]",
        "from": "Union[Dict[str, Any], None]",
        "to": "Union[Dict[str, Any], None]",
    },
)

WorkspaceFrameAncestorsChange = TypedDict(
    "WorkspaceFrameAncestorsChange",
    {
        "field": "Literal[\"frameAncestors\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

WorkspaceContactCapChange = TypedDict(
    "WorkspaceContactCapChange",
    {
        "field": "Literal[\"contactCap\"]",
        "from": "Union[Dict[str, Any], None]",
        "to": "Union[Dict[str, Any], None]",
    },
)

WorkspaceRequiresTwoFactorChange = TypedDict(
    "WorkspaceRequiresTwoFactorChange",
    {
        "field": "Literal[\"requiresTwoFactor\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)

WorkspaceSigningKeyChange = TypedDict(
    "WorkspaceSigningKeyChange",
    {
        "field": "Literal[\"signingKey\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WorkspaceAttributesChange = TypedDict(
    "WorkspaceAttributesChange",
    {
        "field": "Literal[\"attributes\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

WorkspaceAttributeChange = TypedDict(
    "WorkspaceAttributeChange",
    {
        "field": "str",
        "from": "Union[Dict[str, Any], None]",
        "to": "Union[Dict[str, Any], None]",
    },
)

WorkspaceWordChange = TypedDict(
    "WorkspaceWordChange",
    {
        "field": "str",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class WorkspaceUpdatedEvent(TypedDict):
    """A setting of the workspace was changed, or its name."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WorkspaceNameChange, WorkspaceMaxRemovalsChange, WorkspaceAnswersMonthsChange, WorkspaceUnassignedDaysChange, WorkspaceAccentColorChange, WorkspaceAccentColorLightChange, WorkspaceAccentColorDarkChange, WorkspacePrivacyUrlChange, WorkspaceContactUrlChange, WorkspaceLogoChange, WorkspaceFrameAncestorsChange, WorkspaceContactCapChange, WorkspaceRequiresTwoFactorChange, WorkspaceSigningKeyChange, WorkspaceAttributesChange, WorkspaceAttributeChange, WorkspaceWordChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

WorkspaceSuspendedAtChange = TypedDict(
    "WorkspaceSuspendedAtChange",
    {
        "field": "Literal[\"suspendedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class WorkspaceSuspendedEvent(TypedDict):
    """The workspace was suspended."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.suspended"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[WorkspaceSuspendedAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WorkspaceRestoredEvent(TypedDict):
    """The workspace was restored from a backup: what came later is lost."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.restored"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WorkspaceSandboxResetEvent(TypedDict):
    """The workspace, a sandbox, was emptied. The summary says how much there was."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.sandbox-reset"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

WorkspaceCellChange = TypedDict(
    "WorkspaceCellChange",
    {
        "field": "Literal[\"cell\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class WorkspaceMovedEvent(TypedDict):
    """The workspace has moved to another cell."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.moved"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[WorkspaceCellChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WorkspaceResumedEvent(TypedDict):
    """The workspace is in service again."""

    _type: Literal["Event"]
    id: str
    type: Literal["workspace.resumed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[WorkspaceSuspendedAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class AttributeIndexCreatedEvent(TypedDict):
    """The values of an attribute of participants have an index."""

    _type: Literal["Event"]
    id: str
    type: Literal["attribute-index.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class AttributeIndexRemovedEvent(TypedDict):
    """The values of an attribute have no index any more."""

    _type: Literal["Event"]
    id: str
    type: Literal["attribute-index.removed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class DataExportedEvent(TypedDict):
    """A file with people's data, or a codebook, was downloaded, or many rows were shown page by page. The summary says what it had."""

    _type: Literal["Event"]
    id: str
    type: Literal["data.exported"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class RetentionAppliedEvent(TypedDict):
    """What is older than the workspace keeps was removed."""

    _type: Literal["Event"]
    id: str
    type: Literal["retention.applied"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

UserNameChange = TypedDict(
    "UserNameChange",
    {
        "field": "Literal[\"name\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

UserRoleChange = TypedDict(
    "UserRoleChange",
    {
        "field": "Literal[\"role\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class UserCreatedEvent(TypedDict):
    """A user was created."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[UserNameChange, UserRoleChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserLinkIssuedEvent(TypedDict):
    """A user was given a link to choose another password for the console."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.link-issued"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserJoinedEvent(TypedDict):
    """Somebody who was invited has come with an account that other workspaces have, too."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.joined"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

UserTwoFactorChange = TypedDict(
    "UserTwoFactorChange",
    {
        "field": "Literal[\"twoFactor\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)


class UserTwoFactorSetUpEvent(TypedDict):
    """A user has set up two-factor sign-in: the sign-in asks for a code, too."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.two-factor-set-up"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserTwoFactorChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserTwoFactorRemovedEvent(TypedDict):
    """Two-factor sign-in of a user was turned off, by the user, an admin or an operator."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.two-factor-removed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserTwoFactorChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

UserOidcIssuerChange = TypedDict(
    "UserOidcIssuerChange",
    {
        "field": "Literal[\"oidcIssuer\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class UserTiedEvent(TypedDict):
    """A user has signed in by single sign-on for the first time, and is tied to that account from now on."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.tied"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserOidcIssuerChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserUntiedEvent(TypedDict):
    """A user was untied from the account of single sign-on. The sessions in the console have ended."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.untied"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserOidcIssuerChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

UserDisabledAtChange = TypedDict(
    "UserDisabledAtChange",
    {
        "field": "Literal[\"disabledAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class UserDisabledEvent(TypedDict):
    """A user was disabled: the tokens and sessions do not work."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.disabled"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserDisabledAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserEnabledEvent(TypedDict):
    """A user was enabled again."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.enabled"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserDisabledAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class UserRoleChangedEvent(TypedDict):
    """A user has got another role."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.role-changed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserRoleChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

UserIsOperatorChange = TypedDict(
    "UserIsOperatorChange",
    {
        "field": "Literal[\"isOperator\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)


class UserUpdatedEvent(TypedDict):
    """A user may see the figures of the whole installation, or may not any more."""

    _type: Literal["Event"]
    id: str
    type: Literal["user.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[UserIsOperatorChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ApiKeyNameChange = TypedDict(
    "ApiKeyNameChange",
    {
        "field": "Literal[\"name\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

ApiKeyScopesChange = TypedDict(
    "ApiKeyScopesChange",
    {
        "field": "Literal[\"scopes\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

ApiKeySecretsChange = TypedDict(
    "ApiKeySecretsChange",
    {
        "field": "Literal[\"secrets\"]",
        "from": "Union[List[Dict[str, Any]], None]",
        "to": "Union[List[Dict[str, Any]], None]",
    },
)


class ApiKeyCreatedEvent(TypedDict):
    """An API key was issued."""

    _type: Literal["Event"]
    id: str
    type: Literal["api-key.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ApiKeyNameChange, ApiKeyScopesChange, ApiKeySecretsChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class ApiKeyRotatedEvent(TypedDict):
    """An API key has got a new secret."""

    _type: Literal["Event"]
    id: str
    type: Literal["api-key.rotated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[ApiKeySecretsChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

ApiKeyRevokedAtChange = TypedDict(
    "ApiKeyRevokedAtChange",
    {
        "field": "Literal[\"revokedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class ApiKeyRevokedEvent(TypedDict):
    """An API key was revoked."""

    _type: Literal["Event"]
    id: str
    type: Literal["api-key.revoked"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[ApiKeySecretsChange, ApiKeyRevokedAtChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

AccessTokenUserIdChange = TypedDict(
    "AccessTokenUserIdChange",
    {
        "field": "Literal[\"userId\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

AccessTokenScopesChange = TypedDict(
    "AccessTokenScopesChange",
    {
        "field": "Literal[\"scopes\"]",
        "from": "Union[List[str], None]",
        "to": "Union[List[str], None]",
    },
)

AccessTokenExpiresAtChange = TypedDict(
    "AccessTokenExpiresAtChange",
    {
        "field": "Literal[\"expiresAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class AccessTokenCreatedEvent(TypedDict):
    """An access token was issued."""

    _type: Literal["Event"]
    id: str
    type: Literal["access-token.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[AccessTokenUserIdChange, AccessTokenScopesChange, AccessTokenExpiresAtChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

AccessTokenRevokedAtChange = TypedDict(
    "AccessTokenRevokedAtChange",
    {
        "field": "Literal[\"revokedAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


class AccessTokenRevokedEvent(TypedDict):
    """An access token was revoked."""

    _type: Literal["Event"]
    id: str
    type: Literal["access-token.revoked"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[AccessTokenRevokedAtChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

WebhookEndpointUrlChange = TypedDict(
    "WebhookEndpointUrlChange",
    {
        "field": "Literal[\"url\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WebhookEndpointTypesChange = TypedDict(
    "WebhookEndpointTypesChange",
    {
        "field": "Literal[\"types\"]",
        "from": "Union[List[Literal[\"screener.created\", \"screener.updated\", \"screener.published\", \"screener.deleted\", \"screener-publication.updated\", \"screener-translation.updated\", \"screener-translation.deleted\", \"quota.reached\", \"screener-quota.updated\", \"screener-quota.full\", \"screener-quota.opened\", \"screener-quota.recounted\", \"screener-quota.recount-undone\", \"screener-quota.offered\", \"screener-quota.offer-undone\", \"image.created\", \"screener-link.created\", \"screener-link.updated\", \"screener-link.revoked\", \"screener-participant.added\", \"screener-participant.joined\", \"mailing.created\", \"mailing.started\", \"mailing.paused\", \"mailing.resumed\", \"mailing.stopped\", \"mailing.sent\", \"message.sent\", \"message.failed\", \"message.bounced\", \"participant.created\", \"participant.updated\", \"participant-note.written\", \"participant-note.deleted\", \"participant.erased\", \"screener-participant.removed\", \"screener-session.created\", \"screener-session.started\", \"screener-session.language-chosen\", \"screener-session.answered\", \"screener-session.completed\", \"screener-session.withdrawn\", \"screener-session.answers-erased\", \"participant.unsubscribed\", \"participant.subscribed\", \"participant-request.created\", \"participant-request.closed\", \"mail-suppression.created\", \"mail-suppression.deleted\", \"screener-session.overridden\", \"screener-session.accepted\", \"screener-session.rejected\", \"screener-session.review-reopened\", \"screener-session.offer-lapsed\", \"screener-session.removed\", \"screener-sessions.opened\", \"screener-sessions.tests-deleted\", \"participants.erased\", \"screener-participants.removed\", \"screener-participants.removal-undone\", \"screener-sessions.moved\", \"screener-sessions.moved-back\", \"screener-sessions.reviewed\", \"screener-sessions.review-undone\", \"import.planned\", \"import.completed\", \"import.failed\", \"import.undone\", \"job.planned\", \"job.failed\", \"job.cancelled\", \"job.retried\", \"workspace.created\", \"workspace.updated\", \"workspace.suspended\", \"workspace.restored\", \"workspace.sandbox-reset\", \"workspace.moved\", \"workspace.resumed\", \"attribute-index.created\", \"attribute-index.removed\", \"data.exported\", \"retention.applied\", \"user.created\", \"user.link-issued\", \"user.joined\", \"user.two-factor-set-up\", \"user.two-factor-removed\", \"user.tied\", \"user.untied\", \"user.disabled\", \"user.enabled\", \"user.role-changed\", \"user.updated\", \"api-key.created\", \"api-key.rotated\", \"api-key.revoked\", \"access-token.created\", \"access-token.revoked\", \"webhook-endpoint.created\", \"webhook-endpoint.updated\", \"webhook-endpoint.disabled\", \"webhook-endpoint.deleted\", \"webhook-endpoint.tested\", \"webhook-deliveries.replayed\"]], None]",
        "to": "Union[List[Literal[\"screener.created\", \"screener.updated\", \"screener.published\", \"screener.deleted\", \"screener-publication.updated\", \"screener-translation.updated\", \"screener-translation.deleted\", \"quota.reached\", \"screener-quota.updated\", \"screener-quota.full\", \"screener-quota.opened\", \"screener-quota.recounted\", \"screener-quota.recount-undone\", \"screener-quota.offered\", \"screener-quota.offer-undone\", \"image.created\", \"screener-link.created\", \"screener-link.updated\", \"screener-link.revoked\", \"screener-participant.added\", \"screener-participant.joined\", \"mailing.created\", \"mailing.started\", \"mailing.paused\", \"mailing.resumed\", \"mailing.stopped\", \"mailing.sent\", \"message.sent\", \"message.failed\", \"message.bounced\", \"participant.created\", \"participant.updated\", \"participant-note.written\", \"participant-note.deleted\", \"participant.erased\", \"screener-participant.removed\", \"screener-session.created\", \"screener-session.started\", \"screener-session.language-chosen\", \"screener-session.answered\", \"screener-session.completed\", \"screener-session.withdrawn\", \"screener-session.answers-erased\", \"participant.unsubscribed\", \"participant.subscribed\", \"participant-request.created\", \"participant-request.closed\", \"mail-suppression.created\", \"mail-suppression.deleted\", \"screener-session.overridden\", \"screener-session.accepted\", \"screener-session.rejected\", \"screener-session.review-reopened\", \"screener-session.offer-lapsed\", \"screener-session.removed\", \"screener-sessions.opened\", \"screener-sessions.tests-deleted\", \"participants.erased\", \"screener-participants.removed\", \"screener-participants.removal-undone\", \"screener-sessions.moved\", \"screener-sessions.moved-back\", \"screener-sessions.reviewed\", \"screener-sessions.review-undone\", \"import.planned\", \"import.completed\", \"import.failed\", \"import.undone\", \"job.planned\", \"job.failed\", \"job.cancelled\", \"job.retried\", \"workspace.created\", \"workspace.updated\", \"workspace.suspended\", \"workspace.restored\", \"workspace.sandbox-reset\", \"workspace.moved\", \"workspace.resumed\", \"attribute-index.created\", \"attribute-index.removed\", \"data.exported\", \"retention.applied\", \"user.created\", \"user.link-issued\", \"user.joined\", \"user.two-factor-set-up\", \"user.two-factor-removed\", \"user.tied\", \"user.untied\", \"user.disabled\", \"user.enabled\", \"user.role-changed\", \"user.updated\", \"api-key.created\", \"api-key.rotated\", \"api-key.revoked\", \"access-token.created\", \"access-token.revoked\", \"webhook-endpoint.created\", \"webhook-endpoint.updated\", \"webhook-endpoint.disabled\", \"webhook-endpoint.deleted\", \"webhook-endpoint.tested\", \"webhook-deliveries.replayed\"]], None]",
    },
)

WebhookEndpointStatusChange = TypedDict(
    "WebhookEndpointStatusChange",
    {
        "field": "Literal[\"status\"]",
        "from": "Union[Literal[\"ENABLED\", \"DISABLED\"], None]",
        "to": "Union[Literal[\"ENABLED\", \"DISABLED\"], None]",
    },
)

WebhookEndpointDisabledReasonChange = TypedDict(
    "WebhookEndpointDisabledReasonChange",
    {
        "field": "Literal[\"disabledReason\"]",
        "from": "Union[Literal[\"GONE\", \"FAILING\"], None]",
        "to": "Union[Literal[\"GONE\", \"FAILING\"], None]",
    },
)

WebhookEndpointDisabledAtChange = TypedDict(
    "WebhookEndpointDisabledAtChange",
    {
        "field": "Literal[\"disabledAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WebhookEndpointFailingSinceChange = TypedDict(
    "WebhookEndpointFailingSinceChange",
    {
        "field": "Literal[\"failingSince\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WebhookEndpointPreviousSecretExpiresAtChange = TypedDict(
    "WebhookEndpointPreviousSecretExpiresAtChange",
    {
        "field": "Literal[\"previousSecretExpiresAt\"]",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)

WebhookEndpointOrderedChange = TypedDict(
    "WebhookEndpointOrderedChange",
    {
        "field": "Literal[\"ordered\"]",
        "from": "Union[bool, None]",
        "to": "Union[bool, None]",
    },
)


class WebhookEndpointCreatedEvent(TypedDict):
    """A webhook endpoint was created."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-endpoint.created"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WebhookEndpointUrlChange, WebhookEndpointTypesChange, WebhookEndpointStatusChange, WebhookEndpointDisabledReasonChange, WebhookEndpointDisabledAtChange, WebhookEndpointFailingSinceChange, WebhookEndpointPreviousSecretExpiresAtChange, WebhookEndpointOrderedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WebhookEndpointUpdatedEvent(TypedDict):
    """A webhook endpoint was changed, or has got a new secret."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-endpoint.updated"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WebhookEndpointUrlChange, WebhookEndpointTypesChange, WebhookEndpointStatusChange, WebhookEndpointDisabledReasonChange, WebhookEndpointDisabledAtChange, WebhookEndpointFailingSinceChange, WebhookEndpointPreviousSecretExpiresAtChange, WebhookEndpointOrderedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WebhookEndpointDisabledEvent(TypedDict):
    """A webhook endpoint was disabled, because its receiver said so or failed for days."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-endpoint.disabled"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WebhookEndpointUrlChange, WebhookEndpointTypesChange, WebhookEndpointStatusChange, WebhookEndpointDisabledReasonChange, WebhookEndpointDisabledAtChange, WebhookEndpointFailingSinceChange, WebhookEndpointPreviousSecretExpiresAtChange, WebhookEndpointOrderedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WebhookEndpointDeletedEvent(TypedDict):
    """A webhook endpoint was deleted."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-endpoint.deleted"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[Union[WebhookEndpointUrlChange, WebhookEndpointTypesChange, WebhookEndpointStatusChange, WebhookEndpointDisabledReasonChange, WebhookEndpointDisabledAtChange, WebhookEndpointFailingSinceChange, WebhookEndpointPreviousSecretExpiresAtChange, WebhookEndpointOrderedChange]]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WebhookEndpointTestedEvent(TypedDict):
    """A test was sent to a webhook endpoint."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-endpoint.tested"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str


class WebhookDeliveriesReplayedEvent(TypedDict):
    """Deliveries of webhooks were asked for again."""

    _type: Literal["Event"]
    id: str
    type: Literal["webhook-deliveries.replayed"]
    createdAt: str
    actor: EventActor
    requestId: Union[str, None]
    jobId: Union[str, None]
    resource: EventResource
    changes: List[EventChange]
    summary: Union[Dict[str, Any], None]
    note: Union[str, None]
    sequence: int
    logId: str

Event: TypeAlias = "Union[ScreenerCreatedEvent, ScreenerUpdatedEvent, ScreenerPublishedEvent, ScreenerDeletedEvent, ScreenerPublicationUpdatedEvent, ScreenerTranslationUpdatedEvent, ScreenerTranslationDeletedEvent, QuotaReachedEvent, ScreenerQuotaUpdatedEvent, ScreenerQuotaFullEvent, ScreenerQuotaOpenedEvent, ScreenerQuotaRecountedEvent, ScreenerQuotaRecountUndoneEvent, ScreenerQuotaOfferedEvent, ScreenerQuotaOfferUndoneEvent, ImageCreatedEvent, ScreenerLinkCreatedEvent, ScreenerLinkUpdatedEvent, ScreenerLinkRevokedEvent, ScreenerParticipantAddedEvent, ScreenerParticipantJoinedEvent, MailingCreatedEvent, MailingStartedEvent, MailingPausedEvent, MailingResumedEvent, MailingStoppedEvent, MailingSentEvent, MessageSentEvent, MessageFailedEvent, MessageBouncedEvent, ParticipantCreatedEvent, ParticipantUpdatedEvent, ParticipantNoteWrittenEvent, ParticipantNoteDeletedEvent, ParticipantErasedEvent, ScreenerParticipantRemovedEvent, ScreenerSessionCreatedEvent, ScreenerSessionStartedEvent, ScreenerSessionLanguageChosenEvent, ScreenerSessionAnsweredEvent, ScreenerSessionCompletedEvent, ScreenerSessionWithdrawnEvent, ScreenerSessionAnswersErasedEvent, ParticipantUnsubscribedEvent, ParticipantSubscribedEvent, ParticipantRequestCreatedEvent, ParticipantRequestClosedEvent, MailSuppressionCreatedEvent, MailSuppressionDeletedEvent, ScreenerSessionOverriddenEvent, ScreenerSessionAcceptedEvent, ScreenerSessionRejectedEvent, ScreenerSessionReviewReopenedEvent, ScreenerSessionOfferLapsedEvent, ScreenerSessionRemovedEvent, ScreenerSessionsOpenedEvent, ScreenerSessionsTestsDeletedEvent, ParticipantsErasedEvent, ScreenerParticipantsRemovedEvent, ScreenerParticipantsRemovalUndoneEvent, ScreenerSessionsMovedEvent, ScreenerSessionsMovedBackEvent, ScreenerSessionsReviewedEvent, ScreenerSessionsReviewUndoneEvent, ImportPlannedEvent, ImportCompletedEvent, ImportFailedEvent, ImportUndoneEvent, JobPlannedEvent, JobFailedEvent, JobCancelledEvent, JobRetriedEvent, WorkspaceCreatedEvent, WorkspaceUpdatedEvent, WorkspaceSuspendedEvent, WorkspaceRestoredEvent, WorkspaceSandboxResetEvent, WorkspaceMovedEvent, WorkspaceResumedEvent, AttributeIndexCreatedEvent, AttributeIndexRemovedEvent, DataExportedEvent, RetentionAppliedEvent, UserCreatedEvent, UserLinkIssuedEvent, UserJoinedEvent, UserTwoFactorSetUpEvent, UserTwoFactorRemovedEvent, UserTiedEvent, UserUntiedEvent, UserDisabledEvent, UserEnabledEvent, UserRoleChangedEvent, UserUpdatedEvent, ApiKeyCreatedEvent, ApiKeyRotatedEvent, ApiKeyRevokedEvent, AccessTokenCreatedEvent, AccessTokenRevokedEvent, WebhookEndpointCreatedEvent, WebhookEndpointUpdatedEvent, WebhookEndpointDisabledEvent, WebhookEndpointDeletedEvent, WebhookEndpointTestedEvent, WebhookDeliveriesReplayedEvent]"


class PaginatedEvent(TypedDict):
    _type: Literal["PaginatedEvent"]
    total: int
    limit: int
    offset: int
    items: List[Event]


class EventFeed(TypedDict):
    _type: Literal["EventFeed"]
    items: List[Event]
    cursor: Union[str, None]
    logId: str


class AppearanceLogo(TypedDict):
    url: str
    width: float
    height: float


class Appearance(TypedDict):
    _type: Literal["Appearance"]
    accentColor: Union[str, None]
    accentColorLight: Union[str, None]
    accentColorDark: Union[str, None]
    privacyUrl: Union[str, None]
    contactUrl: Union[str, None]
    logo: Union[AppearanceLogo, None]
    frameAncestors: List[str]


class AppearanceChange(TypedDict):
    _type: NotRequired[Any]
    accentColorLight: NotRequired[Any]
    accentColorDark: NotRequired[Any]
    logo: NotRequired[Any]
    accentColor: NotRequired[Union[str, None]]
    privacyUrl: NotRequired[Union[str, None]]
    contactUrl: NotRequired[Union[str, None]]
    frameAncestors: NotRequired[List[str]]
    logoFile: NotRequired[Union[str, None]]


class NewImage(TypedDict):
    file: str


class Image(TypedDict):
    _type: Literal["Image"]
    id: str
    url: str
    width: int
    height: int
    bytes: int


class AttributeType(TypedDict):
    key: str
    label: Union[str, None]
    type: Literal["TEXT", "NUMBER", "DATE", "BOOLEAN", "CHOICE"]
    values: NotRequired[List[str]]


class WorkspaceAttributes(TypedDict):
    _type: Literal["WorkspaceAttributes"]
    attributes: List[AttributeType]


class AttributeTypeInput(TypedDict):
    key: str
    label: NotRequired[Union[str, None]]
    type: Literal["TEXT", "NUMBER", "DATE", "BOOLEAN", "CHOICE"]
    values: NotRequired[Union[List[str], None]]


class WorkspaceAttributesInput(TypedDict):
    _type: NotRequired[Any]
    attributes: List[AttributeTypeInput]


class PageLanguage(TypedDict):
    _type: Literal["PageLanguage"]
    language: str
    direction: Literal["ltr", "rtl"]
    isBuiltIn: bool
    ownTexts: float


class PageLanguages(TypedDict):
    items: List[PageLanguage]


class PageWord(TypedDict):
    key: str
    text: str
    source: str
    default: str
    isMissing: bool
    isOwn: bool


class PageWords(TypedDict):
    _type: Literal["PageWords"]
    language: str
    direction: Literal["ltr", "rtl"]
    words: List[PageWord]


class PageWordChange(TypedDict):
    source: NotRequired[Any]
    default: NotRequired[Any]
    isMissing: NotRequired[Any]
    isOwn: NotRequired[Any]
    key: str
    text: Union[str, None]


class PageWordsChange(TypedDict):
    _type: NotRequired[Any]
    language: NotRequired[Any]
    direction: NotRequired[Any]
    words: List[PageWordChange]

ContactCap: TypeAlias = "Union[Dict[str, Any], None]"

MailSettings = TypedDict(
    "MailSettings",
    {
        "_type": "Literal[\"MailSettings\"]",
        "isConfigured": "bool",
        "relay": "Union[str, None]",
        "from": "Union[str, None]",
        "replyTo": "Union[str, None]",
        "perMinute": "Union[int, None]",
        "dkimDomain": "Union[str, None]",
        "contactCap": "ContactCap",
    },
)


class MailSettingsChange(TypedDict):
    contactCap: NotRequired[ContactCap]


class NewMailTest(TypedDict):
    to: str


class MailTest(TypedDict):
    _type: Literal["MailTest"]
    status: Literal["SENT", "DEFERRED", "FAILED", "UNCERTAIN"]
    reply: str


class MailingMessageCounts(TypedDict):
    """How many messages, reminders among them, are in each state"""

    READY: int
    SENDING: int
    SENT: int
    DEFERRED: int
    FAILED: int
    DROPPED: int
    UNCERTAIN: int
    BOUNCED: int


class Mailing(TypedDict):
    _type: Literal["Mailing"]
    id: str
    screenerId: str
    name: str
    kind: Union[Literal["INVITATION", "REMINDER", "MESSAGE"], str]
    status: Literal["SCHEDULED", "SENDING", "PAUSED", "STOPPED", "SENT"]
    pausedBecause: Union[Literal["PERSON", "RESTORED"], None]
    language: str
    subject: str
    body: str
    translations: List[Dict[str, Any]]
    to: Dict[str, Any]
    at: Union[str, None]
    window: Union[Dict[str, Any], None]
    perMinute: Union[int, None]
    reminders: List[Dict[str, Any]]
    resendUncertain: bool
    messages: MailingMessageCounts
    nextAt: Union[str, None]
    begunAt: Union[str, None]
    endedAt: Union[str, None]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]


class PaginatedMailing(TypedDict):
    _type: Literal["PaginatedMailing"]
    total: int
    limit: int
    offset: int
    items: List[Mailing]


class MailingTranslation(TypedDict):
    language: str
    subject: str
    body: str


class MailingReminder(TypedDict):
    afterDays: int
    subject: str
    body: str
    translations: NotRequired[List[MailingTranslation]]


class MailingRecipients(TypedDict):
    status: NotRequired[List[Literal["NOT_STARTED", "IN_PROGRESS", "QUALIFIED", "DISQUALIFIED", "UNKNOWN"]]]
    attributes: NotRequired[Dict[str, Dict[str, Union[Union[str, float, bool], List[Union[str, float, bool]]]]]]
    filter: NotRequired[Dict[str, Dict[str, Union[Union[str, float, bool], List[Union[str, float, bool]]]]]]
    answers: NotRequired[Dict[str, Dict[str, Union[Union[str, float, bool], List[Union[str, float, bool]]]]]]
    review: NotRequired[List[Literal["PENDING", "ACCEPTED", "REJECTED"]]]
    notInvitedSince: NotRequired[str]
    quotaIds: NotRequired[List[str]]
    notInScreenerIds: NotRequired[List[str]]
    notQualifiedSince: NotRequired[str]
    limit: NotRequired[int]
    order: NotRequired[Literal["OLDEST", "RANDOM"]]

MailingWindow = TypedDict(
    "MailingWindow",
    {
        "days": "List[Literal[\"SUN\", \"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\", \"SAT\"]]",
        "from": "str",
        "to": "str",
        "timeZone": "str",
    },
)


class NewMailing(TypedDict):
    screenerId: str
    name: str
    kind: Literal["INVITATION", "REMINDER", "MESSAGE"]
    subject: str
    body: str
    translations: NotRequired[List[MailingTranslation]]
    to: NotRequired[MailingRecipients]
    at: NotRequired[Union[str, None]]
    window: NotRequired[Union[MailingWindow, None]]
    perMinute: NotRequired[Union[int, None]]
    reminders: NotRequired[List[MailingReminder]]
    resendUncertain: NotRequired[bool]
    maxRecipients: NotRequired[Union[int, None]]
    dryRun: NotRequired[Union[bool, None]]


class MailingMessage(TypedDict):
    _type: Literal["MailingMessage"]
    id: str
    mailingId: str
    participantId: str
    externalParticipantUid: str
    step: int
    state: Literal["READY", "SENDING", "SENT", "DEFERRED", "FAILED", "DROPPED", "UNCERTAIN", "BOUNCED"]
    reason: Union[str, None]
    reply: Union[str, None]
    attempts: int
    dueAt: Union[str, None]
    endedAt: Union[str, None]
    language: Union[str, None]
    template: Union[str, None]
    contentHash: Union[str, None]
    bouncedAt: Union[str, None]
    bounce: Union[str, None]


class PaginatedMailingMessage(TypedDict):
    _type: Literal["PaginatedMailingMessage"]
    total: int
    limit: int
    offset: int
    items: List[MailingMessage]


class NewMailingPreview(TypedDict):
    screenerId: str
    subject: str
    body: str
    translations: NotRequired[List[MailingTranslation]]
    participantId: NotRequired[Union[str, None]]


class MailingPreview(TypedDict):
    _type: Literal["MailingPreview"]
    language: str
    subject: str
    text: str
    html: str
    screenerSessionId: Union[str, None]


class NewMailingTest(TypedDict):
    screenerId: str
    subject: str
    body: str
    translations: NotRequired[List[MailingTranslation]]
    participantId: NotRequired[Union[str, None]]
    to: str


class MailingResume(TypedDict):
    resendUncertain: NotRequired[Union[bool, None]]


class WebhookEndpoint(TypedDict):
    _type: Literal["WebhookEndpoint"]
    id: str
    url: str
    types: Union[List[Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]], None]
    status: Literal["ENABLED", "DISABLED"]
    disabledReason: Union[Union[Literal["GONE", "FAILING"], str], None]
    disabledAt: Union[str, None]
    failingSince: Union[str, None]
    previousSecretExpiresAt: Union[str, None]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]
    ordered: bool


class PaginatedWebhookEndpoint(TypedDict):
    _type: Literal["PaginatedWebhookEndpoint"]
    total: int
    limit: int
    offset: int
    items: List[WebhookEndpoint]


class NewWebhookEndpoint(TypedDict):
    url: str
    types: NotRequired[Union[List[Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]], None]]
    ordered: NotRequired[bool]


class WebhookEndpointWithSecret(TypedDict):
    _type: Literal["WebhookEndpoint"]
    id: str
    url: str
    types: Union[List[Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]], None]
    status: Literal["ENABLED", "DISABLED"]
    disabledReason: Union[Union[Literal["GONE", "FAILING"], str], None]
    disabledAt: Union[str, None]
    failingSince: Union[str, None]
    previousSecretExpiresAt: Union[str, None]
    createdBy: Union[Actor, None]
    createdAt: Union[str, None]
    updatedBy: Union[Actor, None]
    updatedAt: Union[str, None]
    ordered: bool
    secret: str


class WebhookEndpointChange(TypedDict):
    url: NotRequired[str]
    types: NotRequired[Union[List[Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]], None]]
    ordered: NotRequired[bool]
    status: NotRequired[Literal["ENABLED", "DISABLED"]]


class WebhookSecretRotation(TypedDict):
    overlapHours: NotRequired[int]


class WebhookDelivery(TypedDict):
    _type: Literal["WebhookDelivery"]
    id: str
    webhookEndpointId: str
    eventId: str
    eventType: Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]
    status: Literal["PENDING", "SUCCEEDED", "FAILED"]
    createdAt: str
    attemptCount: int
    nextAttemptAt: Union[str, None]


class PaginatedWebhookDelivery(TypedDict):
    _type: Literal["PaginatedWebhookDelivery"]
    total: int
    limit: int
    offset: int
    items: List[WebhookDelivery]


class WebhookAttempt(TypedDict):
    _type: Literal["WebhookAttempt"]
    startedAt: str
    milliseconds: int
    httpStatus: Union[int, None]
    error: Union[str, None]
    answer: Union[str, None]


class WebhookDeliveryWithAttempts(TypedDict):
    _type: Literal["WebhookDelivery"]
    id: str
    webhookEndpointId: str
    eventId: str
    eventType: Literal["screener.created", "screener.updated", "screener.published", "screener.deleted", "screener-publication.updated", "screener-translation.updated", "screener-translation.deleted", "quota.reached", "screener-quota.updated", "screener-quota.full", "screener-quota.opened", "screener-quota.recounted", "screener-quota.recount-undone", "screener-quota.offered", "screener-quota.offer-undone", "image.created", "screener-link.created", "screener-link.updated", "screener-link.revoked", "screener-participant.added", "screener-participant.joined", "mailing.created", "mailing.started", "mailing.paused", "mailing.resumed", "mailing.stopped", "mailing.sent", "message.sent", "message.failed", "message.bounced", "participant.created", "participant.updated", "participant-note.written", "participant-note.deleted", "participant.erased", "screener-participant.removed", "screener-session.created", "screener-session.started", "screener-session.language-chosen", "screener-session.answered", "screener-session.completed", "screener-session.withdrawn", "screener-session.answers-erased", "participant.unsubscribed", "participant.subscribed", "participant-request.created", "participant-request.closed", "mail-suppression.created", "mail-suppression.deleted", "screener-session.overridden", "screener-session.accepted", "screener-session.rejected", "screener-session.review-reopened", "screener-session.offer-lapsed", "screener-session.removed", "screener-sessions.opened", "screener-sessions.tests-deleted", "participants.erased", "screener-participants.removed", "screener-participants.removal-undone", "screener-sessions.moved", "screener-sessions.moved-back", "screener-sessions.reviewed", "screener-sessions.review-undone", "import.planned", "import.completed", "import.failed", "import.undone", "job.planned", "job.failed", "job.cancelled", "job.retried", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.restored", "workspace.sandbox-reset", "workspace.moved", "workspace.resumed", "attribute-index.created", "attribute-index.removed", "data.exported", "retention.applied", "user.created", "user.link-issued", "user.joined", "user.two-factor-set-up", "user.two-factor-removed", "user.tied", "user.untied", "user.disabled", "user.enabled", "user.role-changed", "user.updated", "api-key.created", "api-key.rotated", "api-key.revoked", "access-token.created", "access-token.revoked", "webhook-endpoint.created", "webhook-endpoint.updated", "webhook-endpoint.disabled", "webhook-endpoint.deleted", "webhook-endpoint.tested", "webhook-deliveries.replayed"]
    status: Literal["PENDING", "SUCCEEDED", "FAILED"]
    createdAt: str
    attemptCount: int
    nextAttemptAt: Union[str, None]
    attempts: List[WebhookAttempt]

WebhookReplayRequest = TypedDict(
    "WebhookReplayRequest",
    {
        "from": "str",
        "to": "NotRequired[str]",
    },
)

WebhookReplay = TypedDict(
    "WebhookReplay",
    {
        "_type": "Literal[\"WebhookReplay\"]",
        "webhookEndpointId": "str",
        "from": "str",
        "to": "str",
        "events": "int",
    },
)


class User(TypedDict):
    _type: Literal["User"]
    id: str
    name: str
    email: Union[str, None]
    role: Union[Literal["viewer", "researcher", "admin"], None]
    isOperator: bool
    createdAt: str
    disabledAt: Union[str, None]


class Users(TypedDict):
    _type: Literal["Users"]
    items: List[User]


class UserChange(TypedDict):
    role: Literal["viewer", "researcher", "admin"]


class WorkspaceRows(TypedDict):
    screeners: int
    participants: int
    screenerParticipants: int
    screenerSessions: int
    screenerResponses: int
    events: int


class WorkspaceUsage(TypedDict):
    _type: Literal["WorkspaceUsage"]
    isSandbox: bool
    rows: WorkspaceRows
    storeBytes: int
    walBytes: int
    spoolBytes: int
    maxSpoolBytes: int
    resultsBytes: int
    maxResultsBytes: int
    unfinishedJobs: int
    oldestUnfinishedJobAt: Union[str, None]
    lastActivityAt: Union[str, None]


class Health(TypedDict):
    status: Literal["ok", "unavailable"]
    reasons: List[str]
    cell: NotRequired[str]
    version: str
    build: Union[str, None]
    node: str
    schema: Dict[str, Any]


class HealthDetail(TypedDict):
    code: str
    message: str
    blocking: bool
    workspace: NotRequired[str]
    job: NotRequired[str]
    blocked: NotRequired[Dict[str, Any]]


class Readiness(TypedDict):
    status: Literal["ok", "unavailable"]
    reasons: List[str]
    details: List[HealthDetail]


class EventMessage(TypedDict):
    type: str
    timestamp: str
    data: Event
