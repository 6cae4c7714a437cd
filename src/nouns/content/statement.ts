// What a text between questions is sent as, and shown as.

import * as v from "valibot";
import { closedObject, requiredText, sentBack, uuid } from "../../base/schemas.ts";
import { condition, conditionView, flag, label, nullableText, text } from "../question-types/entries.ts";
import { STATEMENT, type Statement, type StatementImage } from "./content.ts";
import { elements, labelOf, members } from "./incomplete/raw.ts";

const MAX_ALTERNATIVE = 500;

export const StatementView = v.pipe(
  v.object({
    _type: v.literal(STATEMENT),
    id: uuid,
    text: v.pipe(nullableText, v.description("Null, and no image: a line")),
    image: v.optional(
      v.pipe(
        v.object({ id: uuid, alternativeText: v.string(), width: v.number(), height: v.number() }),
        v.title("StatementImage"),
        v.description("Missing where there is none"),
      ),
    ),
    showWhen: conditionView,
    fixed: v.optional(v.literal(true)),
  }),
  v.title("ScreenerStatement"),
);

const ImageInput = v.pipe(
  closedObject({
    ...sentBack("width", "height"),
    id: v.pipe(v.string("must be the id of an image"), v.description("Of an image of the workspace")),
    alternativeText: v.pipe(
      requiredText(MAX_ALTERNATIVE),
      v.description("What it shows, for those who do not see it. Plain text, which is translated"),
    ),
  }),
  v.title("StatementImageInput"),
);

export const StatementInput = v.pipe(
  closedObject({
    _type: v.literal(STATEMENT),
    id: label,
    text: v.pipe(text(5000), v.description("Without it and without an image, it is a line")),
    image: v.optional(v.nullable(ImageInput)),
    showWhen: v.optional(condition),
    fixed: flag,
  }),
  v.title("ScreenerStatementInput"),
);

/** The images of a workspace, as far as a draft may show them. */
export type KnownImages = ReadonlyMap<string, Pick<StatementImage, "width" | "height">>;

/** The ids of the images that a draft shows, as it was sent. */
export function imageIdsIn(body: unknown): string[] {
  const statements = elements(members(body).pages).flatMap((page) => elements(members(page).questions));
  return [...new Set(statements.flatMap((one) => labelOf(members(one).image) ?? []))];
}

/** What is wrong with the image of a statement, as it was sent, besides its members. */
export function imageFault(raw: unknown, known: KnownImages): string | undefined {
  const { image } = members(raw);
  if (typeof members(image).id !== "string" || known.has(labelOf(image) ?? "")) return undefined;
  return "is no image of this workspace: send its file first";
}

/** A statement as it is kept. @param input undefined: it does not fit its schema */
export function draftedStatement(
  { text: sent, image, fixed }: Partial<v.InferOutput<typeof StatementInput>> = {},
  { id, showWhen }: Pick<Statement, "id" | "showWhen">,
  known: KnownImages,
): Statement {
  const found = image ? known.get(labelOf(image) ?? "") : undefined;
  return {
    _type: STATEMENT,
    id,
    text: sent?.trim() || null,
    ...(image &&
      found && {
        image: {
          id: labelOf(image)!,
          alternativeText: image.alternativeText,
          width: found.width,
          height: found.height,
        },
      }),
    showWhen,
    ...(fixed && { fixed: true as const }),
  };
}

/** Whether it is only a line. */
export const isLine = ({ text: own, image }: Statement) => own === null && image === undefined;
