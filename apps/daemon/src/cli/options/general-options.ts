import type { BackendChoice } from '@monero-node/crypto/choices';
import type { DatasetUse, PowEngine } from '@monero-node/pow';
import { BYTES, defineOptions, flag, integer, SAME_DEFAULT, text, U32 } from './define-options.ts';

const DEBUGGING = 'a switch for debugging monerod';

/** Options of the command line only, of the log, of the network and of the program as a whole. */
export const GENERAL_OPTIONS = defineOptions({
  help: flag(
    'Print the important options, or with a topic or option what belongs to it, and exit',
    {
      topic: 'general',
      group: 'command',
      note: 'shows the important options; `--help-all` shows all of them',
      shownBy: 'daemon/cli/help',
    },
  ),
  'help-all': flag('Print every option and exit', { topic: 'general', group: 'command' }),
  version: flag('Print the version and exit', {
    topic: 'general',
    group: 'command',
    shownBy: '34-debian-package',
  }),
  'os-version': flag('Print the operating system and exit', { topic: 'general', group: 'command' }),
  'config-file': text('Config file', {
    topic: 'general',
    group: 'command',
    value: 'FILE',
    shownDefault: '<data-dir>/bitmonero.conf',
    defaultNote: SAME_DEFAULT,
    shownBy: 'daemon/cli/cli',
  }),
  detach: flag('Run in the background; returns once the daemon has started (not on Windows)', {
    topic: 'general',
    group: 'command',
    note: 'returns once the daemon serves',
    shownBy: '26-detach-to-background',
  }),
  pidfile: text('With --detach: file that holds the process id while the daemon runs', {
    topic: 'general',
    group: 'command',
    value: 'FILE',
    shownBy: '26-detach-to-background',
  }),
  'non-interactive': flag('Do not read commands from standard input', {
    topic: 'general',
    group: 'command',
    shownBy: '37-console-in-a-terminal',
  }),
  json: flag('With a command, for example status: print the answers of the RPC as JSON', {
    topic: 'general',
    group: 'command',
  }),
  'log-file': text('Log file', {
    topic: 'logging',
    value: 'FILE',
    shownDefault: '<data-dir>/bitmonero.log',
    note: 'a name without a folder is placed in the data directory',
    defaultNote: SAME_DEFAULT,
    shownBy: '33-run-as-a-service',
  }),
  'log-format': text(
    'Lines of the log file, and of standard output that is no terminal: text or json',
    { topic: 'logging', value: 'FORM', default: 'text', isPlain: true },
  ),
  'log-level': text('0 to 4, or category:LEVEL pairs separated by commas', {
    topic: 'logging',
    reload: true,
    value: 'LEVEL',
    words: ['0', '1', '2', '3', '4'],
    isPlain: true,
    shownBy: 'daemon/log/log',
  }),
  'max-log-file-size': integer(
    'Size in bytes at which the log file is rotated; 0 never rotates it',
    { topic: 'logging', range: BYTES, default: 104_850_000, shownBy: 'daemon/log/log-file' },
  ),
  'max-log-files': integer('Number of rotated log files to keep; 0 keeps all', {
    topic: 'logging',
    range: U32,
    default: 50,
    shownBy: 'daemon/log/log-file',
  }),
  'max-concurrency': integer('Number of verification threads; 0 for one per core', {
    topic: 'sync',
    range: U32,
    default: 0,
    note: 'counts the threads that verify signatures and proofs',
  }),
  'crypto-backend': text('Backend that verifies signatures: auto, native, wasm or reference', {
    topic: 'sync',
    value: 'NAME',
    default: 'auto',
    // Written here, as those of pow below, as --help must not load the packages; the compiler asks for every choice.
    words: Object.keys({
      auto: 1,
      native: 1,
      wasm: 1,
      reference: 1,
    } satisfies Record<BackendChoice, 1>) as BackendChoice[],
    isPlain: true,
  }),
  'pow-engine': text('Engine that computes RandomX: auto, native or wasm', {
    topic: 'sync',
    value: 'NAME',
    default: 'auto',
    words: Object.keys({
      auto: 1,
      native: 1,
      wasm: 1,
    } satisfies Record<PowEngine | 'auto', 1>) as (PowEngine | 'auto')[],
    isPlain: true,
  }),
  'pow-dataset': text(
    'Verify with a RandomX dataset of 2080 MiB while very many blocks are synchronized: auto (if 6 GiB of memory are available), always (if 2400 MiB are) or never; keep holds one at the top of the chain too, for miners',
    {
      topic: 'sync',
      value: 'WHEN',
      default: 'auto',
      words: Object.keys({
        auto: 1,
        always: 1,
        keep: 1,
        never: 1,
      } satisfies Record<DatasetUse, 1>) as DatasetUse[],
    },
  ),
  'data-dir': text('Data directory', {
    topic: 'storage',
    value: 'DIR',
    shownDefault: '~/.bitmonero',
    defaultNote: 'the same; the folder of a network is appended',
    shownBy: 'node/parts/data-dir',
  }),
  testnet: flag('Run on testnet', { topic: 'network', shownBy: 'consensus/network/networks' }),
  stagenet: flag('Run on stagenet', { topic: 'network', shownBy: '17-every-hard-fork' }),
  regtest: flag('Run a private test chain', { topic: 'network', shownBy: '01-sync-from-monerod' }),
  'keep-fakechain': flag('On regtest, keep the chain of the last run', {
    topic: 'network',
    shownBy: '07-survive-kills',
  }),
  'fixed-difficulty': integer('Difficulty of every block; 0 for the normal rule', {
    topic: 'network',
    range: BYTES,
    default: 0,
    shownBy: '17-every-hard-fork',
  }),
  'hard-forks': text(
    'Hard forks of a private chain; not on mainnet (see docs/reference/private-forks.md)',
    { topic: 'network', value: 'FILE', isFile: true },
  ),
  'regtest-forks': text(
    'Hard forks of a regtest chain as versions and their heights, such as 16:1,17:40,18:60 (see docs/reference/private-forks.md)',
    { topic: 'network', value: 'LIST' },
  ),
  offline: flag('Do not connect to peers or listen for them', {
    topic: 'p2p',
    p2p: 'offline',
    shownBy: '40-updates-from-registry',
  }),
  'check-updates': text(
    'Look for newer versions of this program at the start and every 12 hours: disabled, notify (a line in the log), download (the archive, into <data-dir>/updates) or update (as download). Nothing is ever installed',
    {
      topic: 'general',
      value: 'MODE',
      default: 'disabled',
      words: ['disabled', 'notify', 'download', 'update'],
      isPlain: true,
      note: 'asks an npm registry, through the proxy; `update` downloads only',
      defaultNote: 'no server is asked unless you want it',
      shownBy: '40-updates-from-registry',
    },
  ),
  'update-registry': text('npm registry that is asked for newer versions', {
    topic: 'general',
    value: 'URL',
    default: 'https://registry.npmjs.org/',
  }),
  'disable-dns-checkpoints': flag('Do not look up checkpoints in the DNS', {
    topic: 'sync',
    shownBy: 'daemon/checkpoints/checkpoints',
  }),
  'enforce-dns-checkpointing': flag(
    'Enforce the checkpoints in the DNS; without this option they only cause warnings',
    { topic: 'sync', shownBy: 'daemon/checkpoints/checkpoints' },
  ),
  'show-time-stats': integer('Log timings', {
    topic: 'logging',
    range: U32,
    support: 'ignored',
    reason: '--metrics-bind-port serves timings',
  }),
  'test-dbg-lock-sleep': integer('For debugging monerod', {
    topic: 'general',
    range: U32,
    default: 0,
    support: 'ignored',
    note: DEBUGGING,
  }),
  'test-drop-download': flag('For debugging monerod', {
    topic: 'general',
    support: 'ignored',
    note: DEBUGGING,
  }),
  'test-drop-download-height': integer('For debugging monerod', {
    topic: 'general',
    range: BYTES,
    support: 'ignored',
    note: DEBUGGING,
  }),
});
