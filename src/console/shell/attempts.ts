// How often a password may be guessed. After a few wrong ones each further attempt has to wait, longer each time: for an account, those from one
// network together. What others do from elsewhere does not keep the owner out. Only where very many fail from everywhere
// do all strangers to the account wait for each other; a browser in which somebody has signed in to it before does not.

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { FailureLimit, GrowingDelay, networkOf } from "../../base/failure-limit.ts";

/** Attempts that one address has in a minute, for all accounts. Those that succeed do not count. */
export const MAX_ATTEMPTS_OF_ADDRESS = 30;

/** Wrong passwords for an account after which attempts wait: those of one network, and those of all together. They are forgotten after an hour. */
export const FREE_ATTEMPTS_OF_NETWORK = 5;
export const FREE_ATTEMPTS_OF_ACCOUNT = 50;
const FORGOTTEN_SECONDS = 60 * 60;

export const TOO_OFTEN = "That was tried too often. Please wait a while.";

const TOO_OFTEN_HERE =
  "That was tried too often. Please wait a while, use a browser in which you have signed in before, or ask an admin for a link.";

/** Somebody tries a password. */
interface Attempt {
  address: string;
  /** As it is stored. */
  email: string;
  /** Whether the browser has signed in to the account before. */
  isKnown: boolean;
}

interface Counted {
  /** The password was right. */
  succeeded(): Promise<void>;
  /** The password was not looked at. */
  takeBack(): Promise<void>;
}

export class Attempts {
  /** Also of links, and of those who come back from an OpenID provider. */
  readonly addresses = new FailureLimit("sign-in-of-address", MAX_ATTEMPTS_OF_ADDRESS);
  readonly #networks = new GrowingDelay("sign-in-of-account-from-network", {
    free: FREE_ATTEMPTS_OF_NETWORK,
    firstSeconds: 30,
    maxSeconds: 15 * 60,
    forgottenSeconds: FORGOTTEN_SECONDS,
  });
  readonly #accounts = new GrowingDelay("sign-in-of-account", {
    free: FREE_ATTEMPTS_OF_ACCOUNT,
    firstSeconds: 1,
    maxSeconds: 60,
    forgottenSeconds: FORGOTTEN_SECONDS,
  });

  /** Codes of two-factor sign-in. Who tries them knows the password: they count for the account, from wherever. */
  readonly codes = new GrowingDelay("sign-in-codes-of-account", {
    free: FREE_ATTEMPTS_OF_NETWORK,
    firstSeconds: 30,
    maxSeconds: 15 * 60,
    forgottenSeconds: FORGOTTEN_SECONDS,
  });

  /** Counts an attempt before the password is looked at: else many at once would all pass. @throws Problem 429 */
  async count({ address, email, isKnown }: Attempt): Promise<Counted> {
    await this.addresses.count(address, TOO_OFTEN);
    const account = hash("sha256", email);
    const network = `${account} ${isKnown ? "known" : networkOf(address)}`;
    await this.#networks.count(network, TOO_OFTEN);
    if (!isKnown) {
      await this.#accounts.count(account, TOO_OFTEN_HERE).catch(async (refusal) => {
        await this.#networks.takeBack(network);
        throw refusal;
      });
    }
    const takeBack = async () => {
      await this.addresses.forgive(address);
      await this.#networks.takeBack(network);
      if (!isKnown) await this.#accounts.takeBack(account);
    };
    return {
      takeBack,
      succeeded: async () => {
        await takeBack();
        await this.#networks.forget(network);
      },
    };
  }
}

/** What a browser keeps that has signed in to an account. It is worth nothing after the next change of the password. @param password its hash */
export function knownBrowser(email: string, password: string): string {
  return createHmac("sha256", password).update(`a browser of ${email}`).digest("base64url");
}

/** Whether a browser has signed in to an account. @param cookie what it has kept */
export function isKnownBrowser(
  cookie: string | undefined,
  email: string,
  password: string | null | undefined,
): boolean {
  if (cookie === undefined || !password) return false;
  const own = Buffer.from(knownBrowser(email, password));
  const given = Buffer.from(cookie);
  return own.length === given.length && timingSafeEqual(own, given);
}
