import { jest } from '@jest/globals';
import { encodeMessage } from '@monero-node/codec';
import {
  FLAG_BEGIN,
  FLAG_END,
  FLAG_REQUEST,
  FLAG_RESPONSE,
  LEVIN_SIGNATURE,
  encodeDummy,
  encodeInvoke,
  encodeNotify,
  encodePaddedNotify,
  encodeResponse,
} from '../levin/frame.ts';
import { EMPTY_REQUEST, SUPPORT_FLAGS_RESPONSE } from '../messages/admin.ts';
import { REQUEST_CHAIN } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { Arena } from '../testing/arena.ts';

jest.setTimeout(60_000);

let arena: Arena;
beforeEach(async () => void (arena = await Arena.open()));
afterEach(() => arena.close());

/** A header that promises whatever the test likes. */
function header(changes: {
  length: bigint;
  command: number;
  flags?: number;
  invoke?: boolean;
}): Uint8Array {
  const out = new Uint8Array(33);
  out.set(LEVIN_SIGNATURE);
  const view = new DataView(out.buffer);
  view.setBigUint64(8, changes.length, true);
  view.setUint8(16, changes.invoke ? 1 : 0);
  view.setUint32(17, changes.command, true);
  view.setUint32(25, changes.flags ?? FLAG_REQUEST, true);
  view.setUint32(29, 1, true);
  return out;
}

