import type { Logger } from '@monero-node/base';
import type { BlockGroup, Network } from '@monero-node/consensus';
import type { CryptoBackend, VerificationPool } from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';
import type { ChainReader, ChainWriter } from '@monero-node/storage';

export interface BlockchainOptions {
  readonly network: Network;
  /** Unix seconds; the system clock by default. */
  readonly now?: () => number;
  /** Hashes of groups of blocks known to be right; none by default. */
  readonly blockGroups?: readonly BlockGroup[];
  /**
   * Whether to compute no hash for blocks of difficulty 1, which every hash meets: for private chains that are to grow at
   * once. False when absent.
   */
  readonly skipEasiestWork?: boolean;
}

export interface BlockchainDependencies {
  readonly store: ChainReader & ChainWriter;
  /** Verifies signatures and proofs off the event loop. */
  readonly verifier: VerificationPool;
  /** Computes commitments of coinbase outputs, on the event loop. */
  readonly backend: Pick<CryptoBackend, 'commitToAmount'>;
  readonly pow: PowHasher;
  readonly logger: Logger;
}
