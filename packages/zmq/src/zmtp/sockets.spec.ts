import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@monero-node/base/testing';
import { Subscriptions } from '../subscriptions.ts';
import { Dealer, Request, Subscriber } from 'zeromq';
import { frameHeader } from './frame-reader.ts';
import { greeting, ready } from './handshake.ts';
import { ZMTP_LIMITS } from './limits.ts';
import { PublishSocket } from './publish-socket.ts';
import { type AnswerFrame, type EndOfRequest, ReplySocket } from './reply-socket.ts';

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));
const eventLoopRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const frame = (bytes: Buffer, more: boolean): Buffer =>
  Buffer.concat([frameHeader(bytes.length, more), bytes]);

/** Returns a connection that has shaken hands. */
async function rawPeer(address: string, type: 'REQ' | 'SUB'): Promise<Socket> {
  const socket = connect(portOf(address), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(Buffer.concat([greeting(), ready(type)]));
  return socket;
}

describe('the reply socket', () => {
  let served: string[];
  let ended: (EndOfRequest & { answered: boolean })[];
  let socket: ReplySocket<AnswerFrame>;
  let address: string;
  let release: () => void;

  beforeEach(async () => {
    served = [];
    ended = [];
    release = () => undefined;
    socket = new ReplySocket(
      async (frames) => {
        const text = Buffer.concat(frames).toString();
        served.push(text.slice(0, 20));
        if (text === 'wait') await new Promise<void>((resolve) => (release = resolve));
        if (text === 'much') return { chunks: Array<Buffer>(40).fill(Buffer.alloc(1 << 20, 'm')) };
        return { chunks: [Buffer.from('answer to '), Buffer.from(text)] };
      },
      {
        limits: {
          ...ZMTP_LIMITS,
          messageBytes: 1 << 20,
          frames: 16,
          timeoutMs: 1500,
          connections: 20,
        },
        onEnd: (answer, end) => ended.push({ answered: answer !== undefined, ...end }),
      },
    );
    address = await socket.bind('tcp://127.0.0.1:*');
  });
  afterEach(() => {
    release();
    socket.close();
  });

  test('answers clients of libzmq: one after another, long requests, envelopes', async () => {
    const request = new Request({ receiveTimeout: 5000 });
    request.connect(address);
    for (const text of ['a', 'x'.repeat(500_000), '']) {
      await request.send(text);
      expect(String(await request.receive())).toBe(`answer to ${text}`);
    }
    request.close();
    await until(() => ended.length === 3);
    // One byte of flags and one or eight of length for each of the two frames.
    expect(ended.map(({ bytes }) => bytes)).toEqual([2 + 2 + 11, 2 + 9 + 500_010, 2 + 2 + 10]);
    const end = { address: '127.0.0.1', answered: true, isSent: true };
    expect(ended).toMatchObject([end, end, end]);
    const dealer = new Dealer({ receiveTimeout: 5000 });
    dealer.connect(address);
    for (const text of ['1', '2', '3']) await dealer.send(['who', '', text, '!']);
    for (const text of ['1', '2', '3']) {
      expect((await dealer.receive()).map(String)).toEqual(['who', '', `answer to ${text}!`]);
    }
    dealer.close();
  });

  test('an answer of many chunks arrives whole', async () => {
    const request = new Request({ receiveTimeout: 20_000 });
    request.connect(address);
    await request.send('much');
    const [answer] = await request.receive();
    expect(answer?.length).toBe(40 << 20);
    request.close();
  });

  test.each([
    ['frames of some size', Buffer.alloc(1000)],
    ['empty frames', Buffer.alloc(1)],
  ])('a message of endless %s ends its connection', async (_name, content) => {
    const peer = await rawPeer(address, 'REQ');
    peer.write(frame(Buffer.alloc(0), true));
    const part = Buffer.concat(Array<Buffer>(64).fill(frame(content, true)));
    let written = 0;
    while (!peer.destroyed && written < 50 << 20) {
      peer.write(part);
      written += part.length;
      await eventLoopRound();
    }
    expect(written).toBeLessThan(20 << 20);
    expect(served).toEqual([]);
    const request = new Request({ receiveTimeout: 5000 });
    request.connect(address);
    await request.send('still here');
    expect(String(await request.receive())).toBe('answer to still here');
    request.close();
  });

  test('a connection is not read on while its request is served', async () => {
    const peer = await rawPeer(address, 'REQ');
    const call = (text: string): Buffer =>
      Buffer.concat([frame(Buffer.alloc(0), true), frame(Buffer.from(text), false)]);
    peer.write(call('wait'));
    await until(() => served.length === 1);
    const flood = call('x'.repeat(100_000));
    let written = 0;
    let isFull = false;
    for (; written < 200 << 20 && !isFull; written += flood.length) {
      if (peer.write(flood)) continue;
      let isDrained = false;
      peer.once('drain', () => (isDrained = true));
      for (let rounds = 0; rounds < 1000 && !isDrained; rounds++) await eventLoopRound();
      isFull = !isDrained;
    }
    // The kernel buffers some of them; the server has read no more.
    expect(isFull).toBe(true);
    expect(served).toEqual(['wait']);
    peer.resetAndDestroy();
    await once(peer, 'close');
    release();
    await until(() => ended.length === 1);
    expect(ended[0]).toMatchObject({ address: '127.0.0.1', isSent: false });
  });

  test('a client that does not finish what it began, or reads nothing, is cut off', async () => {
    const silent = connect(portOf(address), '127.0.0.1');
    const half = await rawPeer(address, 'REQ');
    half.write(Buffer.from([1, 0, 0, 50, 1]));
    const deaf = await rawPeer(address, 'REQ');
    deaf.write(Buffer.concat([frame(Buffer.alloc(0), true), frame(Buffer.from('much'), false)]));
    deaf.pause();
    const closed = [silent, half].map((peer) => once(peer, 'close'));
    for (const peer of [silent, half]) peer.resume().on('error', () => undefined);
    await Promise.all(closed);
    await until(() => ended.length === 1);
    let received = 0;
    deaf.on('data', (bytes: Buffer) => (received += bytes.length)).resume();
    await once(deaf, 'close');
    expect(received).toBeLessThan(40 << 20);
  }, 15_000);

  test('the connection idle longest makes room', async () => {
    const peers: Socket[] = [];
    for (let i = 0; i < 25; i++) peers.push(await rawPeer(address, 'REQ'));
    const request = new Request({ receiveTimeout: 5000 });
    request.connect(address);
    await request.send('a');
    expect(String(await request.receive())).toBe('answer to a');
    request.close();
    for (const peer of peers) peer.resume();
    // Of 26 connections six had to go.
    await until(() => peers.filter(({ closed }) => closed).length === 6);
    for (const peer of peers) peer.destroy();
  });

  test.each([
    ['HTTP', Buffer.from(`GET / HTTP/1.1\r\n${'x'.repeat(80)}`)],
    ['a subscriber', Buffer.concat([greeting(), ready('SUB')])],
    ['a message before the handshake', Buffer.concat([greeting(), Buffer.from([0, 1, 1])])],
    ['a malformed command', Buffer.concat([greeting(), Buffer.from([4, 3, 200, 1, 1])])],
    ['properties cut off', Buffer.concat([greeting(), Buffer.from('\x04\x08\x05READY\x0bS')])],
    ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 7919) % 256))],
  ])('%s ends the connection', async (_name, bytes) => {
    const peer = connect(portOf(address), '127.0.0.1');
    peer.on('error', () => undefined).resume();
    await once(peer, 'connect');
    peer.write(bytes);
    await once(peer, 'close');
  });
});

