"""The operations of the API, with their types."""
# Made from the API description by `npm run client`. Do not change this file by hand.

from __future__ import annotations

from typing import Any, Iterator, List, Literal, Mapping, Optional, Union, overload

from . import models


class Operations:
    """Calls the API by method and path. `items` gives every item of a list, page by page."""

    def _call(self, method: str, path: str, **options: Any) -> Any:
        raise NotImplementedError

    def _items(self, path: str, **options: Any) -> Iterator[Any]:
        raise NotImplementedError

    @overload
    def get(
        self,
        path: Literal["/screeners"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreener: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Screener: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/content"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerContent: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/translations"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerTranslations: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/translations/{language}"],
        *,
        id: str,
        language: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerTranslation: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/publications"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerPublication: ...

    @overload
    def get(
        self,
        path: Literal["/screener-publications/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerPublication: ...

    @overload
    def get(
        self,
        path: Literal["/screener-publications/{id}/content"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerPublicationContent: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/quotas"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerQuota: ...

    @overload
    def get(
        self,
        path: Literal["/screener-quotas/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerQuota: ...

    @overload
    def get(
        self,
        path: Literal["/screener-quotas/{id}/places"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerQuotaPlace: ...

    @overload
    def get(
        self,
        path: Literal["/screener-links"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerLink: ...

    @overload
    def get(
        self,
        path: Literal["/screener-links/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerLink: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/signing-key"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.SigningKey: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/arms"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerArm: ...

    @overload
    def get(
        self,
        path: Literal["/participants"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedParticipant: ...

    @overload
    def get(
        self,
        path: Literal["/participants/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Participant: ...

    @overload
    def get(
        self,
        path: Literal["/participants/{id}/export"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantExport: ...

    @overload
    def get(
        self,
        path: Literal["/participant-requests"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedParticipantRequest: ...

    @overload
    def get(
        self,
        path: Literal["/participant-requests/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantRequest: ...

    @overload
    def get(
        self,
        path: Literal["/participant-notes"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedParticipantNote: ...

    @overload
    def get(
        self,
        path: Literal["/participant-notes/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantNote: ...

    @overload
    def get(
        self,
        path: Literal["/mail-suppressions"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedMailSuppression: ...

    @overload
    def get(
        self,
        path: Literal["/mail-suppressions/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailSuppression: ...

    @overload
    def get(
        self,
        path: Literal["/screener-participants"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerParticipant: ...

    @overload
    def get(
        self,
        path: Literal["/screener-participants/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerParticipant: ...

    @overload
    def get(
        self,
        path: Literal["/screener-sessions"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerSession: ...

    @overload
    def get(
        self,
        path: Literal["/screener-sessions/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSession: ...

    @overload
    def get(
        self,
        path: Literal["/screener-sessions/{id}/orders"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSessionOrders: ...

    @overload
    def get(
        self,
        path: Literal["/screener-sessions/{id}/explanation"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSessionExplanation: ...

    @overload
    def get(
        self,
        path: Literal["/screener-responses"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerResponse: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/export"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> str: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/codebook"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> str: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/answers"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedScreenerAnswers: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/answer-columns"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerAnswerColumns: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/results"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerResults: ...

    @overload
    def get(
        self,
        path: Literal["/jobs"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedJob: ...

    @overload
    def get(
        self,
        path: Literal["/jobs/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def get(
        self,
        path: Literal["/jobs/{id}/result"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Any: ...

    @overload
    def get(
        self,
        path: Literal["/jobs/{id}/rows"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedJobRow: ...

    @overload
    def get(
        self,
        path: Literal["/events"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedEvent: ...

    @overload
    def get(
        self,
        path: Literal["/events/feed"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.EventFeed: ...

    @overload
    def get(
        self,
        path: Literal["/events/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Event: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/appearance"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Appearance: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/images/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Image: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/attributes"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WorkspaceAttributes: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/words"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PageLanguages: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/words/{language}"],
        *,
        language: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PageWords: ...

    @overload
    def get(
        self,
        path: Literal["/screeners/{id}/words/{language}"],
        *,
        id: str,
        language: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PageWords: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/mail"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailSettings: ...

    @overload
    def get(
        self,
        path: Literal["/mailings"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedMailing: ...

    @overload
    def get(
        self,
        path: Literal["/mailings/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Mailing: ...

    @overload
    def get(
        self,
        path: Literal["/mailings/{id}/messages"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedMailingMessage: ...

    @overload
    def get(
        self,
        path: Literal["/webhook-endpoints"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedWebhookEndpoint: ...

    @overload
    def get(
        self,
        path: Literal["/webhook-endpoints/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookEndpoint: ...

    @overload
    def get(
        self,
        path: Literal["/webhook-deliveries"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PaginatedWebhookDelivery: ...

    @overload
    def get(
        self,
        path: Literal["/webhook-deliveries/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookDeliveryWithAttempts: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/users"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Users: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/users/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.User: ...

    @overload
    def get(
        self,
        path: Literal["/workspace/usage"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WorkspaceUsage: ...

    @overload
    def get(
        self,
        path: Literal["/healthz"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Health: ...

    @overload
    def get(
        self,
        path: Literal["/readyz"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Readiness: ...

    def get(self, path: str, **options: Any) -> Any:
        return self._call("GET", path, **options)

    @overload
    def items(
        self,
        path: Literal["/screeners"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.Screener]: ...

    @overload
    def items(
        self,
        path: Literal["/screeners/{id}/publications"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerPublication]: ...

    @overload
    def items(
        self,
        path: Literal["/screeners/{id}/quotas"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerQuota]: ...

    @overload
    def items(
        self,
        path: Literal["/screener-quotas/{id}/places"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerQuotaPlace]: ...

    @overload
    def items(
        self,
        path: Literal["/screener-links"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerLink]: ...

    @overload
    def items(
        self,
        path: Literal["/screeners/{id}/arms"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerArm]: ...

    @overload
    def items(
        self,
        path: Literal["/participants"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.Participant]: ...

    @overload
    def items(
        self,
        path: Literal["/participant-requests"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ParticipantRequest]: ...

    @overload
    def items(
        self,
        path: Literal["/participant-notes"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ParticipantNote]: ...

    @overload
    def items(
        self,
        path: Literal["/mail-suppressions"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.MailSuppression]: ...

    @overload
    def items(
        self,
        path: Literal["/screener-participants"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerParticipant]: ...

    @overload
    def items(
        self,
        path: Literal["/screener-sessions"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ListedScreenerSession]: ...

    @overload
    def items(
        self,
        path: Literal["/screener-responses"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerResponse]: ...

    @overload
    def items(
        self,
        path: Literal["/screeners/{id}/answers"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.ScreenerAnswers]: ...

    @overload
    def items(
        self,
        path: Literal["/jobs"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.Job]: ...

    @overload
    def items(
        self,
        path: Literal["/jobs/{id}/rows"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.JobRow]: ...

    @overload
    def items(
        self,
        path: Literal["/events"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.Event]: ...

    @overload
    def items(
        self,
        path: Literal["/mailings"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.Mailing]: ...

    @overload
    def items(
        self,
        path: Literal["/mailings/{id}/messages"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.MailingMessage]: ...

    @overload
    def items(
        self,
        path: Literal["/webhook-endpoints"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.WebhookEndpoint]: ...

    @overload
    def items(
        self,
        path: Literal["/webhook-deliveries"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[models.WebhookDelivery]: ...

    def items(self, path: str, **options: Any) -> Iterator[Any]:
        return self._items(path, **options)

    @overload
    def post(
        self,
        path: Literal["/screeners"],
        *,
        body: models.NewScreener,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Screener: ...

    @overload
    def post(
        self,
        path: Literal["/screener-publications"],
        *,
        body: models.NewScreenerPublication,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Union[models.ScreenerPublication, models.Job]: ...

    @overload
    def post(
        self,
        path: Literal["/screener-publications/{id}/restore"],
        *,
        id: str,
        body: Optional[models.ScreenerPublicationRestore] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerContent: ...

    @overload
    def post(
        self,
        path: Literal["/screener-links"],
        *,
        body: models.NewScreenerLink,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerLink: ...

    @overload
    def post(
        self,
        path: Literal["/workspace/signing-key/rotate"],
        *,
        body: Optional[models.SigningKeyRotation] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.NewSigningKey: ...

    @overload
    def post(
        self,
        path: Literal["/screeners/{id}/quota-forecast"],
        *,
        id: str,
        body: Optional[models.ScreenerQuotaForecastInput] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerQuotaForecast: ...

    @overload
    def post(
        self,
        path: Literal["/screeners/{id}/feasibility"],
        *,
        id: str,
        body: Optional[models.ScreenerFeasibilityInput] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerFeasibility: ...

    @overload
    def post(
        self,
        path: Literal["/participants"],
        *,
        body: models.NewParticipant,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Participant: ...

    @overload
    def post(
        self,
        path: Literal["/participants-erasure"],
        *,
        body: models.ParticipantsErasure,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions/{id}/responses"],
        *,
        id: str,
        body: models.NewScreenerResponses,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSession: ...

    @overload
    def post(
        self,
        path: Literal["/participant-requests/{id}/close"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantRequest: ...

    @overload
    def post(
        self,
        path: Literal["/participant-notes"],
        *,
        body: models.NewParticipantNote,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantNote: ...

    @overload
    def post(
        self,
        path: Literal["/mail-suppressions"],
        *,
        body: models.NewMailSuppression,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailSuppression: ...

    @overload
    def post(
        self,
        path: Literal["/screener-participants"],
        *,
        body: models.NewScreenerParticipant,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerParticipant: ...

    @overload
    def post(
        self,
        path: Literal["/screener-participants-import"],
        *,
        body: models.ScreenerParticipantsImport,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Union[Union[List[models.ScreenerParticipant], models.Job], models.Job]: ...

    @overload
    def post(
        self,
        path: Literal["/screener-participants-removal"],
        *,
        body: models.ScreenerParticipantsRemoval,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/workspace/sandbox-reset"],
        *,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions"],
        *,
        body: models.NewScreenerSession,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Union[Union[models.ScreenerSession, List[models.ScreenerSession]], models.ScreenerSession, models.Job]: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions/{id}/review"],
        *,
        id: str,
        body: models.NewReview,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSession: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions/{id}/override"],
        *,
        id: str,
        body: models.NewOverride,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSession: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions-move"],
        *,
        body: models.ScreenerSessionsMove,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/screener-quotas/{id}/recount"],
        *,
        id: str,
        body: Optional[models.ScreenerQuotaRecount] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/screener-quotas/{id}/offer"],
        *,
        id: str,
        body: Optional[models.ScreenerQuotaOffer] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/screener-sessions-review"],
        *,
        body: models.ScreenerSessionsReview,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/jobs/{id}/apply"],
        *,
        id: str,
        body: Optional[models.JobApply] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/jobs/{id}/undo"],
        *,
        id: str,
        body: Optional[models.JobUndo] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/jobs/{id}/retry"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/workspace/images"],
        *,
        body: models.NewImage,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Image: ...

    @overload
    def post(
        self,
        path: Literal["/workspace/mail/test"],
        *,
        body: models.NewMailTest,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailTest: ...

    @overload
    def post(
        self,
        path: Literal["/mailings"],
        *,
        body: models.NewMailing,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def post(
        self,
        path: Literal["/mailings-preview"],
        *,
        body: models.NewMailingPreview,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailingPreview: ...

    @overload
    def post(
        self,
        path: Literal["/mailings-test"],
        *,
        body: models.NewMailingTest,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailTest: ...

    @overload
    def post(
        self,
        path: Literal["/mailings/{id}/pause"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Mailing: ...

    @overload
    def post(
        self,
        path: Literal["/mailings/{id}/resume"],
        *,
        id: str,
        body: Optional[models.MailingResume] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Mailing: ...

    @overload
    def post(
        self,
        path: Literal["/mailings/{id}/stop"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Mailing: ...

    @overload
    def post(
        self,
        path: Literal["/webhook-endpoints"],
        *,
        body: models.NewWebhookEndpoint,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookEndpointWithSecret: ...

    @overload
    def post(
        self,
        path: Literal["/webhook-endpoints/{id}/rotate-secret"],
        *,
        id: str,
        body: Optional[models.WebhookSecretRotation] = None,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookEndpointWithSecret: ...

    @overload
    def post(
        self,
        path: Literal["/webhook-deliveries/{id}/retry"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookDelivery: ...

    @overload
    def post(
        self,
        path: Literal["/webhook-endpoints/{id}/test"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookDelivery: ...

    @overload
    def post(
        self,
        path: Literal["/webhook-endpoints/{id}/replay"],
        *,
        id: str,
        body: models.WebhookReplayRequest,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookReplay: ...

    def post(self, path: str, **options: Any) -> Any:
        return self._call("POST", path, **options)

    @overload
    def patch(
        self,
        path: Literal["/screeners/{id}"],
        *,
        id: str,
        body: models.ScreenerChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Screener: ...

    @overload
    def patch(
        self,
        path: Literal["/screeners/{id}/translations/{language}"],
        *,
        id: str,
        language: str,
        body: models.ScreenerTranslationChangeInput,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerTranslation: ...

    @overload
    def patch(
        self,
        path: Literal["/screener-publications/{id}"],
        *,
        id: str,
        body: models.ScreenerPublicationChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerPublication: ...

    @overload
    def patch(
        self,
        path: Literal["/screener-quotas/{id}"],
        *,
        id: str,
        body: models.ScreenerQuotaChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerQuota: ...

    @overload
    def patch(
        self,
        path: Literal["/screener-links/{id}"],
        *,
        id: str,
        body: models.ScreenerLinkChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerLink: ...

    @overload
    def patch(
        self,
        path: Literal["/participants/{id}"],
        *,
        id: str,
        body: models.ParticipantChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Participant: ...

    @overload
    def patch(
        self,
        path: Literal["/workspace/appearance"],
        *,
        body: models.AppearanceChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Appearance: ...

    @overload
    def patch(
        self,
        path: Literal["/workspace/mail"],
        *,
        body: models.MailSettingsChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailSettings: ...

    @overload
    def patch(
        self,
        path: Literal["/webhook-endpoints/{id}"],
        *,
        id: str,
        body: models.WebhookEndpointChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookEndpoint: ...

    @overload
    def patch(
        self,
        path: Literal["/workspace/users/{id}"],
        *,
        id: str,
        body: models.UserChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.User: ...

    def patch(self, path: str, **options: Any) -> Any:
        return self._call("PATCH", path, **options)

    @overload
    def delete(
        self,
        path: Literal["/screeners/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def delete(
        self,
        path: Literal["/screeners/{id}/translations/{language}"],
        *,
        id: str,
        language: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerTranslation: ...

    @overload
    def delete(
        self,
        path: Literal["/screener-links/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerLink: ...

    @overload
    def delete(
        self,
        path: Literal["/participants/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def delete(
        self,
        path: Literal["/screener-sessions/{id}/responses"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def delete(
        self,
        path: Literal["/participant-notes/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ParticipantNote: ...

    @overload
    def delete(
        self,
        path: Literal["/mail-suppressions/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.MailSuppression: ...

    @overload
    def delete(
        self,
        path: Literal["/screener-participants/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.RemovedScreenerParticipant: ...

    @overload
    def delete(
        self,
        path: Literal["/screener-sessions/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerSession: ...

    @overload
    def delete(
        self,
        path: Literal["/screeners/{id}/test-sessions"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def delete(
        self,
        path: Literal["/jobs/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.Job: ...

    @overload
    def delete(
        self,
        path: Literal["/webhook-endpoints/{id}"],
        *,
        id: str,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WebhookEndpoint: ...

    def delete(self, path: str, **options: Any) -> Any:
        return self._call("DELETE", path, **options)

    @overload
    def put(
        self,
        path: Literal["/screeners/{id}/content"],
        *,
        id: str,
        body: models.ScreenerContentInput,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerContent: ...

    @overload
    def put(
        self,
        path: Literal["/screeners/{id}/translations/{language}"],
        *,
        id: str,
        language: str,
        body: models.ScreenerTranslationFile,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.ScreenerTranslationChanges: ...

    @overload
    def put(
        self,
        path: Literal["/workspace/attributes"],
        *,
        body: models.WorkspaceAttributesInput,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.WorkspaceAttributes: ...

    @overload
    def put(
        self,
        path: Literal["/workspace/words/{language}"],
        *,
        language: str,
        body: models.PageWordsChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PageWords: ...

    @overload
    def put(
        self,
        path: Literal["/screeners/{id}/words/{language}"],
        *,
        id: str,
        language: str,
        body: models.PageWordsChange,
        query: Optional[Mapping[str, object]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> models.PageWords: ...

    def put(self, path: str, **options: Any) -> Any:
        return self._call("PUT", path, **options)
