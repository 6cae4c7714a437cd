// What the builder shows of one page, and of the end.

import type { JSX } from "preact";
import {
  askedIn,
  type Content,
  EMPTY_CONTENT,
  isQuestion,
  type Outcome,
  type Page,
} from "../../nouns/content/content.ts";
import { endPosition } from "../../nouns/content/draft-references.ts";
import { moved, questionsBefore, without } from "./drafts/edits.ts";
import { Box, Button, MoveButtons, TextField } from "./inputs.tsx";
import { AddItem } from "./item-tools.tsx";
import { PageOrder } from "./page-order.tsx";
import { PageSignals } from "./page-signals.tsx";
import { QuestionCard } from "./question-card.tsx";
import { Rule } from "./rule.tsx";
import { change, changePage, content, contentAsRead, END, focusOn, shownPage } from "./state/draft.ts";
import { unfolded } from "./state/unfolding.ts";
import { StatementCard } from "./statement-card.tsx";
import { MarkedField, signsHint } from "./texts.tsx";

export function PageEditor({ page }: { page: Page }): JSX.Element {
  const { id, title, description, questions } = page;
  const { pages } = content.value;
  const index = pages.indexOf(page);
  const edit = (next: Partial<Page>, mark = "") => changePage(id, (one) => ({ ...one, ...next }), mark);
  // Without questions, all of the page are before it, too.
  const before = questionsBefore(contentAsRead.value, id, questions[0]?.id);
  return (
    <>
      <section class="card">
        <div class="card-head">
          <h2 id="shown-page" tabIndex={-1}>
            Page {index + 1}
          </h2>
          <div class="tools">
            <MoveButtons
              about={`page ${index + 1}`}
              index={index}
              of={pages.length}
              onMove={(by) => change({ ...content.value, pages: moved(pages, index, by) })}
            />
            <Button
              about={`page ${index + 1}`}
              onPress={() => {
                shownPage.value = (pages[index + 1] ?? pages[index - 1])?.id ?? END;
                change({ ...content.value, pages: without(pages, index) });
                focusOn("shown-page");
              }}
            >
              Remove
            </Button>
          </div>
        </div>
        <MarkedField
          position={{ page: index }}
          id={`${id}-title`}
          at={`p:${id}/title`}
          label="Heading"
          hint="Without one, people see the study’s title."
          value={title}
          onText={(text) => edit({ title: text || null }, `${id}-title`)}
        />
        <MarkedField
          position={{ page: index }}
          id={`${id}-description`}
          at={`p:${id}/description`}
          label="Text above the questions"
          hint={signsHint()}
          rows={2}
          value={description}
          onText={(text) => edit({ description: text || null }, `${id}-description`)}
        />
        <Rule
          id={`${id}-shown`}
          at={`p:${id}/showWhen`}
          start="Show this page only if"
          none="It is shown in any case."
          condition={page.showWhen}
          questions={() => before}
          onEdit={(showWhen, mark) => edit({ showWhen }, mark)}
        />
        <PageOrder page={page} />
      </section>
      <ol class="cards">
        {questions.map((item, at) => {
          const place = {
            pageId: id,
            index: at,
            of: questions.length,
            isShuffled: page.shuffle ?? false,
            page: index,
            isUnfolded: unfolded.value.get(id) === item.id,
          };
          if (!isQuestion(item)) return <StatementCard key={item.id} statement={item} {...place} />;
          const number = before.length + askedIn({ questions: questions.slice(0, at) }).length + 1;
          return <QuestionCard key={item.id} question={item} number={number} {...place} />;
        })}
      </ol>
      <AfterQuestions page={page} />
    </>
  );
}

function AfterQuestions({ page }: { page: Page }): JSX.Element {
  const { id } = page;
  return (
    <>
      <AddItem page={page} />
      <section class="card">
        <h2>When the page is answered</h2>
        <Rule
          id={`${id}-out`}
          at={`p:${id}/disqualifyWhen`}
          start="Screen out if"
          none="Nobody is screened out by this page."
          condition={page.disqualifyWhen}
          questions={() => questionsBefore(contentAsRead.value, id)}
          onEdit={(disqualifyWhen, mark) => changePage(id, (one) => ({ ...one, disqualifyWhen }), mark)}
        />
        <PageSignals page={page} />
      </section>
    </>
  );
}

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ["QUALIFIED", "Text for people who qualify"],
  ["DISQUALIFIED", "Text for people who are screened out, or come when the study is full"],
  ["UNKNOWN", "Text where no rule decides"],
];