describe('the publish socket', () => {
  let socket: PublishSocket;
  let address: string;
  /** Those of the newest subscriber. */
  let subscriptions: Subscriptions;

  beforeEach(async () => {
    socket = new PublishSocket(() => (subscriptions = new Subscriptions()));
    address = await socket.bind('tcp://127.0.0.1:*');
  });
  afterEach(() => {
    socket.close();
  });

  const TOPIC = 'json-minimal-txpool_add';
  const waitUntil = (wanted: boolean): Promise<void> =>
    until(() => socket.wanted(TOPIC) === wanted);

  test('subscribers of libzmq get what they ask for, until they leave', async () => {
    const subscriber = new Subscriber({ receiveTimeout: 5000 });
    subscriber.connect(address);
    expect(socket.wanted(TOPIC)).toBe(false);
    subscriber.subscribe('json-minimal');
    await waitUntil(true);
    socket.send('json-full-miner_data', Buffer.from('json-full-miner_data:0'));
    socket.send(TOPIC, Buffer.from(`${TOPIC}:${'x'.repeat(1000)}`));
    expect(String(await subscriber.receive())).toBe(`${TOPIC}:${'x'.repeat(1000)}`);
    subscriber.unsubscribe('json-minimal');
    await waitUntil(false);
    subscriber.subscribe('');
    await waitUntil(true);
    subscriber.close();
    await waitUntil(false);
  });

  // Linux has all addresses of 127.0.0.0/8.
  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux(
    'silent connections and idle subscribers of a few hosts do not keep a subscriber out',
    async () => {
      const held: Socket[] = [];
      const gone = new Set<Socket>();
      for (let i = 0; i < 1030; i++) {
        const at = {
          port: portOf(address),
          host: '127.0.0.1',
          localAddress: `127.0.0.${2 + (i % 3)}`,
        };
        const one = connect(at);
        one.on('error', () => undefined).resume();
        one.once('close', () => gone.add(one));
        held.push(one);
        await once(one, 'connect');
        if (i % 2 === 0) one.write(Buffer.concat([greeting(), ready('SUB')]));
      }
      const subscriber = new Subscriber({ receiveTimeout: 5000 });
      subscriber.connect(address);
      subscriber.subscribe('json-minimal');
      await waitUntil(true);
      await until(() => gone.size === 7);
      // Those that have not shaken hands have gone, and no subscriber.
      expect(held.flatMap((one, i) => (gone.has(one) ? [i % 2] : []))).toEqual(Array(7).fill(1));
      subscriber.close();
      for (const one of held) one.destroy();
    },
  );

  test('a flood of subscriptions is not kept', async () => {
    const peer = await rawPeer(address, 'SUB');
    for (let i = 0; i < 200_000; i += 1000) {
      const some = Array.from({ length: 1000 }, (_, j) =>
        frame(Buffer.from(`\x01${i + j}`), false),
      );
      if (!peer.write(Buffer.concat(some))) await once(peer, 'drain');
    }
    peer.write(frame(Buffer.from('\x01json-minimal'), false));
    await waitUntil(true);
    expect(subscriptions.size).toBe(1);
    const long = Buffer.concat([Buffer.from([1]), Buffer.alloc(2000, 'x')]);
    peer.write(frame(long, false));
    peer.resume();
    await once(peer, 'close');
  });

  test('a subscriber that does not read misses messages', async () => {
    const peer = await rawPeer(address, 'SUB');
    peer.pause();
    peer.write(frame(Buffer.from('\x01json'), false));
    await waitUntil(true);
    for (let i = 0; i < 100; i++) {
      socket.send(TOPIC, Buffer.alloc(1 << 20, 'x'));
      await eventLoopRound();
    }
    socket.send(TOPIC, Buffer.from('.'));
    let received = 0;
    await new Promise<void>((resolve) => {
      peer.on('data', (bytes: Buffer) => {
        received += bytes.length;
        if (bytes.at(-1) === '.'.charCodeAt(0)) resolve();
      });
      peer.resume();
    });
    expect(received).toBeLessThan(60 << 20);
    peer.destroy();
  });
});
