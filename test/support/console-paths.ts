// The pages of the console: each that an address opens, with ids of what there is.

import { consolePages } from "../../src/console/routes.ts";
import type { World } from "./world.ts";

/** What stands for the parameters of paths. */
const idsOf = (world: World): Record<string, string> => ({
  studies: world.screener,
  people: world.participant,
  jobs: world.job,
  deliveries: world.webhookDelivery,
  webhooks: world.webhookEndpoint,
  requests: world.request,
  ":language": "de",
  ":quota": world.quota,
  ":session": world.session,
  ":link": world.link,
  ...(world.mailing && { ":mailing": world.mailing }),
});

/** The paths of all pages, but for those of what the workspace does not have. */
export function pagesWith(world: World): string[] {
  const ids = idsOf(world);
  return consolePages
    .filter(({ method, isJson, path }) => method === "get" && !isJson && !/[{*]|\.\w+$/.test(path))
    .map(({ path }) =>
      path.replaceAll(/(\w+)\/(:id)\b|:\w+/g, (whole, noun) =>
        noun === undefined ? (ids[whole] ?? whole) : `${noun}/${ids[noun] ?? ":id"}`,
      ),
    )
    .filter((path) => !path.includes(":"));
}