const REDIRECTS: readonly (readonly [Outcome, string])[] = [
  ["QUALIFIED", "Address for people who qualify"],
  ["DISQUALIFIED", "Address for people who are screened out"],
  ["UNKNOWN", "Address where no rule decides"],
];

export function EndEditor(): JSX.Element {
  const { qualifyWhen, thankYou, thankYouByOutcome, redirectByOutcome, signRedirects } = content.value;
  const edit = (next: Partial<Content>, mark = "") => change({ ...content.value, ...next }, mark);
  return (
    <section class="card">
      <h2 id="shown-page" tabIndex={-1}>
        The end
      </h2>
      <Rule
        id="qualify"
        at="end/qualifyWhen"
        start="Qualify only if"
        none="Everybody who is not screened out by a page qualifies."
        condition={qualifyWhen}
        questions={() => contentAsRead.value.pages.flatMap(askedIn)}
        onEdit={(condition, mark) => edit({ qualifyWhen: condition }, mark)}
      />
      <MarkedField
        position={endPosition(content.value, true)}
        id="thanks"
        at="end/thankYou"
        label="Closing text"
        hint={["Without one, people read “Your answers have been sent.”", signsHint()].join(" ")}
        rows={3}
        value={thankYou}
        onText={(text) => edit({ thankYou: text || null }, "thanks")}
      />
      <details class="more" open={thankYouByOutcome !== null}>
        <summary>Other texts by outcome</summary>
        <p class="note">People who read such a text learn whether they have qualified.</p>
        {OUTCOMES.map(([outcome, label]) => (
          <MarkedField
            key={outcome}
            position={endPosition(content.value, outcome === "DISQUALIFIED")}
            id={`thanks-${outcome}`}
            at={`end/thankYouByOutcome/${outcome}`}
            label={label}
            rows={2}
            value={thankYouByOutcome?.[outcome] ?? null}
            onText={(text) => {
              const { [outcome]: _, ...others } = thankYouByOutcome ?? {};
              const texts = text ? { ...others, [outcome]: text } : others;
              const next = Object.keys(texts).length ? texts : EMPTY_CONTENT.thankYouByOutcome;
              edit({ thankYouByOutcome: next }, `thanks-${outcome}`);
            }}
          />
        ))}
      </details>
      <details class="more" open={redirectByOutcome !== undefined || signRedirects === true}>
        <summary>Redirect people by outcome</summary>
        <p class="note">
          To the page of a panel or a scheduler, which begins with https://. These are filled in: {"{reference}"}, the
          reference of the person’s link, which opens nothing; {"{externalUid}"}, their id; {"{attribute:city}"}, their
          attribute city; {"{quotaCode}"}, the name of their quota. People who open the link again later stay here.
        </p>
        {REDIRECTS.map(([outcome, label]) => (
          <TextField
            key={outcome}
            id={`redirect-${outcome}`}
            at={`end/redirectByOutcome/${outcome}`}
            label={label}
            value={redirectByOutcome?.[outcome] ?? null}
            onText={(text) => {
              const { redirectByOutcome: _, ...rest } = content.value;
              const { [outcome]: __, ...others } = redirectByOutcome ?? {};
              const next = text ? { ...others, [outcome]: text } : others;
              const isAny = Object.keys(next).length > 0;
              change({ ...rest, ...(isAny && { redirectByOutcome: next }) }, `redirect-${outcome}`);
            }}
          />
        ))}
        <Box
          id="sign-redirects"
          label="Sign these addresses, with the key that an admin makes at API keys"
          isTicked={signRedirects === true}
          onTick={(isTicked) => {
            const { signRedirects: _, ...rest } = content.value;
            change({ ...rest, ...(isTicked && { signRedirects: true }) });
          }}
        />
      </details>
    </section>
  );
}
