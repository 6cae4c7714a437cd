// Loaded before a process: its server gives up on connections that stand still after a third of the time.

import { Server } from "node:http";
import type { Socket } from "node:net";

const setTimeout = Server.prototype.setTimeout as (this: Server, ms: number, late: (socket: Socket) => void) => Server;
Server.prototype.setTimeout = function (this: Server, ms: number, late: (socket: Socket) => void) {
  return setTimeout.call(this, ms / 3, late);
} as typeof Server.prototype.setTimeout;
