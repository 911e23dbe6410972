import { hex } from '../../chain/bytes.ts';
import type { Json } from '../../harness/json.ts';
import type { ChainSample } from '../chain-sample.ts';
import { MAIN, rpc, type ReplayRequest } from '../request.ts';
import { repeat, UNKNOWN_HASH } from './values.ts';

/** Returns requests about blocks and headers, and for `submit_block`. */
export function blockRequests({ top, ids, blocks: blobs }: ChainSample): ReplayRequest[] {
  const id = hex(ids[77] ?? Buffer.alloc(32));
  const block = blobs[top] ?? '';
  const heights: Json[] = [0, 1, 700, top, top + 1, top + 1000, 2 ** 40, 2n ** 64n - 1n];
  const hashes: Json[] = [
    id,
    id.toUpperCase(),
    UNKNOWN_HASH,
    'xyz',
    '00',
    `${id}00`,
    ` ${id}`,
    `0x${id}`,
  ];
  return [
    ...heights.flatMap((height) => [
      rpc('get_block', { height }),
      rpc('get_block_header_by_height', { height }),
      rpc('get_block_header_by_height', { height, fill_pow_hash: true }),
      rpc('on_get_block_hash', [height]),
    ]),
    ...([[], [1, 2], ['5'], ['x'], [-1], [true], [{}], {}, 5, 'text', null] as Json[]).map((list) =>
      rpc('on_get_block_hash', list),
    ),
    ...hashes.flatMap((hash) => [
      rpc('get_block', { hash }),
      rpc('get_block_header_by_hash', { hash }),
      rpc('get_block_header_by_hash', { hashes: [id, hash] }),
    ]),
    rpc('get_block', { hash: id, height: 5 }),
    rpc('getblock', { height: 5, fill_pow_hash: true }),
    rpc('get_block_header_by_hash', { hashes: repeat(1001, id) }),
    ...(
      [
        ...[
          [0, 0],
          [5, 9],
          [9, 5],
          [top, top],
          [0, top + 1],
          [0, 999],
          [0, 1000],
          [0, 1001],
        ],
        ...[
          [top + 1, top + 1],
          [0, 2n ** 64n - 1n],
          [2n ** 64n - 1n, 0],
        ],
      ] as [Json, Json][]
    ).map(([start_height, end_height]) =>
      rpc('get_block_headers_range', { start_height, end_height }),
    ),
    rpc('get_last_block_header', { fill_pow_hash: true }),
    ...(
      [[], ['xyz'], ['00'], ['00', '00'], [5], {}, 'text', null, ['00'.repeat(300_000)]] as Json[]
    ).map((list) => rpc('submit_block', list)),
    { ...rpc('submit_block', [block]), name: 'submit_block of the top block' },
    { ...rpc('submit_block', [block.slice(0, -2)]), name: 'submit_block without its last byte' },
    { ...rpc('submit_block', [block.slice(0, -4)]), name: 'submit_block without its last bytes' },
    { ...rpc('submit_block', [`${block}00`]), name: 'submit_block and a byte more' },
    ...(
      [
        [0, top + 1],
        [0, top + 2],
        [200, 37],
        [top, 1],
        [top, 2],
        [0, 0],
        [top + 1, 0],
      ] as const
    ).map(([height, count]) => rpc('get_coinbase_tx_sum', { height, count }, MAIN)),
  ];
}
