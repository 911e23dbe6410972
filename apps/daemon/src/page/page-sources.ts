import type { Logger, MillisecondClock } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { HiddenService } from '@monero-node/dashboard';
import type { TxPool } from '@monero-node/mempool';
import type { MiningLedger } from '@monero-node/miner';
import type { P2pNode } from '@monero-node/p2p';
import type { ClientUses, RpcMiner } from '@monero-node/rpc';
import type { StratumServer } from '@monero-node/stratum';
import type { NotableLines } from '../log/kept-lines.ts';
import type { NodeState } from '../runtime/node-state.ts';
import type { UpdateKeeper } from '../updates/update-keeper.ts';

/** The parts of the node that the page shows. */
export interface PageSources {
  readonly blockchain: Pick<
    Blockchain,
    | 'feeEstimate'
    | 'height'
    | 'network'
    | 'nextDifficulty'
    | 'nextVersion'
    | 'off'
    | 'on'
    | 'pruningSeed'
    | 'store'
    | 'weightState'
  >;
  readonly p2p: Pick<P2pNode, 'banKind' | 'connections' | 'netStats' | 'reachability'>;
  readonly pool: Pick<TxPool, 'feeBands' | 'size'>;
  readonly miner: Pick<RpcMiner, 'status'>;
  readonly ledger: Pick<MiningLedger, 'entries' | 'hashes'>;
  /** Undefined: rigs are not served. */
  readonly stratum: Pick<StratumServer, 'rigs'> | undefined;
  /** What RPC clients have cost, counted while the owner's page is open. */
  readonly clients: Pick<ClientUses, 'since' | 'top'>;
  /** Called when the first of several owners opens the page, before `clients` are read. */
  readonly onOwnerWatched?: () => void;
  readonly updates: Pick<UpdateKeeper, 'state'>;
  /** Facts that the parts do not have. */
  readonly state: Pick<
    NodeState,
    'blocksPerSecond' | 'events' | 'fleet' | 'problem' | 'saturation' | 'seed' | 'tree'
  >;
  /** Returns why this node is not ready. */
  readonly notReady: () => readonly string[];
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  /** Folder of the file with the charts; undefined: they are kept in memory only. */
  readonly dataDir: string | undefined;
  /** Undefined when the log is not kept. */
  readonly log: NotableLines | undefined;
  /** Where wallets reach the restricted RPC through Tor or I2P. */
  readonly hiddenServices: readonly HiddenService[];
  readonly version: string;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** Of the category `global`, whose lines are shown by default: for what becomes of the charts. */
  readonly globalLogger: Pick<Logger, 'warn' | 'error'>;
  /** Unix milliseconds. */
  readonly now: MillisecondClock;
}
