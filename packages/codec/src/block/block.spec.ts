import { keccak256 } from '@monero-node/keccak';
import { concatBytes, fromHex, toHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { blockToJson } from './block-json.ts';
import { readEras } from '../testing/fixtures.ts';
import { encodeTransaction, parseTransaction } from '../transaction/transaction.ts';
import { blockIdOf, hashingBlobHash } from './hashed-block.ts';
import { blockHashingBlob, blockId, encodeBlock, parseBlock } from './block.ts';
import type { Block } from './types.ts';

const { blocks } = readEras();
const [, recordedV1] = blocks;

describe('genesis', () => {
  const G1 =
    '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1';
  const G2 =
    '013c01ff0001ffffffffffff0302df5d56da0c7d643ddd1ce61901c7bdc5fb1738bfe39fbe69c28a3a7032729c0f2101168d0c4ca86fb55a4cf6a36d31431be1c53a3bd7411bb24e8832410289fa6f3b';
  test.each([
    ['mainnet', 10000, G1, '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'],
    ['testnet', 10001, G1, '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b'],
    ['stagenet', 10002, G2, '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb'],
  ])('%s', (_, nonce, minerTx, id) => {
    const block: Block = {
      majorVersion: 1,
      minorVersion: 0,
      timestamp: 0,
      prevId: new Uint8Array(32),
      nonce,
      minerTx: parseTransaction(fromHex(minerTx)).tx,
      txHashes: [],
    };
    expect(toHex(blockId(block))).toBe(id);
    expect(toHex(parseBlock(encodeBlock(block)).id)).toBe(id);
  });

  test('mainnet hashing blob', () => {
    const header = '010000' + '00'.repeat(32) + '10270000';
    const parsed = parseBlock(fromHex(header + G1 + '00'));
    const minerTxId = 'c88ce9783b4f11190d7b9c17a69c1c52200f9faaee8e98dd07e6811175177139';
    expect(toHex(parsed.hashingBlob)).toBe(header + minerTxId + '01');
    expect(toHex(blockHashingBlob(parsed.block))).toBe(header + minerTxId + '01');
  });
});

describe('recorded blocks', () => {
  test('include every version and one to nine transactions', () => {
    const counts = blocks.map((block) => block.txHashes.length + 1);
    expect([1, 2, 3, 4, 5, 7, 8, 9].filter((n) => !counts.includes(n))).toEqual([]);
    const versions = new Set(blocks.map((b) => parseBlock(fromHex(b.hex)).block.majorVersion));
    expect(versions.size).toBe(16);
  });

  test.each(blocks.map((block) => [block.what, block] as const))('%s', (_, recorded) => {
    const blob = fromHex(recorded.hex);
    const parsed = parseBlock(blob);
    expect(toHex(parsed.id)).toBe(recorded.hash);
    expect(toHex(parsed.minerTx.id)).toBe(recorded.minerTxHash);
    expect(parsed.block.txHashes.map(toHex)).toEqual(recorded.txHashes);
    expect(parsed.blob.buffer).toBe(blob.buffer);
    expect(toHex(encodeBlock(parsed.block))).toBe(recorded.hex);
    expect(toHex(blockId(parsed.block))).toBe(recorded.hash);
    expect(blockHashingBlob(parsed.block)).toEqual(parsed.hashingBlob);
    expect(encodeTransaction(parsed.block.minerTx)).toEqual(parsed.minerTx.blob);
    if (recorded.json !== undefined) expect(blockToJson(parsed.block)).toBe(recorded.json);
    for (let end = 0; end < blob.length; end++) {
      expect(() => parseBlock(blob.subarray(0, end))).toThrow(DecodeError);
    }
    expect(() => parseBlock(concatBytes(blob, Uint8Array.of(0)))).toThrow(DecodeError);
  });
});

test('a transaction count cut off by the end of the blob counts as zero and is completed', () => {
  const hex = recordedV1?.hex as string;
  expect(hex.endsWith('00')).toBe(true);
  const parsed = parseBlock(fromHex(hex.slice(0, -2) + '80'));
  expect(toHex(parsed.blob)).toBe(hex);
  expect(toHex(parsed.id)).toBe(recordedV1?.hash);
});

test('hashes the length of the hashing blob before it', () => {
  const blob = new Uint8Array(76).fill(7);
  expect(hashingBlobHash(blob)).toEqual(keccak256(concatBytes(Uint8Array.of(76), blob)));
});

describe('refuses', () => {
  const header = (version: string, timestamp = '00') =>
    version + '00' + timestamp + '00'.repeat(32) + '00000000';
  const minerTx = '01' + '3c' + '01ff05' + '00' + '00';
  test.each([
    ['a version of nine bits', header('8002') + minerTx + '00'],
    ['a timestamp beyond 2^53', header('01', 'ffffffffffffffff7f') + minerTx + '00'],
    ['more ids than bytes', header('01') + minerTx + '02' + '00'.repeat(32)],
    ['a huge count', header('01') + minerTx + 'ffffffffffffffffff01'],
    ['a pruned miner transaction', header('01') + minerTx.slice(0, -2)],
  ])('%s', (_, hex) => {
    expect(() => parseBlock(fromHex(header('01') + minerTx + '00'))).not.toThrow();
    expect(() => parseBlock(fromHex(hex))).toThrow(DecodeError);
  });
});

test('computes the id of any other block at height 202612 from its bytes', () => {
  const parsed = parseBlock(fromHex(recordedV1?.hex as string));
  const block = structuredClone(parsed.block);
  block.minerTx.inputs = [{ kind: 'gen', height: 202612 }];
  const { id, hashingBlob, blob } = parseBlock(encodeBlock(block));
  expect(id).toEqual(hashingBlobHash(hashingBlob));
  expect(blockIdOf(hashingBlob, blob, true)).toEqual(blockIdOf(hashingBlob, blob, false));
});
