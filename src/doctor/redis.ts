// Checks Redis, and that somebody takes the jobs.

import { error, type Finding, warning } from "./finding.ts";

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
