// What is wrong with the texts of a translated file: a line each, with where the text is in the study and in the file.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ProblemDocument } from "../../base/problems.ts";
import { counted } from "../../languages/counted.ts";
import type { TextPlace } from "../../nouns/translations/page.ts";
import { unitId } from "../../nouns/translations/xliff-write.ts";
import { Table } from "../shell/table.tsx";
import { positionInWords } from "./positions.ts";

/** What is wrong with one text of a file. */
interface WrongText {
  /** Of the text. */
  id: string;
  line: number | undefined;
  message: string;
}

/** A file that can't be taken, because of some of its texts. */
export interface BrokenFile {
  name: string;
  format: "csv" | "xliff";
  texts: readonly WrongText[];
  /** How many faults there are, also those that are not listed. */
  count: number;
}

/** Undefined: something is wrong with the file as a whole. */
export function brokenTexts({
  errors = [],
  errorCount = errors.length,
}: ProblemDocument): Pick<BrokenFile, "texts" | "count"> | undefined {
  if (!errors.length || errors.some(({ pointer }) => !pointer.startsWith("/"))) return undefined;
  const texts = errors.map(({ pointer, line, message }) => ({ id: pointer.slice(1), line, message }));
  return { texts, count: errorCount };
}

interface BrokenProps {
  broken: BrokenFile;
  places: readonly TextPlace[];
  /** The path of the table of texts, and how many it shows on a page. */
  path: string;
  limit: number;
  base: { language: string; direction: string };
}

export function Broken({ broken: { name, format, texts, count }, places, path, limit, base }: BrokenProps): VNode {
  const byId = new Map(places.map((place) => [place.id, place]));
  return (
    <section class="card" aria-labelledby="broken">
      <h2 id="broken">
        What is wrong in <bdi>{clean(name)}</bdi>
      </h2>
      <p>Nothing in the file is saved. Fix these texts in it, and send it again.</p>
      <Table columns={["Text", "In the file", "What is wrong"]} of="translations broken">
        {texts.map(({ id, line, message }) => {
          const place = byId.get(id);
          return (
            <tr key={`${id} ${line}`}>
              <td data-label="Text">{place && <Place place={place} {...{ path, limit, base }} />}</td>
              <td data-label="In the file">
                {line !== undefined && `Line ${line}`}
                <span class="note">{format === "xliff" ? `unit ${clean(unitId(id))}` : `id ${clean(id)}`}</span>
              </td>
              <td data-label="What is wrong">{clean(sentenceOf(message))}</td>
            </tr>
          );
        })}
      </Table>
      {count > texts.length && <p>… and {counted(count - texts.length, "more", "more")}</p>}
    </section>
  );
}

type PlaceProps = Pick<BrokenProps, "path" | "limit" | "base"> & { place: TextPlace };

/** A text as the study has it, which leads to its translation. */
function Place({ place: { index, pointer, text, of }, path, limit, base }: PlaceProps): VNode {
  const page = Math.floor(index / limit) + 1;
  const own = { lang: base.language, dir: "auto" } as const;
  return (
    <>
      <a href={`${page > 1 ? `${path}?page=${page}` : path}#text-${index % limit}`} {...own}>
        {clean(short(text))}
      </a>
      <span class="note">
        {of !== null && (
          <>
            of <bdi {...own}>{clean(short(of))}</bdi>:{" "}
          </>
        )}
        {positionInWords(pointer)}
      </span>
    </>
  );
}

const MAX_SHOWN = 200;

const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).trimEnd()}…` : text);

/** A message that follows the name of a text, alone. */
const sentenceOf = (message: string) => `${message[0]!.toUpperCase()}${message.slice(1)}.`;
