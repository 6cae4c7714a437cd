// Checks mail: whether the relay takes it, and whether what receivers look at in the DNS says that it may send for the domain.

import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";
import type { MailConfig } from "../base/settings/mail.ts";
import { Relay } from "../mail/relay/relay.ts";
import { error, type Finding, warning } from "./finding.ts";

/** A name server that is silent says nothing about mail. */
const MAX_DNS_MS = 3000;

/** @param names asks the name servers */
export async function checkMail(
  config: MailConfig,
  names: Names = new Resolver({ timeout: MAX_DNS_MS, tries: 1 }),
): Promise<Finding[]> {
  let isSilent = false;
  const texts = async (name: string): Promise<string[] | undefined> => {
    try {
      return (await names.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (cause) {
      if (isNoRecord(cause)) return [];
      isSilent = true;
      return undefined;
    }
  };
  const domain = config.from.address.split("@")[1]!;
  const found = await Promise.all([
    checkRelay(config),
    checkSpf(domain, texts),
    checkDkim(config, domain, texts),
    checkDmarc(domain, texts),
    checkInbound(config, names),
  ]);
  if (isSilent) {
    const advice = "see that this machine can ask its name servers, and run doctor again";
    found.push([
      warning(`the DNS does not answer, so nobody knows whether it lets the service send as ${domain}`, advice),
    ]);
  }
  return found.flat();
}

/** Asks the DNS. Where mail comes back, also for mail servers. */
type Names = Pick<Resolver, "resolveTxt"> & Partial<Pick<Resolver, "resolveMx">>;

/** The texts that the DNS has for a name. Undefined: it does not answer. */
type Texts = (name: string) => Promise<string[] | undefined>;

async function checkRelay(config: MailConfig): Promise<Finding[]> {
  const trouble = await new Relay(config).check();
  if (trouble === undefined) return [];
  const advice = /certificate/.test(trouble)
    ? "see docs/operations.md, Mail: the relay's certificate is checked, unless it is on this machine"
    : "see that SMTP_URL is right, and that a firewall lets this machine through";
  return [error(`no mail can be sent. ${trouble.replace(/\.$/, "")}`, advice)];
}

async function checkSpf(domain: string, texts: Texts): Promise<Finding[]> {
  const records = (await texts(domain))?.filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (!records || records.length === 1) return [];
  if (records.length)
    return [error(`${domain} has ${records.length} SPF records, so none of them counts`, "make one of them")];
  const advice = "add a TXT record that names the relay, such as: v=spf1 include:… -all. Its provider says how";
  return [warning(`${domain} has no SPF record: receivers may refuse its mail`, advice)];
}

async function checkDkim({ dkim }: MailConfig, from: string, texts: Texts): Promise<Finding[]> {
  if (!dkim) return [];
  const findings: Finding[] = [];
  const isAligned = from === dkim.domain || from.endsWith(`.${dkim.domain}`) || dkim.domain.endsWith(`.${from}`);
  if (!isAligned)
    findings.push(
      warning(
        `the domain that signs (${dkim.domain}) is not that of MAIL_FROM (${from})`,
        "set MAIL_DKIM_DOMAIN to it",
      ),
    );
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  const found = await texts(name);
  if (!found) return findings;
  const published = found.map((text) => /(?:^|;)\s*p=([^;]*)/i.exec(text)?.[1]?.replaceAll(/\s/g, "") ?? "");
  const record = recordOf(dkim.privateKey);
  if (!published.length)
    findings.push(
      error(`${name} has no TXT record: nobody can check the signatures`, `add one that says: ${record.text}`),
    );
  else if (!published.includes(record.key))
    findings.push(error(`${name} has another key than MAIL_DKIM_KEY_FILE`, `make its TXT record say: ${record.text}`));
  return findings;
}

/** What the DNS should say of a key (RFC 6376, RFC 8463). */
function recordOf(privateKey: string): { key: string; text: string } {
  const publicKey = createPublicKey(privateKey);
  const isEd25519 = publicKey.asymmetricKeyType === "ed25519";
  const der = publicKey.export({ type: "spki", format: "der" });
  // Of Ed25519 the 32 bytes themselves.
  const key = (isEd25519 ? der.subarray(-32) : der).toString("base64");
  return { key, text: `v=DKIM1; k=${isEd25519 ? "ed25519" : "rsa"}; p=${key}` };
}

async function checkDmarc(domain: string, texts: Texts): Promise<Finding[]> {
  // That of a domain above counts, too.
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    const records = await texts(`_dmarc.${name}`);
    if (!records || records.some((text) => /^v=DMARC1(?:;|\s|$)/i.test(text))) return [];
  }
  const advice = `add a TXT record to _dmarc.${domain}, at first: v=DMARC1; p=none`;
  return [warning(`${domain} has no DMARC record: large providers may refuse its mail`, advice)];
}

async function checkInbound({ inbound }: MailConfig, names: Names): Promise<Finding[]> {
  if (!inbound) return [];
  try {
    if ((await names.resolveMx?.(inbound.domain))?.length !== 0) return [];
  } catch (cause) {
    if (!isNoRecord(cause)) return [];
  }
  const advice =
    "add an MX record that names the mail server which brings it: docs/operations.md, Mail that comes back";
  return [error(`${inbound.domain} has no MX record: what comes back to MAIL_INBOUND arrives nowhere`, advice)];
}

function isNoRecord(cause: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes((cause as NodeJS.ErrnoException).code ?? "");
}
