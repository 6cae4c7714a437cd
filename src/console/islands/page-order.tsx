// In the builder: whether a page's questions, and the page among others, are shown in an order by chance.

import type { JSX } from "preact";
import type { Page } from "../../nouns/content/content.ts";
import { withFlag } from "./drafts/edits.ts";
import { Box, TextField } from "./inputs.tsx";
import { changePage, errors } from "./state/draft.ts";

export function PageOrder({ page }: { page: Page }): JSX.Element {
  const { id, shuffle, shuffleBlock, fixed } = page;
  const set = (next: (page: Page) => Page, mark = "") => changePage(id, next, mark);
  const isOpen = shuffle || shuffleBlock !== undefined || errors.value.has(`p:${id}/shuffleBlock`);
  return (
    <details class="more" open={isOpen}>
      <summary>Order by chance</summary>
      <Box
        id={`${id}-shuffle`}
        label="Shuffle the questions: each person sees them in an order by chance"
        isTicked={shuffle ?? false}
        onTick={(isTicked) => set((one) => withFlag(one, "shuffle", isTicked))}
      />
      <TextField
        id={`${id}-block`}
        at={`p:${id}/shuffleBlock`}
        label="Block of this page"
        hint="Pages with the same block stand next to each other. Each person sees them in an order by chance. Any name will do, such as “Concepts”."
        value={shuffleBlock ?? null}
        onText={(text) =>
          set(({ shuffleBlock: _, ...one }) => (text ? { ...one, shuffleBlock: text } : one), `${id}-block`)
        }
      />
      {shuffleBlock !== undefined && (
        <Box
          id={`${id}-fixed`}
          label="Keeps its position in the block"
          isTicked={fixed ?? false}
          onTick={(isTicked) => set((one) => withFlag(one, "fixed", isTicked))}
        />
      )}
    </details>
  );
}
