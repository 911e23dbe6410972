import { optionMeant } from '../cli/parse-arguments.ts';
import { UsageError } from '../cli/usage-error.ts';

/** Help texts of the options that only the chain tool has. */
export const TOOL_OPTIONS = {
  'input-file': 'FILE  bootstrap file to import',
  'from-monerod':
    'DIR   data directory of a stopped monerod, such as ~/.bitmonero; or its folder lmdb',
  verify: '      verify every block in full, those of the trusted list too',
  json: '        print one line of JSON',
  digests: '     write seed.json with the digests of the copy beside it, for --seed-from',
  restart: '     verify from the first block again',
  signatures:
    '  verify signatures and range proofs, and all rules of the blocks, instead of the rows',
  pow: '         with --signatures: verify proof of work too',
  from: 'N       with --signatures: first block (default: 1)',
  to: 'N         with --signatures: last block (default: the newest)',
  'output-file': 'FILE  file to write',
  'to-monerod': 'DIR     new or empty folder, which becomes the data directory of monerod',
  'block-start': 'N     first block of a new bootstrap file (default: 0)',
  'block-stop': 'N     last block (default: the newest)',
  'batch-size': 'N     number of blocks to import at a time (default: 100)',
  'dangerous-unverified-import':
    '      skip proof of work and signatures; only for what you exported or synchronized yourself',
} as const;

const SWITCHES: ReadonlySet<string> = new Set([
  'dangerous-unverified-import',
  'verify',
  'restart',
  'signatures',
  'pow',
  'json',
  'digests',
]);

export type ToolOption = keyof typeof TOOL_OPTIONS;

/** Options of the daemon that matter for the chain tool. */
export const SHARED_NAMES: readonly string[] = [
  ...['config-file', 'data-dir', 'testnet', 'stagenet', 'regtest', 'fixed-difficulty'],
  ...[
    'hard-forks',
    'regtest-forks',
    'block-hashes-file',
    'fast-block-sync',
    'db-sync-mode',
    'max-concurrency',
  ],
  ...['prep-blocks-threads', 'read-ahead-threads', 'crypto-backend', 'pow-engine', 'pow-dataset'],
  ...['log-file', 'log-level'],
  ...['seed-from', 'seed-key-file', 'seed-verify', 'fleet-node', 'proxy'],
];
const NAMES = [...Object.keys(TOOL_OPTIONS), ...SHARED_NAMES];

export interface ToolArguments {
  readonly own: ReadonlyMap<ToolOption, string>;
  /** The remaining arguments, for the daemon's options. */
  readonly rest: string[];
}

/**
 * Separates the tool's options from the daemon's. A name may be cut short while it is unambiguous among those that the help
 * of the tool shows. Throws UsageError when a name is ambiguous, and when a value is missing or not expected.
 */
export function splitArguments(argv: readonly string[]): ToolArguments {
  const own = new Map<ToolOption, string>();
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    const [typed = '', ...inline] = argument.startsWith('--') ? argument.slice(2).split('=') : [];
    const name = optionMeant(typed, NAMES);
    if (name === undefined || !isToolOption(name)) {
      rest.push(name === undefined ? argument : ['--' + name, ...inline].join('='));
      continue;
    }
    const isSwitch = SWITCHES.has(name);
    if (isSwitch && inline.length > 0) throw new UsageError(`option '--${name}' takes no value`);
    const value = isSwitch ? '' : inline.length > 0 ? inline.join('=') : argv[++i];
    if (value === undefined) {
      throw new UsageError(`the required argument for option '--${name}' is missing`);
    }
    own.set(name, value);
  }
  return { own, rest };
}

/**
 * Returns an option's integer; undefined without the option. Throws UsageError when it is not an integer of at least
 * `low`.
 */
export function numberOf(
  own: ReadonlyMap<ToolOption, string>,
  name: ToolOption,
  low = 0,
): number | undefined {
  const text = own.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < low) {
    throw new UsageError(
      `the argument ('${text}') for option '--${name}' is invalid: it takes a whole number of at least ${low}`,
    );
  }
  return value;
}

/** Returns an option's value. Throws UsageError when it is missing or empty. */
export function required(own: ReadonlyMap<ToolOption, string>, name: ToolOption): string {
  const value = own.get(name);
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}

function isToolOption(name: string): name is ToolOption {
  return Object.hasOwn(TOOL_OPTIONS, name);
}
