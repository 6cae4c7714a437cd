// Mailings, a row each: of one study, or of all.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Mailing } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import { KINDS, STATUSES } from "../people/mailing-words.ts";
import { inWords } from "../shell/known-words.ts";
import { Time } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { byTime, Table } from "../shell/table.tsx";

interface MailingsProps {
  base: string;
  mailings: readonly Mailing[];
  /** Of the page that they are on. */
  path: string;
  order: Order;
  /** The titles of studies, by their ids. Undefined: all mailings are of one. */
  titles?: ReadonlyMap<string, string>;
}

export function Mailings({ base, mailings, path: at, order, titles }: MailingsProps): VNode {
  return (
    <Table
      columns={["Name", ...(titles ? ["Study"] : []), "Kind", "State", "Sent", "Waiting", byTime("Made")]}
      sorting={{ path: at, at: order.sort }}
    >
      {mailings.map(({ id, name, screenerId, kind, status, messages, createdAt }) => {
        const [word, look] = STATUSES[status];
        const path = `${base}/console/studies/${screenerId}/messages`;
        return (
          <tr key={id}>
            <td data-label="Name">
              <a href={`${path}/${id}`}>
                <bdi>{clean(name)}</bdi>
              </a>
            </td>
            {titles && (
              <td data-label="Study">
                <a href={path}>
                  <bdi>{clean(titles.get(screenerId)!)}</bdi>
                </a>
              </td>
            )}
            <td data-label="Kind">{inWords(KINDS, kind)}</td>
            <td data-label="State">
              <span class={`state state-${look}`}>{word}</span>
            </td>
            <td data-label="Sent">{shown(messages.SENT!)}</td>
            <td data-label="Waiting">{shown(messages.READY! + messages.DEFERRED!)}</td>
            <td data-label="Made">
              <Time at={createdAt!} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
