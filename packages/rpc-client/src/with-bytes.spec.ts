import { toHex } from '@monero-node/codec/bytes';
import { FieldValueError } from '@monero-node/codec/portable-storage';
import { METHOD_SCHEMAS, type MethodSchema } from '@monero-node/rpc-schema';
import { withBytes } from './with-bytes.ts';
import { binaryRequest, jsonRequest } from './write-request.ts';

const ID = new Uint8Array(32).fill(0xab);
const OTHER = new Uint8Array(32).fill(0xcd);

const schemas: readonly MethodSchema[] = Object.values(METHOD_SCHEMAS);
const requestOf = (address: string) =>
  (
    schemas.find(({ names = [], paths = [], binaryPaths = [] }) =>
      [...names, ...paths, ...binaryPaths].includes(address),
    ) as MethodSchema
  ).request;
const jsonOf = (address: string, request: unknown): unknown =>
  JSON.parse(new TextDecoder().decode(jsonRequest(requestOf(address), request)));

/** Requests of JSON with bytes, and what is sent. The same is sent for their hex. */
test.each<[string, (of: (bytes: Uint8Array) => unknown) => unknown]>([
  ['get_block', (of) => ({ hash: of(ID) })],
  ['get_block_header_by_hash', (of) => ({ hash: of(ID), hashes: [of(ID), of(OTHER)] })],
  ['/get_transactions', (of) => ({ txs_hashes: [of(ID), of(OTHER)], prune: true })],
  ['/is_key_image_spent', (of) => ({ key_images: [of(ID)] })],
  ['/send_raw_transaction', (of) => ({ tx_as_hex: of(new Uint8Array(100)) })],
  ['submit_block', (of) => [of(new Uint8Array(100))]],
  ['relay_tx', (of) => ({ txids: [of(ID)] })],
  ['flush_txpool', (of) => ({ txids: [of(ID)] })],
  ['calc_pow', (of) => ({ block_blob: of(new Uint8Array(80)), seed_hash: of(ID) })],
  [
    'add_aux_pow',
    (of) => ({ aux_pow: [{ hash: of(ID), id: of(OTHER) }], blocktemplate_blob: of(ID) }),
  ],
])('%s takes bytes, or their hex', (address, request) => {
  const sent = request(toHex);
  expect(
    jsonOf(
      address,
      request((bytes) => bytes),
    ),
  ).toEqual(sent);
  expect(jsonOf(address, sent)).toEqual(sent);
});

test('binary requests take hex, or its bytes', () => {
  const kind = requestOf('/get_blocks.bin');
  const bytes = binaryRequest(kind, { block_ids: [ID, OTHER], start_height: 5 });
  const hex = binaryRequest(kind, { block_ids: [toHex(ID), toHex(OTHER)], start_height: 5 });
  expect(hex).toEqual(bytes);
  const indexes = requestOf('/get_o_indexes.bin');
  expect(binaryRequest(indexes, { txid: toHex(ID) })).toEqual(binaryRequest(indexes, { txid: ID }));
});

test('what is neither is refused', () => {
  const kind = requestOf('/get_blocks.bin');
  for (const block_ids of [['x'], ['ab'], [5], 'ab'.repeat(32)]) {
    expect(() => binaryRequest(kind, { block_ids })).toThrow(FieldValueError);
  }
  // Text that is no hex by its nature takes no bytes.
  expect(() => jsonOf('/start_mining', { miner_address: ID })).toThrow(FieldValueError);
  expect(() => jsonOf('get_block', { hash: 5 })).toThrow(FieldValueError);
});

test('dates are Unix seconds, where a request has a time', () => {
  const { request } = METHOD_SCHEMAS.getBlocksBin;
  const date = new Date('2014-04-18T10:49:53.999Z');
  expect(withBytes(request, { pool_info_since: date })).toEqual({ pool_info_since: 1397818193n });
  for (const wrong of [new Date(NaN), new Date(-1)]) {
    expect(() => withBytes(request, { pool_info_since: wrong })).toThrow(FieldValueError);
  }
  expect(withBytes(request, { start_height: date })).toEqual({ start_height: date });
});
