import { jest } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { ByteBudget } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { ZmtpConnection } from './connection.ts';
import { frameHeader } from './frame-reader.ts';
import { greeting, ready } from './handshake.ts';
import { ZMTP_LIMITS } from './limits.ts';
import { ReplySocket, type AnswerFrame } from './reply-socket.ts';

const frame = (text: string, more: boolean): Buffer =>
  Buffer.concat([frameHeader(text.length, more), Buffer.from(text)]);
/** A message without the empty frame before a request. */
const TINY = frame('x', false);
const request = (text: string): Buffer => Buffer.concat([frame('', true), frame(text, false)]);

/** Counts rounds of the event loop, and the most that `count` grew in one of them, until it is stopped. */
function watchRounds(
  count: () => number,
): () => { readonly rounds: number; readonly most: number } {
  let rounds = 0;
  let most = 0;
  let isOver = false;
  let last = count();
  const tick = (): void => {
    most = Math.max(most, count() - last);
    last = count();
    rounds++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return () => {
    isOver = true;
    return { rounds, most };
  };
}

async function dealer(address: string): Promise<Socket> {
  const socket = connect(Number(address.slice(address.lastIndexOf(':') + 1)), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(Buffer.concat([greeting(), ready('DEALER')]));
  return socket;
}

test('messages that are not answered are taken in a few steps of one read, with turns for others', async () => {
  const socket = Object.assign(
    new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => {
        done();
      },
    }),
    { setNoDelay: () => undefined },
  );
  let taken = 0;
  let sinceRound = 0;
  let most = 0;
  let isOver = false;
  const tick = (): void => {
    most = Math.max(most, sinceRound);
    sinceRound = 0;
    if (!isOver) setImmediate(tick);
  };
  tick();
  const role = {
    type: 'REP' as const,
    peers: ['DEALER' as const],
    onMessage: () => {
      taken++;
      sinceRound++;
    },
    onClose: () => undefined,
  };
  new ZmtpConnection(socket as unknown as Socket, {
    role,
    limits: ZMTP_LIMITS,
    received: new ByteBudget({ limit: 1 << 20 }),
  });
  const count = 20_000;
  socket.push(Buffer.concat([greeting(), ready('DEALER'), ...Array<Buffer>(count).fill(TINY)]));
  await until(() => taken >= count, 30_000);
  isOver = true;
  expect(taken).toBe(count);
  expect(most).toBeLessThanOrEqual(512);
  socket.destroy();
});

describe('the reply socket', () => {
  let socket: ReplySocket<AnswerFrame>;
  let address: string;
  let busyMs: number;
  let answered: number;
  beforeEach(async () => {
    busyMs = 0;
    answered = 0;
    socket = new ReplySocket(async ([text = Buffer.alloc(0)]) => {
      const end = performance.now() + busyMs;
      while (performance.now() < end);
      answered++;
      return { chunks: [text] };
    });
    address = await socket.bind('tcp://127.0.0.1:*');
  });
  afterEach(() => {
    socket.close();
  });

  /** Sends bytes and waits for the end of an answer. */
  async function untilAnswered(peer: Socket, bytes: Buffer, last: string): Promise<void> {
    let received = '';
    peer.setEncoding('latin1');
    const hasCome = new Promise<void>((resolve) => {
      peer.on('data', (text: string) => {
        received = received.slice(-100) + text;
        if (received.includes(last)) resolve();
      });
    });
    peer.write(bytes);
    await hasCome;
  }

  test('a flood of tiny messages without a request is not copied for each', async () => {
    const peer = await dealer(address);
    const concat = Buffer.concat.bind(Buffer);
    const flood = concat([...Array<Buffer>(100_000).fill(TINY), request('last')]);
    let copied = 0;
    const spy = jest.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
      for (const part of list) copied += part.length;
      return concat(list, length);
    });
    await untilAnswered(peer, flood, 'last');
    spy.mockRestore();
    expect(copied).toBeLessThan(10 * flood.length);
    peer.destroy();
  });

  test('others have their turns while many requests of one packet are answered', async () => {
    const peer = await dealer(address);
    busyMs = 3;
    const stop = watchRounds(() => answered);
    const requests = [...Array<Buffer>(100).fill(request('a')), request('last')];
    await untilAnswered(peer, Buffer.concat(requests), 'last');
    const { rounds, most } = stop();
    expect(rounds).toBeGreaterThan(10);
    // Of 101 requests that arrived together; each takes 3 ms.
    expect(most).toBeLessThan(50);
    peer.destroy();
  });
});
