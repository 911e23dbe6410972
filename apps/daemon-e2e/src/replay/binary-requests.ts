import { encodeStorage, u32, u64, u8, type Section } from '../harness/portable-storage.ts';
import type { ChainSample } from './chain-sample.ts';
import { binary, BOTH, post, type ReplayRequest } from './request.ts';

const SIGNATURE = '011101010101020101';
const bytes = (text: string): Buffer => Buffer.from(text, 'hex');

/** Portable storage documents that are broken in one way each, made from the valid `good`. */
function broken(good: Buffer): [name: string, body: Uint8Array][] {
  return [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([1])],
    ['text', Buffer.from('{}')],
    ['another signature', Buffer.concat([Buffer.from([2]), good.subarray(1)])],
    ['another version', Buffer.concat([good.subarray(0, 8), Buffer.from([9]), good.subarray(9)])],
    ['only a signature', bytes(SIGNATURE)],
    ['no members', bytes(`${SIGNATURE}00`)],
    ['fewer members than said', bytes(`${SIGNATURE}08`)],
    ['a huge count of members', bytes(`${SIGNATURE}ffffffffffffffff`)],
    ['an empty name', bytes(`${SIGNATURE}04000800`)],
    ['an unknown type', bytes(`${SIGNATURE}0401617f00`)],
    ['type 0', bytes(`${SIGNATURE}04016100`)],
    ['type 13', bytes(`${SIGNATURE}0401610d00`)],
    ['a string longer than the rest', bytes(`${SIGNATURE}0401610aff`)],
    ['a string of 2^62 bytes', bytes(`${SIGNATURE}0401610affffffffffffffff`)],
    ['an array of 2^62 items', bytes(`${SIGNATURE}04016185ffffffffffffffff`)],
    ['an array of empty objects', bytes(`${SIGNATURE}0401618c1000000000`)],
    ['deep objects', bytes(`${SIGNATURE}${'0401610c'.repeat(150)}00`)],
    ['a name without end', bytes(`${SIGNATURE}04ff61`)],
    ['cut in half', good.subarray(0, good.length / 2)],
    ['cut by one', good.subarray(0, -1)],
    ['bytes after the end', Buffer.concat([good, Buffer.alloc(8)])],
  ];
}

