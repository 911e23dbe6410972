import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@monero-node/base';
import { createP2pNode } from '../build-node.ts';
import type { P2pDependencies } from '../build-node.ts';
import type { P2pNode } from '../node.ts';
import { DEFAULT_P2P_OPTIONS, type P2pOptions } from '../options/options.ts';
import { FakeChain } from './fake-chain.ts';

/** Options of a node that listens on loopback and dials nobody. */
const TEST_OPTIONS: P2pOptions = {
  ...DEFAULT_P2P_OPTIONS,
  bindIp: '127.0.0.1',
  bindPort: 0,
  maxConnectionsPerIp: 100,
  dataDir: '',
};

export interface TestNode {
  node: P2pNode;
  chain: FakeChain;
  dataDir: string;
}

/** Starts nodes and stops them all again. */
export class TestNodes {
  readonly #running: { node: P2pNode; dataDir: string }[] = [];

  async start(
    options: Partial<P2pOptions> = {},
    deps: Partial<P2pDependencies> & { chain?: FakeChain } = {},
  ): Promise<TestNode> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'p2p-test-')));
    const chain = deps.chain ?? new FakeChain();
    const node = createP2pNode(
      { ...TEST_OPTIONS, ...options, dataDir },
      { blockchain: chain, logger: silentLogger, ...deps },
    );
    this.#running.push({ node, dataDir });
    await node.start();
    return { node, chain, dataDir };
  }

  async stop(): Promise<void> {
    for (const { node, dataDir } of this.#running.splice(0)) {
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

/** Returns a logger and the lines for developers that it was told and that contain the text. */
export function noting(text: string): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const debug = (line: string): void => {
    if (line.includes(text)) lines.push(line);
  };
  const logger: Logger = { ...silentLogger, debug, child: () => logger };
  return { logger, lines };
}

export function loopback(port: number): string {
  return `127.0.0.1:${port}`;
}
