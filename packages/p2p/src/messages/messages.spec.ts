import { DecodeError, decodeMessage, encodeMessage, fromHex, toHex } from '@monero-node/codec';
import { defineTable } from '@monero-node/codec/portable-storage';
import type { Table, TxBlobEntry } from '@monero-node/codec/portable-storage';
import { NETWORKS } from '@monero-node/consensus';
import { decodeHeader } from '../levin/frame.ts';
import { unknownAddress } from '../net/address.ts';
import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { recordedFrame } from '../testing/recorded/frames.ts';
import type { RecordedName } from '../testing/recorded/frames.ts';
import {
  EMPTY_REQUEST,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  PING_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from './admin.ts';
import { NEW_BLOCK, REQUEST_OBJECTS, RESPONSE_OBJECTS } from './blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from './chain.ts';
import { COMMANDS } from './commands.ts';
import { NET_ADDRESS } from './peer-entries.ts';
import { JOINED_COMPLEMENT, NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from './transactions.ts';

const NETWORK_ID = '1230f171610441611731008216a1a110';
const TOP = '7da58218ef03deef42760c0808cbef0dd7b12b8466da448d36673b9a3a593f1a';
const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3';

const RECORDED: [RecordedName, number, Table][] = [
  ['handshakeRequest', COMMANDS.handshake, HANDSHAKE_REQUEST],
  ['handshakeResponse', COMMANDS.handshake, HANDSHAKE_RESPONSE],
  ['timedSyncRequest', COMMANDS.timedSync, TIMED_SYNC_REQUEST],
  ['timedSyncResponse', COMMANDS.timedSync, TIMED_SYNC_RESPONSE],
  ['pingResponse', COMMANDS.ping, PING_RESPONSE],
  ['supportFlagsRequest', COMMANDS.supportFlags, EMPTY_REQUEST],
  ['supportFlagsResponse', COMMANDS.supportFlags, SUPPORT_FLAGS_RESPONSE],
  ['objectsRequest', COMMANDS.requestObjects, REQUEST_OBJECTS],
  ['objects', COMMANDS.responseObjects, RESPONSE_OBJECTS],
  ['objectsPruned', COMMANDS.responseObjects, RESPONSE_OBJECTS],
  ['chainRequest', COMMANDS.requestChain, REQUEST_CHAIN],
  ['chainEntry', COMMANDS.responseChain, RESPONSE_CHAIN],
  ['fluffyBlock', COMMANDS.newFluffyBlock, NEW_BLOCK],
  ['fluffyMissingAnswer', COMMANDS.newFluffyBlock, NEW_BLOCK],
  ['complementRequest', COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT],
  ['complementRequest', COMMANDS.txpoolComplement, JOINED_COMPLEMENT],
  ['complementAnswer', COMMANDS.newTransactions, NEW_TRANSACTIONS],
].map(([name, command, schema]) => [name as RecordedName, command as number, schema as Table]);

test.each(RECORDED)('%s is decoded and encoded to the same bytes', (name, command, schema) => {
  const { bytes, body } = recordedFrame(name);
  expect(decodeHeader(bytes).command).toBe(command);
  expect(toHex(encodeMessage(schema, decodeMessage(schema, body)))).toBe(toHex(body));
});

test('the list of pool ids is the same message joined and apart, also when it is empty', () => {
  const ids = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  for (const hashes of [ids, []]) {
    const joined = encodeMessage(JOINED_COMPLEMENT, { hashes: Buffer.concat(hashes) });
    expect(toHex(joined)).toBe(toHex(encodeMessage(TXPOOL_COMPLEMENT, { hashes })));
    const read = decodeMessage(JOINED_COMPLEMENT, joined);
    expect(toHex(read.hashes)).toBe(toHex(Buffer.concat(hashes)));
  }
});

test('reads the description of a node and its chain', () => {
  const { node_data, payload_data } = decodeMessage(
    HANDSHAKE_RESPONSE,
    recordedFrame('handshakeResponse').body,
  );
  expect(toHex(node_data.network_id)).toBe(NETWORK_ID);
  expect(node_data).toMatchObject({ my_port: 40691, support_flags: 1, rpc_port: 0 });
  expect(payload_data).toMatchObject({
    cumulative_difficulty: 1217n,
    cumulative_difficulty_top64: 0n,
    current_height: 1217,
    pruning_seed: 0,
    top_version: 16,
  });
  expect(toHex(payload_data.top_id)).toBe(TOP);
});

test('reads a chain request and a chain entry', () => {
  const request = decodeMessage(REQUEST_CHAIN, recordedFrame('chainRequest').body);
  expect(request.block_ids.map(toHex)).toEqual([GENESIS]);
  const entry = decodeMessage(RESPONSE_CHAIN, recordedFrame('chainEntry').body);
  expect(entry).toMatchObject({ start_height: 1209, total_height: 1217 });
  expect(entry.m_block_ids).toHaveLength(8);
  expect(toHex(entry.m_block_ids[7] ?? new Uint8Array())).toBe(TOP);
  expect(entry.m_block_weights).toHaveLength(8);
  expect(entry.first_block.length).toBeGreaterThan(80);
});

test('reads whole and pruned blocks', () => {
  const whole = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body);
  const pruned = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objectsPruned').body);
  for (const answer of [whole, pruned]) {
    expect(answer.blocks.map(({ txs }) => txs.length)).toEqual([1, 0]);
    expect(answer.missed_ids.map(toHex)).toEqual(['42'.repeat(32)]);
    expect(answer.current_blockchain_height).toBe(1217);
  }
  expect(whole.blocks[0]).toMatchObject({ pruned: false, block_weight: 0 });
  expect(pruned.blocks[0]?.pruned).toBe(true);
  expect(pruned.blocks[0]?.block_weight).toBeGreaterThan(1000);
  const tx = pruned.blocks[0]?.txs[0] as TxBlobEntry;
  expect(tx.prunable_hash.some((byte) => byte !== 0)).toBe(true);
});

test('the fluff flag is true when absent, and left out when true', () => {
  const answer = decodeMessage(NEW_TRANSACTIONS, recordedFrame('complementAnswer').body);
  expect(answer).toEqual({ _: '', dandelionpp_fluff: false, txs: [] });
  const fluff = encodeMessage(NEW_TRANSACTIONS, { _: '', dandelionpp_fluff: true, txs: [] });
  expect(decodeMessage(NEW_TRANSACTIONS, fluff).dandelionpp_fluff).toBe(true);
  expect(new TextDecoder().decode(fluff)).not.toContain('dandelionpp');
});

describe('network addresses', () => {
  const PEER = defineTable({ adr: NET_ADDRESS });
  // Written by hand from the field table: the object "adr" of two entries, "addr" object and "type" uint8.
  const START = '011101010101020101 04 03616472 0c 08';
  const ipv4 = `${START}0461646472 0c 08 046d5f6970 06 04030201 066d5f706f7274 07 a046 0474797065 08 01`;
  const bytes = (hex: string): Uint8Array => fromHex(hex.replaceAll(' ', ''));

  test('IPv4 has the first octet in the low byte', () => {
    const adr = { kind: 'ipv4', host: '4.3.2.1', port: 18080 } as const;
    expect(decodeMessage(PEER, bytes(ipv4))).toEqual({ adr });
    expect(toHex(encodeMessage(PEER, { adr }))).toBe(toHex(bytes(ipv4)));
  });

  test('other kinds are decoded as they were encoded', () => {
    for (const adr of [
      { kind: 'ipv6', host: '2001:db8::7', port: 1 },
      parsePeerAddress(NETWORKS.mainnet.torSeedNodes[0] ?? '', 1) as NetAddress,
      parsePeerAddress(NETWORKS.mainnet.i2pSeedNodes[0] ?? '', 1) as NetAddress,
      unknownAddress('tor'),
    ] as const)
      expect(decodeMessage(PEER, encodeMessage(PEER, { adr }))).toEqual({ adr });
  });

  test('a hidden service is written as its name and a port, which is always 1 for I2P', () => {
    const host = NETWORKS.mainnet.i2pSeedNodes[0] ?? '';
    const text = Buffer.from(host).toString('hex');
    const expected = `${START}0461646472 0c 08 04686f7374 0a ${toHex(Uint8Array.of(host.length * 4))} ${text} 04706f7274 07 0100 0474797065 08 03`;
    const adr = { kind: 'i2p', host, port: 18083 } as const;
    expect(toHex(encodeMessage(PEER, { adr }))).toBe(toHex(bytes(expected)));
  });

  test('refuses a hidden service with a malformed name', () => {
    const adr = { kind: 'tor', host: `${'a'.repeat(56)}.onion`, port: 1 } as const;
    expect(() => decodeMessage(PEER, encodeMessage(PEER, { adr }))).toThrow(DecodeError);
  });

  test('refuses an unknown type of address', () => {
    const unknown = `${ipv4.slice(0, -2)}05`;
    expect(() => decodeMessage(PEER, bytes(unknown))).toThrow(DecodeError);
  });
});
