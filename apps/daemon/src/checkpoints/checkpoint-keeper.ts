import { existsSync, readFileSync } from 'node:fs';
import type { Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { agreedRecords } from './agreed-records.ts';
import { parseCheckpointFile, parseCheckpointRecords } from './parse-checkpoints.ts';
import type { SecureTxtResolver } from './secure-txt-resolver.ts';

/** Milliseconds between two looks at the file, and at the DNS. */
const FILE_PERIOD = 600_000;
const DNS_PERIOD = 3_600_000;

export interface CheckpointOptions {
  /** `checkpoints.json` in the data directory; need not exist. */
  readonly file: string;
  /** What the DNS is asked for: nothing, to warn about it, or to act on it. */
  readonly dns: 'off' | 'warn' | 'enforce';
}

export interface CheckpointDependencies {
  readonly blockchain: Pick<Blockchain, 'network' | 'addCheckpoints' | 'contradicted'>;
  readonly resolver: SecureTxtResolver;
  readonly logger: Logger;
}

/**
 * Keeps the chain's checkpoints up to date with a file of the operator's and with the network's records
 * in the DNS. Source: src/cryptonote_core/blockchain.cpp, update_checkpoints.
 */
export class CheckpointKeeper {
  readonly #options: CheckpointOptions;
  readonly #deps: CheckpointDependencies;
  /** Newest checkpoint that the network itself has: the file can only add what lies above. */
  readonly #newest: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(options: CheckpointOptions, dependencies: CheckpointDependencies) {
    this.#options = options;
    this.#deps = dependencies;
    this.#newest = dependencies.blockchain.network.checkpoints.at(-1)?.height ?? -1;
  }

  /** Reads the file, and with 'enforce' the DNS, before the node starts to follow the network. */
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
      logger.error(`checkpoints of ${file}: ${(error as Error).message}`);
    }
  }

  async #askDns(): Promise<void> {
    const { blockchain, resolver, logger } = this.#deps;
    const { checkpointHosts } = blockchain.network;
    if (checkpointHosts.length === 0) return;
    try {
      const records = await agreedRecords(checkpointHosts, resolver);
      if (records === undefined) {
        logger.warn('checkpoints of the DNS: no authenticated records that agree');
        return;
      }
      await this.#use(parseCheckpointRecords(records));
    } catch (error) {
      logger.error(`checkpoints of the DNS: ${(error as Error).message}`);
    }
  }

  async #use(points: ReturnType<typeof parseCheckpointRecords>): Promise<void> {
    const { blockchain, logger } = this.#deps;
    const known = new Map(blockchain.network.checkpoints.map(({ height, id }) => [height, id]));
    if (points.some(({ height, id }) => (known.get(height) ?? id) !== id)) {
      logger.error('checkpoints of the DNS contradict those of this program: they are not used');
      return;
    }
    if (this.#options.dns === 'enforce') {
      await blockchain.addCheckpoints(points);
      return;
    }
    for (const { height } of blockchain.contradicted(points)) {
      logger.error(
        `block ${height} is not the one that the checkpoints of the DNS name: this node may be on a fork (--enforce-dns-checkpointing acts on it)`,
      );
    }
  }
}
