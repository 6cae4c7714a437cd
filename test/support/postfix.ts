// Debian's Postfix, on this machine alone: takes mail on a port of its own, has a mailbox, bounces what nobody has, and pipes what comes back.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { findOrInstall } from "./programs.ts";
import { INBOUND, INBOUND_SECRET } from "./returned-mail.ts";

/** Where each address has a mailbox, and where none has one. */
export const BOX = "people.example";
export const EMPTY = "lab.example";

const [, INBOUND_DOMAIN = ""] = INBOUND.split("@");
const SCRIPT = "docs/examples/bring-mail.sh";
const NOBODY = 65_534;

/** Why none can be started here. Undefined: one can. */
export const whyNoPostfix =
  process.getuid?.() === 0 ? undefined : "Postfix starts as root alone, and this is another user.";

export class Postfix {
  readonly #folder = mkdtempSync(join(tmpdir(), "screening-postfix-"));
  readonly #postfix: string;

  /** @param port where it listens, on 127.0.0.1 */
  constructor(port: number) {
    this.#postfix = findOrInstall(["postfix"], "postfix");
    // Each of its processes has another user.
    chmodSync(this.#folder, 0o755);
    for (const name of ["queue", "data", "box"]) mkdirSync(join(this.#folder, name));
    const owner = Number(spawnSync("id", ["-u", "postfix"], { encoding: "utf8" }).stdout);
    chownSync(join(this.#folder, "data"), owner, 0);
    chownSync(join(this.#folder, "box"), NOBODY, NOBODY);
    const script = join(this.#folder, "bring-mail.sh");
    copyFileSync(SCRIPT, script);
    chmodSync(script, 0o755);
    writeFileSync(join(this.#folder, "main.cf"), mainOf(this.#folder));
    writeFileSync(join(this.#folder, "master.cf"), masterOf(port, script));
    this.bringTo("http://127.0.0.1:9");
    this.#run("start");
    after(() => {
      this.#run("stop");
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** Where it brings what comes back. */
  bringTo(url: string): void {
    const path = join(this.#folder, "bring-mail.conf");
    writeFileSync(path, `URL=${url}\nSECRET='${INBOUND_SECRET}'\n`, { mode: 0o400 });
    chownSync(path, NOBODY, NOBODY);
  }

  /** Tries again what waits. */
  flush(): void {
    this.#run("flush");
  }

  get log(): string {
    return readFileSync(join(this.#folder, "log"), "utf8");
  }

  /** The first message in a mailbox, as it came. */
  messageOf(name: string): string {
    const [, ...lines] = readFileSync(join(this.#folder, "box", name), "utf8").split("\n");
    return lines.join("\r\n");
  }

  #run(command: string): void {
    const { status, stderr } = spawnSync(this.#postfix, ["-c", this.#folder, command], { encoding: "utf8" });
    if (status !== 0) throw new Error(`postfix ${command}: ${stderr}`);
  }
}

/** Below the lines that docs/operations.md recommends are those of this test. */
function mainOf(folder: string): string {
  return `recipient_delimiter = +
relay_domains = ${INBOUND_DOMAIN}
relay_recipient_maps = inline:{ ${INBOUND}=ok }
transport_maps = inline:{ { ${INBOUND} = screening: }, { full@${EMPTY} = full: } }
screening_destination_recipient_limit = 1

compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = mx.${EMPTY}
mydestination = ${EMPTY}
local_recipient_maps =
alias_maps =
virtual_mailbox_domains = ${BOX}
virtual_mailbox_base = ${folder}/box
virtual_mailbox_maps = inline:{ ada@${BOX}=ada }
virtual_uid_maps = static:${NOBODY}
virtual_gid_maps = static:${NOBODY}
`;
}

function masterOf(port: number, script: string): string {
  const inner = ["bounce", "defer", "trace"].map((name) => `${name} unix - - n - 0 bounce`);
  const others = [
    "error",
    "retry error",
    "discard",
    "local",
    "virtual",
    "showq",
    "anvil",
    "tlsmgr",
    "proxymap",
    "scache",
  ];
  const plain = others.map((line) => {
    const [name, command = name] = line.split(" ");
    return `${name} unix - ${name === "local" || name === "virtual" ? "n" : "-"} n - - ${command}`;
  });
  return `127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
flush unix n - n 1000? 0 flush
verify unix - - n - 1 verify
postlog unix-dgram n - n - 1 postlogd
smtp unix - - n - - smtp
relay unix - - n - - smtp
${[...inner, ...plain].join("\n")}
screening unix - n n - 4 pipe
  flags=Rq user=nobody argv=${script} \${recipient}
full unix - n n - 1 pipe
  user=nobody argv=/bin/sh -c { echo 5.2.2 The mailbox is full; exit 69 }
`;
}
