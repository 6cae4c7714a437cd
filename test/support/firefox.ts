// Debian's Firefox for tests, by the protocol that it speaks by itself: WebDriver BiDi.

import { type Browser, firefox } from "playwright-core";
import { findProgram } from "./programs.ts";

/** Where Firefox is on this machine. Tests can do without. */
export const findFirefox = (): string | undefined => findProgram("firefox-esr") ?? findProgram("firefox");

interface Session {
  send(method: string, params: unknown): Promise<unknown>;
}

/** Starts Firefox. Pages have the look of its settings: it can't be given another one. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  // This channel is what speaks BiDi to a Firefox that nobody has patched.
  const browser = await firefox.launch({ channel: "moz-firefox", executablePath });
  // The driver sets a look for each page, and Firefox does not know that command.
  const { _connection } = browser as unknown as {
    _connection: { toImpl(browser: Browser): { _browserSession: Session } };
  };
  const sessions: Session = Object.getPrototypeOf(_connection.toImpl(browser)._browserSession);
  const { send } = sessions;
  sessions.send = function (method, params) {
    return method === "emulation.setMediaFeaturesOverride" ? Promise.resolve({}) : send.call(this, method, params);
  };
  return browser;
}
