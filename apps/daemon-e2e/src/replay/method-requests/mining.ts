import { hex } from '../../chain/bytes.ts';
import type { Json } from '../../harness/json.ts';
import type { ChainSample } from '../chain-sample.ts';
import { json, MAIN, rpc, type ReplayRequest } from '../request.ts';
import { repeat, UNKNOWN_HASH } from './values.ts';

const SUBADDRESS =
  '8AsN91rznfkBGTY8psSNkJBg9SZgxxGGRUhGwRptBhgr5XSQ1XzmA9m8QAnoxydecSh5aLJXdrgXwTDMMZ1AuXsN1EX5Mtm';

/** Returns requests for block templates, `generateblocks`, merge mining, `start_mining` and `calc_pow`. */
export function miningRequests(
  { top, ids, blocks: blobs }: ChainSample,
  address: string,
): ReplayRequest[] {
  const template = (more: { [name: string]: Json }): ReplayRequest =>
    rpc('get_block_template', { wallet_address: address, ...more });
  const generate = (more: { [name: string]: Json }): ReplayRequest =>
    rpc('generateblocks', { wallet_address: address, amount_of_blocks: 1, ...more }, MAIN);
  const aux = (aux_pow: Json, blob = 'ab'): ReplayRequest =>
    rpc('add_aux_pow', { blocktemplate_blob: blob, aux_pow });
  const entry = { id: '11'.repeat(32), hash: '22'.repeat(32) };
  const start = (body: { [name: string]: Json }): ReplayRequest =>
    json('/start_mining', body, MAIN);
  return [
    template({}),
    ...[0, 1, 8, 60, 127, 128, 255, 256, 1000].map((reserve_size) => ({
      ...template({ reserve_size }),
      name: `get_block_template with reserve_size ${reserve_size}`,
    })),
    template({ extra_nonce: 'ab' }),
    template({ extra_nonce: 'xyz' }),
    template({ extra_nonce: 'a'.repeat(512) }),
    template({ extra_nonce: 'ab', reserve_size: 5 }),
    template({ prev_block: 'xyz' }),
    template({ prev_block: UNKNOWN_HASH }),
    template({ prev_block: hex(ids[top - 3] ?? Buffer.alloc(32)), reserve_size: 4 }),
    template({ wallet_address: SUBADDRESS }),
    template({ wallet_address: address.slice(0, -1) }),
    template({ wallet_address: `${address}1` }),
    template({ wallet_address: '' }),
    generate({ amount_of_blocks: 0 }),
    generate({ wallet_address: SUBADDRESS }),
    generate({ wallet_address: 'x' }),
    generate({ prev_block: 'xyz' }),
    generate({ prev_block: UNKNOWN_HASH }),
    aux([]),
    aux([{ ...entry, id: 'zz' }]),
    aux([{ ...entry, hash: 'zz' }]),
    aux([entry]),
    aux([entry], 'zz'),
    aux([entry], blobs[top] ?? ''),
    aux([entry, entry], blobs[top] ?? ''),
    { ...aux(repeat(11, entry), blobs[top] ?? ''), name: 'add_aux_pow of 11 chains' },
    start({ miner_address: SUBADDRESS, threads_count: 1 }),
    start({ miner_address: address, threads_count: 10_000 }),
    start({ miner_address: '', threads_count: 1 }),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'zz' }, MAIN),
    rpc(
      'calc_pow',
      {
        major_version: 16,
        height: 1,
        block_blob: blobs[5] ?? '',
        seed_hash: hex(ids[0] ?? Buffer.alloc(32)),
      },
      MAIN,
    ),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: blobs[5] ?? '' }, MAIN),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'ab', seed_hash: 'zz' }, MAIN),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'ab', seed_hash: 'ab' }, MAIN),
    ...[1, 7, 8, 9, 10, 11].map((major_version) =>
      rpc(
        'calc_pow',
        { major_version, height: 1, block_blob: blobs[5] ?? '', seed_hash: '' },
        MAIN,
      ),
    ),
  ];
}
