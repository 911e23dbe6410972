import { existsSync, readFileSync } from 'node:fs';
import type { Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { agreedRecords, type SecureTxtResolver } from './secure-txt-resolver.ts';
import { parseCheckpointFile, parseCheckpointRecords } from './parse-checkpoints.ts';

/** Milliseconds between two readings of the file and two DNS look-ups. */
const FILE_PERIOD = 600_000;
const DNS_PERIOD = 3_600_000;

export interface CheckpointOptions {
  /** Path of `checkpoints.json`, which need not exist. */
  readonly file: string;
  /** Whether to look up checkpoints in the DNS, and whether to warn of contradictions or to enforce them. */
  readonly dns: 'off' | 'warn' | 'enforce';
}

export interface CheckpointDependencies {
  readonly blockchain: Pick<Blockchain, 'network' | 'addCheckpoints' | 'contradicted'>;
  readonly resolver: SecureTxtResolver;
  readonly logger: Logger;
}

/**
 * Updates the chain's checkpoints from the operator's file and from the network's DNS records.
 * Source: update_checkpoints in src/cryptonote_core/blockchain.cpp.
 */
export class CheckpointKeeper {
  readonly #options: CheckpointOptions;
  readonly #deps: CheckpointDependencies;
  /** Height of the newest built-in checkpoint; the file can only add higher ones. */
  readonly #newest: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(options: CheckpointOptions, dependencies: CheckpointDependencies) {
    this.#options = options;
    this.#deps = dependencies;
    this.#newest = dependencies.blockchain.network.checkpoints.at(-1)?.height ?? -1;
  }

  /** Reads the file and, in mode 'enforce', the DNS, before the node connects to peers. */
  async start(): Promise<void> {
    await this.#readFile();
    if (this.#options.dns === 'enforce') await this.#askDns();
    this.#every(FILE_PERIOD, () => this.#readFile());
    if (this.#options.dns !== 'off') this.#every(DNS_PERIOD, () => this.#askDns());
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await this.#running;
  }

  #every(period: number, task: () => Promise<void>): void {
    const timer = setInterval(() => {
      this.#running = this.#running.then(task);
    }, period);
    timer.unref();
    this.#timers.push(timer);
  }

  async #readFile(): Promise<void> {
    const { file } = this.#options;
    if (!existsSync(file)) return;
    const { blockchain, logger } = this.#deps;
    try {
      const points = parseCheckpointFile(readFileSync(file, 'utf8'));
      await blockchain.addCheckpoints(points.filter(({ height }) => height > this.#newest));
    } catch (error) {
      logger.error(`checkpoints in ${file}: ${(error as Error).message}`);
    }
  }

  async #askDns(): Promise<void> {
    const { blockchain, resolver, logger } = this.#deps;
    const { checkpointHosts } = blockchain.network;
    if (checkpointHosts.length === 0) return;
    try {
      const records = await agreedRecords(checkpointHosts, resolver);
      if (records === undefined) {
        logger.warn('DNS checkpoints: no majority of authenticated records');
        return;
      }
      await this.#use(parseCheckpointRecords(records));
    } catch (error) {
      logger.error(`DNS checkpoints: ${(error as Error).message}`);
    }
  }

  async #use(points: ReturnType<typeof parseCheckpointRecords>): Promise<void> {
    const { blockchain, logger } = this.#deps;
    const known = new Map(blockchain.network.checkpoints.map(({ height, id }) => [height, id]));
    if (points.some(({ height, id }) => (known.get(height) ?? id) !== id)) {
      logger.error('DNS checkpoints contradict the built-in checkpoints and are not used');
      return;
    }
    if (this.#options.dns === 'enforce') {
      await blockchain.addCheckpoints(points);
      return;
    }
    for (const { height } of blockchain.contradicted(points)) {
      logger.error(
        `block ${height} differs from the DNS checkpoint: this node may be on a fork (--enforce-dns-checkpointing enforces these checkpoints)`,
      );
    }
  }
}
