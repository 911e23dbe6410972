import type { Logger } from '@monero-node/base';
import type { FinishedCall, OnCall } from '@monero-node/rpc';

/** Categories of the lines, by the way that the call came. */
const CATEGORIES = {
  http: 'net.http',
  zmq: 'net.zmq',
  local: 'daemon.rpc',
} as const satisfies Record<FinishedCall['interface'], string>;
/** Names of clients without an address. */
const NAMELESS = {
  http: 'local',
  zmq: 'local',
  local: 'console',
} as const satisfies Record<FinishedCall['interface'], string>;

/** Logs calls of RPC clients, so that abuse of a public node can be traced. */
export interface CallLogger {
  readonly onCall: OnCall;
  /** Returns whether calls through HTTP are logged now. */
  readonly writesCalls: () => boolean;
}

/** Returns a logger of calls whose lines go to `logger`. */
export function callLogger(logger: Logger): CallLogger {
  const loggers = {
    http: logger.child(CATEGORIES.http),
    zmq: logger.child(CATEGORIES.zmq),
    local: logger.child(CATEGORIES.local),
  };
  const writes = (one: Logger): boolean => one.writes?.('info') !== false;
  const onCall: OnCall = (call) => {
    const log = loggers[call.interface];
    if (!writes(log)) return;
    const outcome = call.isSent ? call.status : 'cut off';
    const milliseconds = (1000 * call.seconds).toFixed(1);
    const client = call.address ?? NAMELESS[call.interface];
    log.info(`${client} ${call.request}: ${outcome}, ${milliseconds} ms, ${call.bytes} bytes`);
  };
  return { onCall, writesCalls: () => writes(loggers.http) };
}
