import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { decodeMessage } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { LevinConnection } from '../levin/connection.ts';
import { FrameReader } from '../levin/frame-reader.ts';
import type { LevinMessage } from '../levin/frame.ts';
import { COMMANDS } from '../messages/commands.ts';
import { NEW_TRANSACTIONS } from '../messages/transactions.ts';
import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { TokenBucket } from '@monero-node/base';
import { Peer } from '../peers/peer.ts';
import { MemoryStream } from '../testing/memory-stream.ts';
import { NOISE_BYTES, NoiseChannels } from './noise.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

interface Hidden {
  peer: Peer;
  stream: MemoryStream;
}

function hiddenPeer(): Hidden {
  const address = parsePeerAddress(NETWORKS.mainnet.torSeedNodes[0] ?? '', 1) as NetAddress;
  const stream = new MemoryStream(address);
  const now = (): number => 0;
  const limiters = { up: new TokenBucket(1e9, now), down: new TokenBucket(1e9, now) };
  const connection = new LevinConnection({
    stream,
    incoming: false,
    limiters,
    logger: silentLogger,
    now,
  });
  const peer = new Peer(connection);
  connection.open({
    onInvoke: () => ({ returnCode: 1, body: new Uint8Array(0) }),
    onNotify: () => {},
    onClose: () => {},
  });
  connection.notify(COMMANDS.handshake, new Uint8Array(0)); // no longer a new connection
  stream.written.length = 0;
  return { peer, stream };
}

function channels(hidden: readonly Hidden[]): NoiseChannels {
  const noise = new NoiseChannels({
    candidates: () => hidden.filter(({ peer }) => !peer.connection.closed).map(({ peer }) => peer),
    random: () => 0.5,
  });
  noise.start();
  return noise;
}

/** Returns the messages that a receiver decodes from the frames. */
function received(stream: MemoryStream): LevinMessage[] {
  const reader = new FrameReader({ maxPacket: () => 1e8, expectedResponse: () => undefined });
  const messages: LevinMessage[] = [];
  for (const frame of stream.written) {
    reader.push(frame);
    for (let message = reader.next(); message; message = reader.next()) messages.push(message);
  }
  return messages;
}

const sizes = ({ stream }: Hidden): number[] => stream.written.map(({ length }) => length);

test('sends dummy frames of a fixed size all the time', async () => {
  const hidden = [hiddenPeer(), hiddenPeer(), hiddenPeer()];
  const noise = channels(hidden);
  await jest.advanceTimersByTimeAsync(125_000);
  const busy = hidden.filter(({ stream }) => stream.written.length > 0);
  expect(busy).toHaveLength(2);
  for (const each of busy) {
    expect(sizes(each)).toEqual(new Array<number>(10).fill(NOISE_BYTES));
    expect(received(each.stream)).toEqual([]);
  }
  noise.stop();
  await jest.advanceTimersByTimeAsync(125_000);
  for (const each of busy) expect(sizes(each)).toHaveLength(10);
});

test.each([100, 3000, 10_000, 60_000])(
  'a transaction of %d bytes travels in frames like all others, as stem',
  async (length) => {
    const hidden = [hiddenPeer(), hiddenPeer()];
    const noise = channels(hidden);
    const tx = new Uint8Array(length).fill(7);
    expect(noise.send([tx])).toBe(true);
    await jest.advanceTimersByTimeAsync(290_000);
    for (const each of hidden) {
      expect(new Set(sizes(each))).toEqual(new Set([NOISE_BYTES]));
      const [message, ...more] = received(each.stream);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ kind: 'notify', command: 2002 });
      const { dandelionpp_fluff, txs } = decodeMessage(
        NEW_TRANSACTIONS,
        message?.body ?? new Uint8Array(0),
      );
      expect(dandelionpp_fluff).toBe(false);
      expect(txs).toEqual([tx]);
    }
    noise.stop();
  },
);

test('refuses messages above twenty frames, and any message without peers', () => {
  const noise = channels([hiddenPeer()]);
  expect(noise.connected).toBe(1);
  expect(noise.send([new Uint8Array(62_000)])).toBe(false);
  noise.stop();
  const lonely = channels([]);
  expect(lonely.send([new Uint8Array(10)])).toBe(false);
  lonely.stop();
});

test('restarts a message with another peer when its peer leaves', async () => {
  const hidden = [hiddenPeer(), hiddenPeer()];
  const noise = channels(hidden);
  noise.send([new Uint8Array(10_000)]);
  await jest.advanceTimersByTimeAsync(26_000); // two of four frames
  const [first] = hidden;
  expect(received(hidden[0]?.stream ?? new MemoryStream())).toEqual([]);
  first?.peer.connection.close('gone');
  const other = hiddenPeer();
  hidden.push(other);
  noise.refresh();
  expect(noise.connected).toBe(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(received(other.stream)).toHaveLength(1);
  noise.stop();
});

test('chooses new peers every five minutes', async () => {
  const hidden = Array.from({ length: 8 }, hiddenPeer);
  let seed = 1;
  const noise = new NoiseChannels({
    candidates: () => hidden.map(({ peer }) => peer),
    random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
  });
  noise.start();
  const busy = new Set<Hidden>();
  for (let minute = 0; minute < 60; minute++) {
    for (const each of hidden) each.peer.connection.notify(COMMANDS.timedSync, new Uint8Array(1));
    await jest.advanceTimersByTimeAsync(60_000);
    for (const each of hidden) if (sizes(each).includes(NOISE_BYTES)) busy.add(each);
  }
  expect(busy.size).toBeGreaterThan(4);
  noise.stop();
});
