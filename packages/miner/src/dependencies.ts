import type { EventEmitter } from 'node:events';
import type { Logger } from '@monero-node/base';
import type { BlockTemplates, ChainEvents } from '@monero-node/blockchain';
import type { AddressKeys } from '@monero-node/crypto';
import type { NonceSearcher } from '@monero-node/pow';
import type { ExtraMessages } from './extra-messages.ts';
import type { Machine } from './machine.ts';

/** The services of a miner. */
export interface MinerDependencies {
  readonly templates: Pick<BlockTemplates, 'create'>;
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly searcher: NonceSearcher;
  /** Adds a block to the chain and sends it to peers. Resolves to whether it was accepted. */
  readonly submit: (block: Uint8Array) => Promise<boolean>;
  readonly logger: Logger;
  /** Messages for the miner transactions; none by default. */
  readonly extraMessages?: ExtraMessages | undefined;
  /** The machine this runs on by default. */
  readonly machine?: Machine;
}

/** The dependencies of a mining session. */
export interface SessionDependencies extends MinerDependencies {
  readonly machine: Machine;
  readonly mostThreads: number;
}

/** How to mine. */
export interface MinerStart {
  /** The address that is paid. */
  readonly address: AddressKeys;
  /** Number of threads; 0 to find the fastest number. */
  readonly threads: number;
  /** Mine only while the machine is idle. */
  readonly background: boolean;
  /** In the background: also mine on battery power. */
  readonly ignoreBattery: boolean;
}