/** Returns requests to binary paths, with right and wrong arguments. */
export function binaryRequests(sample: ChainSample): readonly ReplayRequest[] {
  const { top, ids, txIds, history } = sample;
  const id = (height: number): Buffer => ids[height] ?? Buffer.alloc(32);
  const good = encodeStorage({ block_ids: history(5), start_height: u64(0), prune: false });
  const paths = [
    ...['/get_blocks.bin', '/get_hashes.bin', '/get_blocks_by_height.bin', '/get_o_indexes.bin'],
    ...['/get_outs.bin', '/get_output_distribution.bin'],
  ];
  const ask = (path: string, cases: Readonly<Record<string, Section>>): ReplayRequest[] =>
    Object.entries(cases).map(([name, body]) => binary(path, body, BOTH, name));
  const from = (start: number | bigint, more: Section = {}): Section => ({
    block_ids: history(5),
    start_height: u64(start),
    prune: true,
    ...more,
  });
  const blockCases: Record<string, Section> = {
    'no ids': { block_ids: Buffer.alloc(0), start_height: u64(0), prune: false },
    'ids that are cut': from(0, { block_ids: history(5).subarray(0, 70) }),
    'no genesis': from(0, { block_ids: id(5) }),
    'a foreign genesis': from(0, { block_ids: Buffer.alloc(32, 7) }),
    'unknown ids first': from(0, {
      block_ids: Buffer.concat([Buffer.alloc(32, 7), history(top - 5)]),
    }),
    'the tip': from(0, { block_ids: history(top) }),
    'near the tip': from(0, { block_ids: history(top - 10) }),
    'start at the tip': from(top),
    'start past the tip': from(top + 1),
    'start far past the tip': from(2n ** 63n),
    'start at 1200': from(1200),
    'start at 1200, unpruned': from(1200, { prune: false }),
    'start at 1200, without coinbase': from(1200, { no_miner_tx: true }),
    'requested_info 1': from(1200, { requested_info: u8(1) }),
    'requested_info 2': from(1200, { requested_info: u8(2) }),
    'requested_info 9': from(1200, { requested_info: u8(9) }),
    'max_block_count 5': from(1200, { max_block_count: u64(5) }),
    'only a start': { start_height: u64(1210) },
    'a start of 32 bits': { block_ids: history(5), start_height: u32(1210), prune: true },
    'a start of text': { block_ids: history(5), start_height: '1210', prune: true },
    'ids as an array': { block_ids: [id(5), id(0)], start_height: u64(1210), prune: true },
    'ids as a number': { block_ids: u64(5), start_height: u64(1210), prune: true },
    'prune as a number': { block_ids: history(5), start_height: u64(1210), prune: u8(1) },
  };
  return [
    ...paths.flatMap((path) =>
      broken(good).map(([name, body]) => ({ ...post(path, body), name: `${path} ${name}` })),
    ),
    ...paths.map((path) => ({ ...binary(path, {}), name: `${path} an empty document` })),
    ...ask('/get_blocks.bin', blockCases),
    ...ask('/getblocks.bin', { alias: from(1210) }),
    ...ask('/get_hashes.bin', {
      'no ids': { block_ids: Buffer.alloc(0), start_height: u64(0) },
      'no genesis': { block_ids: id(5), start_height: u64(0) },
      'the tip': { block_ids: history(top), start_height: u64(0) },
      'from the start': { block_ids: history(0), start_height: u64(0) },
      'with a start': { block_ids: history(600), start_height: u64(1000) },
      'unknown ids first': { block_ids: Buffer.concat([Buffer.alloc(32, 7), history(9)]) },
    }),
    ...ask('/gethashes.bin', { alias: { block_ids: history(top - 3), start_height: u64(0) } }),
    ...ask('/get_blocks_by_height.bin', {
      none: { heights: [] },
      three: { heights: [u64(0), u64(7), u64(top)] },
      'the same twice': { heights: [u64(7), u64(7)] },
      'past the tip': { heights: [u64(7), u64(top + 1)] },
      'far past the tip': { heights: [u64(2n ** 64n - 1n)] },
      'of 32 bits': { heights: [u32(7)] },
      'a blob': { heights: Buffer.alloc(16) },
      '1001': { heights: Array.from({ length: 1001 }, (_, i) => u64(i)) },
    }),
    ...ask('/getblocks_by_height.bin', { alias: { heights: [u64(5)] } }),
    ...ask('/get_o_indexes.bin', {
      known: { txid: bytes(txIds[3] ?? '') },
      unknown: { txid: Buffer.alloc(32) },
      short: { txid: Buffer.alloc(31) },
      'as hex': { txid: txIds[3] ?? '' },
    }),
    ...ask('/get_outs.bin', {
      two: {
        outputs: [
          { amount: u64(0), index: u64(0) },
          { amount: u64(0), index: u64(9) },
        ],
      },
      'without ids': { outputs: [{ amount: u64(0), index: u64(9) }], get_txid: false },
      unknown: { outputs: [{ amount: u64(0), index: u64(10 ** 9) }] },
      'an unknown amount': { outputs: [{ amount: u64(77), index: u64(0) }] },
      'no fields': { outputs: [{}] },
      '5001': { outputs: Array.from({ length: 5001 }, () => ({ amount: u64(0), index: u64(1) })) },
    }),
    ...ask('/get_output_distribution.bin', {
      binary: { amounts: [u64(0)], binary: true },
      compressed: { amounts: [u64(0)], binary: true, compress: true },
      cumulative: { amounts: [u64(0)], cumulative: true, binary: true },
      'not binary': { amounts: [u64(0)], binary: false },
      'another amount': { amounts: [u64(5)], binary: true },
      'from behind to': { amounts: [u64(0)], from_height: u64(9), to_height: u64(5), binary: true },
      'past the tip': { amounts: [u64(0)], to_height: u64(top + 9), binary: true },
    }),
  ];
}
