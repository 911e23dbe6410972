import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toHex } from '@monero-node/codec';
import { hashGroupWeights, parseBlockGroups } from '../block/block-groups.ts';
import { readFixture } from '../testing/fixtures.ts';
import { MAINNET } from './mainnet.ts';
import { NETWORKS } from './networks.ts';
import { BLOCK_GROUP_SIZE } from './types.ts';

const bytes = readFileSync(new URL('../../data/mainnet-block-groups.dat', import.meta.url));

test('the list of mainnet is the one that upstream ships', () => {
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(MAINNET.trustedBlockGroups?.sha256);
  expect(parseBlockGroups(bytes)).toHaveLength(MAINNET.trustedBlockGroups?.count ?? 0);
});

test('no other network trusts it', () => {
  const trusting = Object.values(NETWORKS).filter((network) => network.trustedBlockGroups);
  expect(trusting).toEqual([MAINNET]);
});

test('the weights of 199,680 blocks of mainnet hash to what the list says', () => {
  const { from, weights } = readFixture<{ from: number; weights: number[] }>(
    'mainnet-weights.json.gz',
  );
  const groups = parseBlockGroups(bytes);
  let compared = 0;
  const first = Math.ceil(from / BLOCK_GROUP_SIZE);
  for (let group = first; ; group++) {
    const at = group * BLOCK_GROUP_SIZE - from;
    if (at + BLOCK_GROUP_SIZE > weights.length) break;
    const own = hashGroupWeights(weights.slice(at, at + BLOCK_GROUP_SIZE).map(BigInt));
    expect(toHex(own)).toBe(toHex(groups[group]?.weights ?? own.subarray(1)));
    compared++;
  }
  expect(compared).toBe(390);
});
