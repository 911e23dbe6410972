import { parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { startNode, type DevNode } from '@monero-node/devnet';
import { recordedBlocks } from '../chain/fixture.ts';
import { NatsServer } from '../events/nats-server.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';
import { ExplorerProcess } from './explorer-process.ts';
import { Postgres } from './postgres.ts';

/** Milliseconds for which nodes and tables are waited for. */
const WAIT = 240_000;

interface Parts {
  readonly source: DevNode;
  readonly broker: NatsServer;
  readonly database: Postgres;
  readonly dataDir: string;
}

/** Starts the node that publishes. */
const publisher = ({ source, broker, dataDir }: Parts): Promise<RunningNode> =>
  startOurDaemon({
    name: 'publisher',
    dataDir,
    peers: [source.p2pAddress],
    fixedDifficulty: 1,
    extra: ['--events', broker.url],
  });

/** A chain that grows, a node of ours that follows it and publishes events, a broker, a database, and an explorer that fills it. */
export class ExploredChain {
  readonly explorer: ExplorerProcess;
  readonly #parts: Parts;
  #node: RunningNode;

  private constructor(parts: Parts, node: RunningNode, explorer: ExplorerProcess) {
    this.#parts = parts;
    this.#node = node;
    this.explorer = explorer;
  }

  /** Starts all of them, on a chain that begins with recorded blocks up to a height. */
  static async start(height: number): Promise<ExploredChain> {
    const source = await startNode();
    const recorded = recordedBlocks().filter((each) => each.height > 0 && each.height <= height);
    await source.node.blockchain.addSpan(
      recorded.map(({ block, txs }) => ({
        block: parseBlock(block),
        txs: txs.map((tx) => parseTransaction(tx)),
      })),
      { trust: true },
    );
    if (source.height !== height + 1) throw new Error(`the chain has ${source.height} blocks`);
    const [broker, database] = await Promise.all([NatsServer.start(), Postgres.start()]);
    const parts = { source, broker, database, dataDir: newFolder('publisher') };
    const node = await publisher(parts);
    const explorer = await ExplorerProcess.start({ database: database.url, nats: broker.url });
    return new ExploredChain(parts, node, explorer);
  }

  /** Mines and reorganizes. */
  get source(): DevNode {
    return this.#parts.source;
  }

  get broker(): NatsServer {
    return this.#parts.broker;
  }

  get database(): Postgres {
    return this.#parts.database;
  }

  /** Publishes events. */
  get node(): RunningNode {
    return this.#node;
  }

  /** Starts the node again, after it has ended. */
  async restartNode(): Promise<void> {
    this.#node = await publisher(this.#parts);
  }

  /** Address of the node's RPC. */
  get nodeUrl(): string {
    return `http://${LOOPBACK}:${this.#node.rpc.port}`;
  }

  /** Resolves when the node has the newest block. */
  async nodeHasAll(): Promise<void> {
    const hasAll = async (): Promise<boolean> =>
      (await this.#node.tip()).id === toHex(this.source.topId);
    await waitUntil('the node', hasAll, { timeout: WAIT });
  }

  /** Compares until tables and node are equal: one pool may be a moment behind the other. Resolves to the last line. */
  async equalTables(of = this.explorer): Promise<string> {
    await this.nodeHasAll();
    return waitUntil('equal tables', () => of.check(this.nodeUrl), {
      timeout: 120_000,
      interval: 500,
    });
  }

  async stop(): Promise<void> {
    await this.explorer.stop();
    await this.#node.stop();
    await this.broker.stop();
    await this.database.stop();
    await this.source.stop();
  }
}
