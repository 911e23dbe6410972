import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers';
import { FairScheduler } from '@monero-node/base';
import { keepBusy } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import type { ChainStore } from '@monero-node/storage';
import type { RpcChain } from '../../dependencies.ts';
import { RpcServer } from '../../server.ts';
import { ask } from '../../testing/http.ts';
import { madeUpChain, madeUpId } from '../../testing/made-up-chain.ts';
import { atRest, onceTrue } from '../../testing/rounds.ts';

const HEIGHT = 3000;
const TX_BYTES = 3000;
const TXS = 10;

/** A chain of large blocks; a reorganization changes the ids from a height on. */
function largeChain(): { chain: RpcChain; reorganize: (from: number) => void } {
  let replacedFrom = HEIGHT;
  const blob = NETWORKS.regtest.genesisBlob;
  const part = new Uint8Array(TX_BYTES).fill(7);
  const chain = madeUpChain({
    height: HEIGHT,
    metaOf: (height) => ({ id: madeUpId(height, height < replacedFrom ? 1 : 2) }),
    store: {
      blockBlob: () => blob,
      blockTxs: () =>
        Array.from({ length: TXS }, () => ({
          id: new Uint8Array(32),
          pruned: part.slice(0, 500),
          prunable: part,
          prunableHash: new Uint8Array(32),
        })),
      outputIndices: () => [1, 2],
    },
  });
  return {
    chain,
    reorganize: (from) => {
      replacedFrom = from;
    },
  };
}

async function serverOn(chain: RpcChain): Promise<RpcServer> {
  const server = new RpcServer({ bindPort: 0 }, { blockchain: chain });
  await server.start();
  return server;
}

/** Calls `note` with the number of the read before the store reads the transactions of a block. */
function onRead(
  store: Pick<ChainStore, 'blockTxs'>,
  note: (read: number, height: number) => void,
): void {
  const original = store.blockTxs.bind(store);
  let read = 0;
  store.blockTxs = (height) => {
    note(++read, height);
    return original(height);
  };
}

/** `/get_blocks.bin` from height 1. */
const BLOCKS = Buffer.concat([
  Buffer.from('01110101010102010104', 'hex'),
  Buffer.from('\x0cstart_height\x05\x01', 'latin1'),
  Buffer.alloc(7),
]);

describe('load', () => {
  test('other work runs while a thousand large blocks are served', async () => {
    const { chain } = largeChain();
    const server = await serverOn(chain);
    let rounds = 0;
    let running = true;
    const roundsAt = new Map<number, number>();
    onRead(chain.store, (read) => {
      roundsAt.set(read, rounds);
      keepBusy(0.2);
    });
    const tick = (): void => {
      rounds++;
      if (running) setImmediate(tick);
    };
    tick();
    const answer = await ask(server.ports.main ?? 0, { path: '/get_blocks.bin', body: BLOCKS });
    running = false;
    expect(answer.body.length).toBeGreaterThan(1000 * TXS * TX_BYTES * 0.9);
    // A thousand reads take twenty slices of 10 ms, and each lets the loop go round.
    expect((roundsAt.get(1000) ?? 0) - (roundsAt.get(1) ?? 0)).toBeGreaterThan(10);
    await server.stop();
  });

  test('blocks replaced while they are read are left out', async () => {
    const { chain, reorganize } = largeChain();
    const server = await serverOn(chain);
    onRead(chain.store, (read, height) => {
      if (read === 500) reorganize(height + 1);
    });
    const answer = await ask(server.ports.main ?? 0, { path: '/get_blocks.bin', body: BLOCKS });
    expect(answer.status).toBe(200);
    // 500 blocks of ten transactions, less the coinbase of each.
    expect(answer.body.length).toBeLessThan(510 * TXS * (TX_BYTES + 600));
    expect(answer.body.length).toBeGreaterThan(490 * (TXS - 1) * TX_BYTES);
    await server.stop();
  });

  test('an answer whose blocks are replaced while it is sent breaks off', async () => {
    const { chain, reorganize } = largeChain();
    const server = await serverOn(chain);
    onRead(chain.store, (read) => {
      // All blocks have been counted, and half of them are sent.
      if (read === 1500) reorganize(300);
    });
    const asked = ask(server.ports.main ?? 0, { path: '/get_blocks.bin', body: BLOCKS });
    await expect(asked).rejects.toThrow();
    expect((await ask(server.ports.main ?? 0, { path: '/get_height' })).status).toBe(200);
    await server.stop();
  });

  test('a client that reads nothing makes the node read a few blocks only', async () => {
    const { chain } = largeChain();
    const server = await serverOn(chain);
    let reads = 0;
    onRead(chain.store, (read) => {
      reads = read;
    });
    const socket = connect(server.ports.main ?? 0, '127.0.0.1');
    socket.pause();
    await once(socket, 'connect');
    const head = `POST /get_blocks.bin HTTP/1.1\r\nHost: x\r\nContent-Length: ${BLOCKS.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), BLOCKS]));
    await onceTrue(() => reads >= 1000);
    // All were counted; those that the kernel buffers hold and a MiB more were read again.
    expect(await atRest(() => reads)).toBeLessThan(1700);
    socket.destroy();
    await server.stop();
  });

  test('clients that do not read block neither others nor the stop', async () => {
    const { chain } = largeChain();
    const server = await serverOn(chain);
    const port = server.ports.main ?? 0;
    const head = `POST /get_blocks.bin HTTP/1.1\r\nHost: x\r\nContent-Length: ${BLOCKS.length}\r\n\r\n`;
    const sockets: Socket[] = [];
    for (let i = 0; i < 8; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(Buffer.concat([Buffer.from(head), BLOCKS]));
      sockets.push(socket);
    }
    // Answered although none of the eight has taken a byte of theirs.
    const answer = await ask(port, { path: '/get_height' });
    expect(answer.status).toBe(200);
    await server.stop();
    for (const socket of sockets) socket.destroy();
  });
});

describe('sharing the event loop', () => {
  test('a turn rests only when its slice is used up, and one piece of work is resumed per round', async () => {
    const scheduler = new FairScheduler();
    const first = scheduler.begin();
    const second = scheduler.begin();
    expect(first.yieldIfDue()).toBeUndefined();
    keepBusy(15);
    const order: string[] = [];
    const resumed = [first, second].map(async (yielder, i) => {
      await yielder.yieldIfDue();
      order.push(`work ${i}`);
    });
    setImmediate(() => setImmediate(() => order.push('other')));
    await Promise.all(resumed);
    await onceTrue(() => order.includes('other'));
    expect(order.indexOf('work 0')).toBeLessThan(order.indexOf('other'));
    expect(order).toHaveLength(3);
  });
});
