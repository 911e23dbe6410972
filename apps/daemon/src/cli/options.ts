import { BLOCK_GROUP_SIZE, NETWORKS } from '@monero-node/consensus/networks';
import { DEFAULT_REGISTRY } from '../updates/default-registry.ts';
import { DEFAULT_SYNC_MODE } from './sync-mode.ts';
import { command, flag, ignored, number, text } from './option-builders.ts';
import { BYTES, U32 } from './option-ranges.ts';
import type { OptionSpec } from './option-types.ts';
import { P2P_OPTIONS } from './p2p-options.ts';
import { RPC_OPTIONS } from './rpc-options.ts';

const { count: GROUPS = 0, sha256: DIGEST = '' } = NETWORKS.mainnet.trustedBlockGroups ?? {};
const BUILT_IN = `mainnet: below height ${GROUPS * BLOCK_GROUP_SIZE}, SHA-256 ${DIGEST}`;

const timings = { reason: '--metrics-bind-port serves timings' } as const;

/** Every option of monerod 0.18 (source: its --help) with its support here, and the options that only we have. */
export const OPTIONS: readonly OptionSpec[] = [
  command(
    'help',
    'switch',
    'Print the important options, or with a topic or option what belongs to it, and exit',
  ),
  command('help-all', 'switch', 'Print every option and exit'),
  command('version', 'switch', 'Print the version and exit'),
  command('os-version', 'switch', 'Print the operating system and exit'),
  command('config-file', 'text', 'Config file', {
    value: 'FILE',
    default: '<data-dir>/bitmonero.conf',
  }),
  command(
    'detach',
    'switch',
    'Run in the background; returns once the daemon has started (not on Windows)',
  ),
  command(
    'pidfile',
    'text',
    'With --detach: file that holds the process id while the daemon runs',
    { value: 'FILE' },
  ),
  command('non-interactive', 'switch', 'Do not read commands from standard input'),
  command(
    'json',
    'switch',
    'With a command, for example status: print the answers of the RPC as JSON',
  ),

  // general and logging
  text('log-file', 'FILE', 'Log file', { default: '<data-dir>/bitmonero.log' }),
  text(
    'log-format',
    'FORM',
    'Lines of the log file, and of standard output that is no terminal: text or json',
    { default: 'text' },
  ),
  text('log-level', 'LEVEL', '0 to 4, or category:LEVEL pairs separated by commas'),
  number(
    'max-log-file-size',
    'Size in bytes at which the log file is rotated; 0 never rotates it',
    BYTES,
    {
      default: '104850000',
    },
  ),
  number('max-log-files', 'Number of rotated log files to keep; 0 keeps all', U32, {
    default: '50',
  }),
  number('max-concurrency', 'Number of verification threads; 0 for one per core', U32, {
    default: '0',
  }),
  text(
    'crypto-backend',
    'NAME',
    'Backend that verifies signatures: auto, native, wasm or reference',
    {
      default: 'auto',
    },
  ),
  text('pow-engine', 'NAME', 'Engine that computes RandomX: auto, native or wasm', {
    default: 'auto',
  }),
  text('data-dir', 'DIR', 'Data directory', { default: '~/.bitmonero' }),
  flag('testnet', 'Run on testnet'),
  flag('stagenet', 'Run on stagenet'),
  flag('regtest', 'Run a private test chain'),
  flag('keep-fakechain', 'On regtest, keep the chain of the last run'),
  number('fixed-difficulty', 'Difficulty of every block; 0 for the normal rule', BYTES, {
    default: '0',
  }),
  text(
    'hard-forks',
    'FILE',
    'Hard forks of a private chain; not on mainnet (see docs/reference/private-forks.md)',
  ),
  flag('offline', 'Do not connect to peers or listen for them'),
  text(
    'check-updates',
    'MODE',
    'Look for newer versions of this program at the start and every 12 hours: disabled, notify (a line in the log), download (the archive, into <data-dir>/updates) or update (as download). Nothing is ever installed',
    { default: 'disabled' },
  ),
  text('update-registry', 'URL', 'npm registry that is asked for newer versions', {
    default: DEFAULT_REGISTRY,
  }),
  flag('disable-dns-checkpoints', 'Do not look up checkpoints in the DNS'),
  flag(
    'enforce-dns-checkpointing',
    'Enforce the checkpoints in the DNS; without this option they only cause warnings',
  ),
  number('show-time-stats', 'Log timings', U32, { ...ignored, ...timings }),
  number('test-dbg-lock-sleep', 'For debugging monerod', U32, { ...ignored, default: '0' }),
  flag('test-drop-download', 'For debugging monerod', ignored),
  number('test-drop-download-height', 'For debugging monerod', BYTES, ignored),

  // chain and synchronisation
  flag('prune-blockchain', 'Permanently drop signatures of old transactions that other nodes keep'),
  flag(
    'sync-pruned-blocks',
    'With --prune-blockchain: download trusted blocks without the data that pruning would drop',
  ),
  text(
    'fast-block-sync',
    '0|1',
    `1 trusts blocks whose hashes are in the built-in list (${BUILT_IN}) or in --block-hashes-file; 0 verifies every block in full`,
    { default: '1' },
  ),
  text(
    'block-hashes-file',
    'FILE',
    'Hashes of groups of blocks, instead of the built-in list; proof of work and signatures of matching blocks are not verified',
  ),
  number('prep-blocks-threads', 'Number of proof-of-work threads while synchronising', U32, {
    default: 'one for each processor',
  }),
  number('block-sync-size', 'Number of blocks per request; 0 for the normal rule', [0, 2048], {
    default: '0',
  }),
  number('batch-max-weight', 'Accepted for compatibility', U32, ignored),
  number('span-limit', 'Accepted for compatibility', U32, ignored),
  number(
    'block-download-max-size',
    'Largest size in bytes of downloaded blocks that wait for verification; 0 for 100 MiB',
    BYTES,
    {
      default: '0',
    },
  ),
  number('max-txpool-weight', 'Largest total weight of the transaction pool', BYTES, {
    default: '648000000',
  }),
  flag(
    'fluffy-blocks',
    'Accepted for compatibility; new blocks are always sent without their transactions',
    { ...ignored, metBy: true },
  ),
  flag('no-fluffy-blocks', 'Accepted for compatibility; see --fluffy-blocks', ignored),
  flag('keep-alt-blocks', 'Keep alternative blocks across restarts'),
  text(
    'db-sync-mode',
    'MODE',
    'safe, fast or fastest; :sync or :async and :Nblocks or :Nbytes may follow and have no effect',
    {
      default: DEFAULT_SYNC_MODE,
    },
  ),
  flag('db-salvage', 'Accepted for compatibility; the database needs no repair', ignored),
  text('block-notify', 'COMMAND', 'Command to run for each new block; %s is its id'),
  text(
    'reorg-notify',
    'COMMAND',
    'Command to run after each reorganisation; %s is the split height, %h the new height, %n the number of new blocks, %d of removed blocks',
  ),
  text(
    'block-rate-notify',
    'COMMAND',
    'Command to run when blocks arrive too fast or too slowly; %b is the number of blocks in %t minutes, %e the number expected',
  ),

  // mining
  text(
    'extra-messages-file',
    'FILE',
    'Messages for the coinbase transactions of blocks found, one per line, in base64',
  ),
  text('start-mining', 'ADDRESS', 'Mine to this address once synchronized'),
  number('mining-threads', 'Number of mining threads; 0 chooses the best number', U32, {
    default: '1',
  }),
  flag('bg-mining-enable', 'Mine only while the machine is idle'),
  flag('bg-mining-ignore-battery', 'Mine on battery too, or if the power source is unknown'),
  number(
    'bg-mining-min-idle-interval',
    'Seconds the machine must have been idle before mining starts, 10 to 3600',
    U32,
    {
      default: '10',
    },
  ),
  number(
    'bg-mining-idle-threshold',
    'Percentage of processor time that must be idle, 0 to 99',
    U32,
    {
      default: '90',
    },
  ),
  number('bg-mining-miner-target', 'Percentage of processor time to mine with, 1 to 100', U32, {
    default: '40',
  }),

  ...P2P_OPTIONS,
  ...RPC_OPTIONS,
];

const BY_NAME = new Map(OPTIONS.map((spec) => [spec.name, spec]));

/** Returns the option with this name, written without `--`; undefined when there is none. */
export function optionNamed(name: string): OptionSpec | undefined {
  return BY_NAME.get(name);
}
