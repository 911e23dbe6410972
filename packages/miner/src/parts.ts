import type { EventEmitter } from 'node:events';
import type { Logger } from '@monero-node/base';
import type { BlockTemplates, ChainEvents } from '@monero-node/blockchain';
import type { AddressKeys } from '@monero-node/crypto';
import type { NonceSearcher } from '@monero-node/pow';
import type { ExtraMessages } from './extra-messages.ts';
import type { Machine } from './machine.ts';

/** What the miner is built from. */
export interface MinerParts {
  readonly templates: Pick<BlockTemplates, 'create'>;
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly searcher: NonceSearcher;
  /** Gives a block to the chain, and to peers; whether it was taken. */
  readonly submit: (block: Uint8Array) => Promise<boolean>;
  readonly logger: Logger;
  /** For the miner transactions; none by default. */
  readonly extraMessages?: ExtraMessages | undefined;
  /** The one this runs on by default. */
  readonly machine?: Machine;
}

/** What a session uses. */
export interface MinerDependencies extends MinerParts {
  readonly machine: Machine;
  readonly mostThreads: number;
}

export interface MinerStart {
  /** Who is paid. */
  readonly address: AddressKeys;
  /** 0: as many as are worth it. */
  readonly threads: number;
  /** Mine only while the machine is idle. */
  readonly background: boolean;
  /** In the background: mine on battery power too. */
  readonly ignoreBattery: boolean;
}
