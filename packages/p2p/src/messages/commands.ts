/** The minimum cost of a message to its sender. */
export interface MessageCost {
  /** Milliseconds of CPU time: handling it may also take time elsewhere, such as in threads. */
  readonly milliseconds: number;
  /** Honest peers send only a few of these a minute. */
  readonly isRare: boolean;
}

/** A Levin command. */
interface CommandRow {
  /** Source: src/p2p/p2p_protocol_defs.h and src/cryptonote_protocol/cryptonote_protocol_defs.h. */
  readonly number: number;
  /** Whether Levin itself answers it ('request') or it is sent without an answer in Levin's sense ('notification'). */
  readonly kind: 'request' | 'notification';
  /** Largest body in bytes. Source: get_max_bytes in src/cryptonote_basic/connection_context.cpp. */
  readonly bodyLimit: number;
  readonly cost: MessageCost;
  /** Whether its answer can be long, so that the next message of the peer waits until most of it is sent. */
  readonly hasLongAnswer?: true;
  /** Whether peers over Tor and I2P may send it: introductions and transactions. */
  readonly isForHidden?: true;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const rare = (milliseconds: number): MessageCost => ({ milliseconds, isRare: true });
const common = (milliseconds: number): MessageCost => ({ milliseconds, isRare: false });
/** Received only when asked for. */
const FREE: MessageCost = common(0);

const ROWS = {
  handshake: {
    number: 1001,
    kind: 'request',
    bodyLimit: 64 * KIB,
    cost: rare(5),
    isForHidden: true,
  },
  timedSync: {
    number: 1002,
    kind: 'request',
    bodyLimit: 64 * KIB,
    cost: rare(5),
    isForHidden: true,
  },
  ping: { number: 1003, kind: 'request', bodyLimit: 4 * KIB, cost: rare(1) },
  supportFlags: { number: 1007, kind: 'request', bodyLimit: 4 * KIB, cost: rare(1) },
  newBlock: { number: 2001, kind: 'notification', bodyLimit: 128 * MIB, cost: common(2) },
  newTransactions: {
    number: 2002,
    kind: 'notification',
    bodyLimit: 128 * MIB,
    cost: common(0.5),
    isForHidden: true,
  },
  requestObjects: {
    number: 2003,
    kind: 'notification',
    bodyLimit: 2 * MIB,
    cost: common(1),
    hasLongAnswer: true,
  },
  responseObjects: { number: 2004, kind: 'notification', bodyLimit: 128 * MIB, cost: FREE },
  requestChain: {
    number: 2006,
    kind: 'notification',
    bodyLimit: 512 * KIB,
    cost: rare(10),
    hasLongAnswer: true,
  },
  responseChain: { number: 2007, kind: 'notification', bodyLimit: 4 * MIB, cost: FREE },
  newFluffyBlock: { number: 2008, kind: 'notification', bodyLimit: 4 * MIB, cost: common(2) },
  requestFluffyMissing: {
    number: 2009,
    kind: 'notification',
    bodyLimit: MIB,
    cost: rare(10),
    hasLongAnswer: true,
  },
  txpoolComplement: {
    number: 2010,
    kind: 'notification',
    bodyLimit: 4 * MIB,
    cost: rare(50),
    hasLongAnswer: true,
  },
} as const satisfies Record<string, CommandRow>;

type CommandName = keyof typeof ROWS;
type NameOf<Kind> = {
  [Name in CommandName]: (typeof ROWS)[Name]['kind'] extends Kind ? Name : never;
}[CommandName];

/** Handlers of all commands of a kind, so that the compiler asks for one that is missing. */
export type HandlersOf<Kind extends CommandRow['kind'], Handler> = Readonly<
  Record<NameOf<Kind>, Handler>
>;

const names = Object.keys(ROWS) as CommandName[];
const byNumber = new Map<number, CommandRow>(names.map((name) => [ROWS[name].number, ROWS[name]]));

/** Command numbers. */
export const COMMANDS = Object.fromEntries(names.map((name) => [name, ROWS[name].number])) as {
  readonly [Name in CommandName]: (typeof ROWS)[Name]['number'];
};

/** Returns handlers by the numbers of their commands. */
export function handlersByNumber<Handler>(
  handlers: Partial<Record<CommandName, Handler>>,
): ReadonlyMap<number, Handler> {
  return new Map(
    (Object.entries(handlers) as [CommandName, Handler][]).map(([name, handler]) => [
      COMMANDS[name],
      handler,
    ]),
  );
}

/** Returns the most bytes that a body of `command` may have; Infinity for a command we do not know, which only the packet limit bounds. */
export function bodyLimit(command: number): number {
  return byNumber.get(command)?.bodyLimit ?? Infinity;
}

const UNKNOWN = rare(1);

/** Returns the cost of a message that a peer sends of its own accord. */
export function costOf(command: number): MessageCost {
  return byNumber.get(command)?.cost ?? UNKNOWN;
}

/** Returns whether the answer to a message of that command can be long. */
export function hasLongAnswer(command: number): boolean {
  return byNumber.get(command)?.hasLongAnswer ?? false;
}

/** Returns whether peers over Tor and I2P may send that command. */
export function isForHidden(command: number): boolean {
  return byNumber.get(command)?.isForHidden ?? false;
}
