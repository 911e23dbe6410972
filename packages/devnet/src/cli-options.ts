import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface CliOptions {
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  /** Whether to stop when the standard input ends. */
  readonly stdin: boolean;
  readonly autoMine: boolean;
  readonly rpcHost: string;
  readonly rpcPort: number;
  readonly p2pPort: number;
  readonly difficulty: number;
  /** Versions and their heights, such as `16:1,17:40,18:60`. */
  readonly forks: string | undefined;
  /** Blocks to mine at the start. */
  readonly blocks: number;
  /** Recipient of these blocks; account 0 when absent. */
  readonly address: string | undefined;
  readonly dataDir: string | undefined;
  readonly peers: readonly string[];
}

/** A command line that cannot be understood; the message says why. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** Text of `--help`. */
export const HELP = `Usage: monero-devnet [OPTIONS]

Starts a Monero node of a private chain, for tests, and prints where it listens. It mines at once, over its RPC
(generateblocks), and forgets everything when it stops: on Ctrl-C, SIGTERM, or the RPC call stop_daemon.

  --blocks N        mine N blocks at the start (0)
  --address A       to this address instead of account 0
  --auto-mine       mine a block for each transaction
  --json            print one line of JSON
  --stdin           stop when the standard input ends, as when the parent process ends
  --rpc-port N      a free port by default
  --rpc-host IP     127.0.0.1 by default; whoever reaches it controls the node
  --p2p-port N      a free port by default
  --peer HOST:PORT  connect to a node of this chain; may be repeated
  --difficulty N    of every block (1)
  --forks LIST      hard forks and their heights, such as 16:1,17:40,18:60
  --data-dir DIR    keep the chain in this folder
  --version         print the version
  --help            print this text
`;

const MAX_PORT = 65_535;

function wholeNumber(name: string, text: string | undefined, bounds: readonly [number, number]) {
  const [least, most] = bounds;
  const number = text === undefined ? least : Number(text);
  if (text !== undefined && !/^\d+$/.test(text))
    throw new CliError(`--${name}: a number expected, not '${text}'`);
  if (number < least || number > most)
    throw new CliError(`--${name}: a number from ${least} to ${most} expected`);
  return number;
}

/** Reads a command line. Throws CliError. */
export function parseCliOptions(argv: readonly string[]): CliOptions {
  const values = parse(argv);
  const port = (name: 'rpc-port' | 'p2p-port') => wholeNumber(name, values[name], [0, MAX_PORT]);
  return {
    help: values.help,
    version: values.version,
    json: values.json,
    stdin: values.stdin,
    autoMine: values['auto-mine'],
    rpcHost: values['rpc-host'],
    rpcPort: port('rpc-port'),
    p2pPort: port('p2p-port'),
    difficulty: wholeNumber('difficulty', values.difficulty, [1, Number.MAX_SAFE_INTEGER]),
    forks: values.forks,
    blocks: wholeNumber('blocks', values.blocks, [0, 1_000_000]),
    address: values.address,
    dataDir: values['data-dir'],
    peers: values.peer,
  };
}

function parse(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: flag,
        version: flag,
        json: flag,
        stdin: flag,
        'auto-mine': flag,
        blocks: text,
        address: text,
        'rpc-port': text,
        'p2p-port': text,
        difficulty: text,
        forks: text,
        'data-dir': text,
        'rpc-host': { type: 'string', default: '127.0.0.1' },
        peer: { type: 'string', multiple: true, default: [] as string[] },
      },
    }).values;
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}
