// Checks what is around the service. The address that participants' links begin with: whether it leads here, and whether a proxy in
// between lets the service's requests through. Redis, and that somebody takes the jobs.

import { ask } from "../base/ask.ts";
import type { Config } from "../base/config.ts";
import { error, type Finding, warning } from "./finding.ts";

export async function checkAddress({ publicUrl, importMaxBytes, trustProxy }: Config): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = /^(localhost|127\.|\[::1\]|0\.0\.0\.0|\[::\])/.test(hostname);
  const findings: Finding[] = [];
  if (isLocal) {
    const advice = "set PUBLIC_URL to the address that participants use";
    findings.push(warning(`participants' links begin with ${publicUrl}, which leads nowhere but here`, advice));
  } else {
    if (protocol === "http:")
      findings.push(
        warning(`PUBLIC_URL ${publicUrl} is not encrypted`, "use https:// through a proxy with a certificate"),
      );
    if (!trustProxy)
      findings.push(
        warning(
          "all callers behind a proxy count as one, because TRUST_PROXY is false",
          "set TRUST_PROXY=true if a proxy of yours runs in front",
        ),
      );
  }
  const health = await ask(`${publicUrl}/healthz`);
  const start = isLocal
    ? "start the service (`npm start`)"
    : "see that the service runs and that the proxy leads to it";
  if ("reason" in health) return [...findings, error(`${publicUrl} does not answer: ${health.reason}`, start)];
  if (health.status !== 200 || !health.text.startsWith('{"status":"ok"')) {
    const path = "the proxy must lead this address, with its whole path, to the service";
    return [...findings, error(`${publicUrl}/healthz is not answered by this service (${health.status})`, path)];
  }
  const upload = await ask(`${publicUrl}/screener-participants-import`, importMaxBytes);
  // Without credentials the service refuses it before it reads the body.
  if ("status" in upload && upload.status === 413) {
    const advice = "allow it in the proxy: in nginx, client_max_body_size";
    findings.push(error(`a proxy refuses imports of ${importMaxBytes} bytes (IMPORT_MAX_BYTES)`, advice));
  }
  return findings;
}

const ADVICE: [RegExp, string][] = [
  [/NOAUTH|WRONGPASS|invalid password|without any password/i, "set the user and the password in REDIS_URL"],
  [/ENOTFOUND|EAI_AGAIN/, "see that the host in REDIS_URL is right"],
  [/ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENOENT/, "see that Redis runs where REDIS_URL says"],
];

/** @param installation the installation's id: several may share a Redis */
export async function checkRedis(redisUrl: string, installation: string): Promise<Finding[]> {
  // A third of the code that a command would load, and only this one needs it.
  const { diagnoseRedis } = await import("../engine/carriers/diagnose.ts");
  const { trouble, policy, workers } = await diagnoseRedis(redisUrl, installation);
  if (trouble !== undefined) {
    const [, advice] = ADVICE.find(([pattern]) => pattern.test(trouble)) ?? [null, "see Redis' log"];
    return [
      error(`Redis can't be used: ${trouble.replace(/\.$/, "")}`, `${advice}; until then jobs are accepted and wait`),
    ];
  }
  const findings: Finding[] = [];
  if (policy !== undefined && policy !== "noeviction")
    findings.push(
      error(`Redis may remove jobs' tickets: its maxmemory-policy is ${policy}`, "set maxmemory-policy noeviction"),
    );
  if (!workers) findings.push(warning("no worker takes jobs: they wait", "start a worker (`npm run worker`)"));
  return findings;
}