const STORAGE = [1, 0x11, 1, 1, 1, 1, 2, 1, 1];
const bytes = (...parts: (number[] | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Objects in objects: one entry each, named `a`. */
function nested(depth: number): Uint8Array {
  const levels = Array.from({ length: depth }, () => [4, 1, 0x61, 12]).flat();
  return bytes(STORAGE, levels, [0]);
}

/** A section with `count` entries of one byte each, all named alike or not. */
function wide(count: number, name: (i: number) => number[]): Uint8Array {
  const size = [(count << 2) | 2, count >> 6, count >> 14, count >> 22].map((n) => n & 255);
  const entries = Array.from({ length: count }, (_, i) => [...name(i), 8, 0]).flat();
  return bytes(STORAGE, size, entries);
}

const BEFORE: [string, () => Uint8Array][] = [
  ['bytes of another protocol', () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a signature that goes wrong in its last byte', () => bytes(LEVIN_SIGNATURE.slice(0, 7), [2])],
  ['a length of 2^62', () => header({ length: 2n ** 62n, command: 1001, invoke: true })],
  ['a length of 2^64 - 1', () => header({ length: 2n ** 64n - 1n, command: 2999 })],
  ['a ping above its size limit', () => header({ length: 4097n, command: 1003, invoke: true })],
  ['a handshake over 64 KiB', () => header({ length: 65_537n, command: 1001, invoke: true })],
  ['a packet over 256 KiB before the handshake', () => header({ length: 262_145n, command: 2999 })],
  ['a handshake without a body', () => encodeInvoke(COMMANDS.handshake, new Uint8Array(0))],
  ['a handshake of zeros', () => encodeInvoke(COMMANDS.handshake, new Uint8Array(200))],
  ['objects nested 200 deep', () => encodeInvoke(COMMANDS.handshake, nested(200))],
  ['objects nested 15,000 deep', () => encodeInvoke(COMMANDS.handshake, nested(15_000))],
  [
    'a field twice',
    () =>
      encodeInvoke(
        COMMANDS.handshake,
        wide(2, () => [1, 0x61]),
      ),
  ],
  [
    'an array of 2^60 objects in ten bytes',
    () =>
      encodeInvoke(
        COMMANDS.handshake,
        bytes(STORAGE, [4, 1, 0x61, 0x8c], [255, 255, 255, 255, 255, 255, 255, 0x3f]),
      ),
  ],
  [
    'a string of 2 GB in ten bytes',
    () => encodeInvoke(COMMANDS.handshake, bytes(STORAGE, [4, 1, 0x61, 10], [2, 0x94, 0x35, 0x77])),
  ],
  ['an unsolicited answer', () => encodeResponse(COMMANDS.handshake, 1, new Uint8Array(10))],
  [
    'an unsolicited answer of 100 MB, before its body',
    () => header({ length: 100_000_000n, command: 1002, flags: FLAG_RESPONSE }),
  ],
];

test.each(BEFORE)('closed: %s', async (_, make) => {
  const attacker = await arena.attacker();
  attacker.write(make());
  await attacker.closed;
  expect(arena.points).toBe(0);
  await arena.stillServes();
});

const chainRequest = encodeMessage(REQUEST_CHAIN, { block_ids: [], prune: false });
const frame = (flags: number, body: Uint8Array): Uint8Array =>
  bytes(header({ length: BigInt(body.length), command: 0, flags }), body);

const AFTER: [string, () => Uint8Array][] = [
  ['garbage after the handshake', () => new Uint8Array(100).fill(7)],
  ['a length over 100 MB after the handshake', () => header({ length: 100_000_001n, command: 9 })],
  [
    'a request for blocks over 2 MiB',
    () => header({ length: 2_097_153n, command: COMMANDS.requestObjects }),
  ],
  [
    'seventeen thousand fields',
    () =>
      encodeNotify(
        COMMANDS.requestChain,
        wide(17_000, (i) => [2, i & 255, i >> 8]),
      ),
  ],
  ['a notification without a body', () => encodeNotify(COMMANDS.requestChain, new Uint8Array(0))],
  ['an answer to a notification', () => encodeResponse(COMMANDS.responseChain, 1, chainRequest)],
  ['a last fragment without a first', () => frame(FLAG_END, new Uint8Array(10))],
  [
    'fragments around garbage',
    () => bytes(frame(FLAG_BEGIN, new Uint8Array(40)), frame(FLAG_END, new Uint8Array(40))),
  ],
  [
    'fragments shorter than their inner message',
    () =>
      bytes(
        frame(FLAG_BEGIN, header({ length: 500n, command: COMMANDS.requestChain })),
        frame(FLAG_END, new Uint8Array(100)),
      ),
  ],
  [
    'fragments around a body over the limit of its command',
    () =>
      bytes(
        frame(FLAG_BEGIN, header({ length: 4_097n, command: COMMANDS.ping, invoke: true })),
        frame(FLAG_END, new Uint8Array(4_100)),
      ),
  ],
];

test.each(AFTER)('closed: %s', async (_, make) => {
  const attacker = await arena.introduced();
  attacker.write(make());
  await attacker.closed;
  expect(arena.points).toBe(0);
  await arena.stillServes();
});

test('closed: an answer to another command than the requested one', async () => {
  const attacker = await arena.introduced({}, { support_flags: 0 });
  await attacker.next(COMMANDS.supportFlags); // the node asks
  attacker.write(encodeResponse(COMMANDS.timedSync, 1, encodeMessage(EMPTY_REQUEST, {})));
  await attacker.closed;
  await arena.stillServes();
});

test('stays: support flags that do not decode are ignored', async () => {
  const attacker = await arena.introduced({}, { support_flags: 0 });
  await attacker.next(COMMANDS.supportFlags);
  attacker.write(encodeResponse(COMMANDS.supportFlags, 1, new Uint8Array(5)));
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  attacker.respond(COMMANDS.supportFlags, SUPPORT_FLAGS_RESPONSE, { support_flags: 1 });
  await attacker.closed; // and a second answer is one too many
  await arena.stillServes();
});

test('closed: fragments without an end, before they take much memory', async () => {
  const attacker = await arena.attacker();
  attacker.write(frame(FLAG_BEGIN, new Uint8Array(1000)));
  const middle = frame(0, new Uint8Array(60_000));
  for (let i = 0; i < 10; i++) attacker.write(middle);
  await attacker.closed;
  await arena.stillServes();
});

test('stays: a flood of dummies', async () => {
  const attacker = await arena.introduced();
  for (let i = 0; i < 500; i++) attacker.write(encodeDummy(3072));
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  await arena.stillServes();
});

test('stays: valid fragments and padding', async () => {
  const attacker = await arena.introduced();
  const ids = [arena.test.chain.idAt(3), arena.test.chain.idAt(0)];
  for (const size of [66, 100, 3072]) {
    const body = encodeMessage(REQUEST_CHAIN, { block_ids: ids, prune: false });
    for (const part of encodePaddedNotify(size, COMMANDS.requestChain, body)) attacker.write(part);
    await attacker.next(COMMANDS.responseChain);
  }
  await arena.stillServes();
});

test('stays: unknown requests are refused, unknown notifications ignored', async () => {
  const attacker = await arena.introduced();
  for (const command of [0, 1004, 1005, 1006, 2005, 0xffffffff]) {
    attacker.write(encodeNotify(command, new Uint8Array(100)));
    attacker.invoke(command, EMPTY_REQUEST, {});
    expect((await attacker.next(command)).returnCode).toBe(-6);
  }
  // The wrong kind: a notification that comes as a request, a request that comes as a notification.
  attacker.invoke(COMMANDS.requestChain, EMPTY_REQUEST, {});
  expect((await attacker.next(COMMANDS.requestChain)).returnCode).toBe(-6);
  attacker.notify(COMMANDS.ping, EMPTY_REQUEST, {});
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  await arena.stillServes();
});
