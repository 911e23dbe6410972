import { BLOCK_GROUP_SIZE, NETWORKS } from '@monero-node/consensus/networks';
import { DEFAULT_MAX_WEIGHT } from '@monero-node/mempool/limits';
import { DEFAULT_P2P_OPTIONS } from '@monero-node/p2p/options';
import { DEFAULT_BACKGROUND } from '@monero-node/miner/background-settings';
import { BYTES, defineOptions, flag, integer, text, U32 } from './define-options.ts';

const { count: GROUPS = 0, sha256: DIGEST = '' } = NETWORKS.mainnet.trustedBlockGroups ?? {};
const BUILT_IN = `mainnet: below height ${GROUPS * BLOCK_GROUP_SIZE}, SHA-256 ${DIGEST}`;

/** Options of the chain, of synchronization and of mining. */
export const CHAIN_OPTIONS = defineOptions({
  'prune-blockchain': flag(
    'Permanently drop signatures of old transactions that other nodes keep',
    { topic: 'storage', shownBy: '25-pruned-node' },
  ),
  'build-tree': flag(
    'Build the curve tree of the next fork while the node runs, 95 bytes for each output, and keep it from then on',
    { topic: 'storage' },
  ),
  'sync-pruned-blocks': flag(
    'With --prune-blockchain: download trusted blocks without the data that pruning would drop',
    { topic: 'sync', p2p: 'syncPrunedBlocks', shownBy: '25-pruned-node' },
  ),
  'fast-block-sync': text(
    `1 trusts blocks whose hashes are in the built-in list (${BUILT_IN}) or in --block-hashes-file; 0 verifies every block in full`,
    {
      topic: 'sync',
      value: '0|1',
      default: '1',
      words: ['0', '1'],
      shownBy: '28-trusted-blocks-of-mainnet',
    },
  ),
  'block-hashes-file': text(
    'Hashes of groups of blocks, instead of the built-in list; proof of work and signatures of matching blocks are not verified',
    { topic: 'sync', value: 'FILE' },
  ),
  'prep-blocks-threads': integer('Number of proof-of-work threads while synchronizing', {
    topic: 'sync',
    range: U32,
    shownDefault: 'one for each processor',
    defaultNote: 'more threads are of use here',
  }),
  'read-ahead-threads': integer(
    'Number of threads that read and hash blocks before it is their turn; 0 leaves it to the thread that adds them',
    {
      topic: 'sync',
      range: [0, 64],
      shownDefault: '1; 0 on one processor',
    },
  ),
  'block-sync-size': integer('Number of blocks per request; 0 for the normal rule', {
    topic: 'sync',
    p2p: 'blockSyncSize',
    range: [0, 2048],
    default: DEFAULT_P2P_OPTIONS.blockSyncSize,
    shownBy: 'p2p/sync/chain-sync',
  }),
  'batch-max-weight': integer('Accepted for compatibility', {
    topic: 'sync',
    range: U32,
    support: 'ignored',
  }),
  'span-limit': integer('Accepted for compatibility', {
    topic: 'sync',
    range: U32,
    support: 'ignored',
  }),
  'block-download-max-size': integer(
    'Largest size in bytes of downloaded blocks that wait for verification; 0 for 100 MiB',
    {
      topic: 'sync',
      p2p: 'blockDownloadMaxSize',
      range: BYTES,
      default: DEFAULT_P2P_OPTIONS.blockDownloadMaxSize,
      shownBy: 'p2p/sync/chain-sync',
    },
  ),
  'max-txpool-weight': integer('Largest total weight of the transaction pool', {
    topic: 'storage',
    range: BYTES,
    default: DEFAULT_MAX_WEIGHT,
    shownBy: 'mempool/tx-pool',
  }),
  'fluffy-blocks': flag(
    'Accepted for compatibility; new blocks are always sent without their transactions',
    {
      topic: 'p2p',
      support: 'ignored',
      metBy: true,
      note: 'new blocks are always sent without their transactions, as in monerod',
    },
  ),
  'no-fluffy-blocks': flag('Accepted for compatibility; see --fluffy-blocks', {
    topic: 'p2p',
    support: 'ignored',
  }),
  'keep-alt-blocks': flag('Keep alternative blocks across restarts', { topic: 'storage' }),
  'db-sync-mode': text(
    'safe, fast or fastest; :sync or :async and :Nblocks or :Nbytes may follow and have no effect',
    {
      topic: 'storage',
      value: 'MODE',
      default: 'fast:async:250000000bytes',
      words: ['safe', 'fast', 'fastest'],
      isPlain: true,
      note: 'each span of blocks is one commit: what follows the mode is checked and has no effect',
      shownBy: 'daemon/cli/sync-mode',
    },
  ),
  'db-salvage': flag('Accepted for compatibility; the database needs no repair', {
    topic: 'storage',
    support: 'ignored',
    note: 'the database survives kills and needs no repair (`07-survive-kills`)',
  }),
  'block-notify': text('Command to run for each new block; %s is its id', {
    topic: 'notify',
    value: 'COMMAND',
    shownBy: 'daemon/notify/notify',
  }),
  'reorg-notify': text(
    'Command to run after each reorganization; %s is the split height, %h the new height, %n the number of new blocks, %d of removed blocks',
    { topic: 'notify', value: 'COMMAND', shownBy: 'daemon/notify/notify' },
  ),
  'block-rate-notify': text(
    'Command to run when blocks arrive too fast or too slowly; %b is the number of blocks in %t minutes, %e the number expected',
    { topic: 'notify', value: 'COMMAND', shownBy: 'daemon/notify/notify' },
  ),
  'block-found-notify': text(
    'Command to run for each block that this node finds; %s is its id, %h its height, %w who found it, %r its reward in atomic units, %f its fate (pending, or orphaned when it came too late)',
    { topic: 'notify', value: 'COMMAND' },
  ),
  'block-fate-notify': text(
    'Command to run when the fate of a block that this node found changes; %f is what it is now: orphaned, pending (in the main chain again), confirmed or unlocked; the rest as for --block-found-notify',
    { topic: 'notify', value: 'COMMAND' },
  ),

  'extra-messages-file': text(
    'Messages for the coinbase transactions of blocks found, one per line, in base64',
    {
      topic: 'mining',
      value: 'FILE',
      note: 'creates `miner_conf.json` beside the file if it does not exist',
      shownBy: 'miner/extra-messages',
    },
  ),
  'start-mining': text('Mine to this address once synchronized', {
    topic: 'mining',
    value: 'ADDRESS',
    shownBy: '12-mine-with-every-engine',
  }),
  'mining-threads': integer('Number of mining threads; 0 chooses the best number', {
    topic: 'mining',
    range: U32,
    default: 1,
    defaultNote: 'the same; monerod does not show it',
    shownBy: '12-mine-with-every-engine',
  }),
  'bg-mining-enable': flag('Mine only while the machine is idle', {
    topic: 'mining',
    shownBy: 'miner/background',
  }),
  'bg-mining-ignore-battery': flag('Mine on battery too, or if the power source is unknown', {
    topic: 'mining',
    shownBy: 'miner/background',
  }),
  'bg-mining-min-idle-interval': integer(
    'Seconds the machine must have been idle before mining starts, 10 to 3600',
    {
      topic: 'mining',
      range: U32,
      default: DEFAULT_BACKGROUND.minIdleSeconds,
      defaultNote: 'the same; monerod does not show it',
      shownBy: 'miner/background',
    },
  ),
  'bg-mining-idle-threshold': integer('Percentage of processor time that must be idle, 0 to 99', {
    topic: 'mining',
    range: U32,
    default: DEFAULT_BACKGROUND.idleThreshold,
    defaultNote: 'the same; monerod does not show it',
    shownBy: 'miner/background',
  }),
  'bg-mining-miner-target': integer('Percentage of processor time to mine with, 1 to 100', {
    topic: 'mining',
    range: U32,
    default: DEFAULT_BACKGROUND.target,
    defaultNote: 'the same; monerod does not show it',
    shownBy: 'miner/background',
  }),
});
