// The image of a statement in the builder: chosen, replaced, described and removed.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { isQuestion, type Statement, type StatementImage } from "../../nouns/content/content.ts";
import { Button, TextField } from "./inputs.tsx";
import { change, content, focusOn, startFresh } from "./state/draft.ts";
import { sendImage } from "./state/saving.ts";

const MAX_MIB = 4;

interface ImageProps {
  statement: Statement;
  onEdit: (statement: Statement, mark?: string) => void;
}

export function ImageField({ statement, onEdit }: ImageProps): JSX.Element {
  const { id, image } = statement;
  const fault = useSignal("");
  const isSending = useSignal(false);
  const field = `${id}-image`;
  const choose = async (file: File | undefined) => {
    if (!file) return;
    fault.value = file.size > MAX_MIB * 1024 * 1024 ? `must be a file of at most ${MAX_MIB} MiB` : "";
    if (fault.value) return;
    isSending.value = true;
    const sent = await sendImage(file).catch(() => "was not sent: the service does not answer. Try again");
    isSending.value = false;
    if (typeof sent === "string") fault.value = sent;
    else {
      if (!image) startFresh(`q:${id}/image`, `${field}-part`);
      show(id, sent);
      if (!image) focusOn(`${field}-text`);
    }
  };
  return (
    <div id={`${field}-part`} class="statement-image">
      <div class={fault.value ? "field field-wrong" : "field"}>
        <label for={field}>{image ? "Another image" : "Image"}</label>
        <p class="note" id={`${field}-hint`}>
          A PNG, JPEG or WebP file of at most {MAX_MIB} MiB. It stands below the text.
        </p>
        <p class="error" id={`${field}-fault`} role="status">
          {fault.value && `Image ${fault.value}`}
          {isSending.value && "Sending …"}
        </p>
        <input
          class="entry"
          type="file"
          id={field}
          accept="image/png,image/jpeg,image/webp"
          aria-invalid={fault.value ? "true" : undefined}
          aria-describedby={`${field}-hint ${field}-fault`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            void choose(file);
            currentTarget.value = "";
          }}
        />
      </div>
      {image && (
        <>
          <p>
            <img
              src={`${document.getElementById("builder")!.dataset.images}/${image.id}.webp`}
              width={image.width}
              height={image.height}
              alt={image.alternativeText || "Not described yet"}
            />
          </p>
          <TextField
            id={`${field}-text`}
            at={`q:${id}/image/alternativeText`}
            label="What the image shows"
            hint="For people who do not see it. It is translated, too."
            value={image.alternativeText}
            onText={(alternativeText) =>
              onEdit({ ...statement, image: { ...image, alternativeText } }, `${field}-text`)
            }
          />
          <Button
            about="the image"
            onPress={() => {
              const { image: _, ...plain } = statement;
              onEdit(plain);
              focusOn(field);
            }}
          >
            Remove the image
          </Button>
        </>
      )}
    </div>
  );
}

/** Puts an image into a statement as it is by now: while the file was sent, it may have been changed or moved. */
function show(statementId: string, { id, width, height }: Pick<StatementImage, "id" | "width" | "height">): void {
  const shown = ({ image }: Statement) => ({ id, alternativeText: image?.alternativeText ?? "", width, height });
  const pages = content.value.pages.map((page) => ({
    ...page,
    questions: page.questions.map((item) =>
      !isQuestion(item) && item.id === statementId ? { ...item, image: shown(item) } : item,
    ),
  }));
  change({ ...content.value, pages });
}
