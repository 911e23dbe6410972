import { fromHex, parseAddress, parseBlock, toHex } from '@monero-node/codec';
import type { HardFork } from '@monero-node/consensus';
import { randomxCommitment } from '@monero-node/pow';
import { devAccount } from './accounts.ts';
import type { DevNode } from './dev-node.ts';
import { startNetwork } from './dev-network.ts';

/** First height with RandomX version 2. */
const CHANGE = 2;
const HARD_FORKS: readonly HardFork[] = [
  { version: 1, height: 0, time: 0 },
  { version: 14, height: 1, time: 0 },
  { version: 16, height: CHANGE, time: 0, powAlgorithm: 'randomx-v2' },
];

/** Returns the hash of a block's proof of work as the RPC tells it, and its hashing blob. */
async function workOf({ rpc, node }: DevNode, height: number) {
  const { block_header: header } = await rpc.rpc('get_block_header_by_height', {
    height: BigInt(height),
    fill_pow_hash: true,
  });
  const { block_header: same } = await rpc.rpc('get_block', {
    height: BigInt(height),
    fill_pow_hash: true,
  });
  expect(same.pow_hash).toBe(header.pow_hash);
  const { hashingBlob } = parseBlock(node.blockchain.store.blockBlob(height) ?? new Uint8Array());
  return { work: String(header.pow_hash), blob: hashingBlob, version: header.major_version };
}

test('two nodes cross the height of RandomX version 2 with real proofs of work, and come back over it', async () => {
  const network = await startNetwork(2, { difficulty: 2, hardForks: HARD_FORKS });
  const { first } = network;
  const [, second] = network.nodes;
  if (second === undefined) throw new Error('two');
  await first.mine(CHANGE);
  await network.inStep();

  for (let height = 1; height <= CHANGE; height++) {
    const { work, blob, version } = await workOf(second, height);
    const isV2 = height >= CHANGE;
    const hash = await first.node.pow.hash({
      kind: isV2 ? 'randomx-v2' : 'randomx',
      seedHash: first.node.network.genesisId,
      blob,
    });
    expect(work).toBe(toHex(isV2 ? randomxCommitment(blob, hash) : hash));
    const asked = { block_blob: toHex(blob), height: BigInt(height), seed_hash: '' };
    const request = { ...asked, major_version: version };
    expect(await first.rpc.rpc('calc_pow', request)).toEqual(fromHex(work));
    // The block's own version decides, and not its height.
    const other = { ...asked, major_version: isV2 ? 14 : 16 };
    expect(await first.rpc.rpc('calc_pow', other)).not.toEqual(fromHex(work));
  }
  const data = await first.rpc.rpc('get_miner_data', {});
  expect(data.seed_hash).toEqual(first.node.network.genesisId);

  // The built-in miner, generateblocks and the devnet's own.
  const { address } = devAccount(0);
  await first.node.miner.start({
    address: parseAddress(address),
    threads: 1,
    background: false,
    ignoreBattery: true,
  });
  await first.waitForHeight(CHANGE + 2, 60_000);
  await first.node.miner.stop();
  await first.rpc.rpc('generateblocks', { amount_of_blocks: 1n, wallet_address: address });
  await network.inStep();

  const depth = second.height - CHANGE + 1;
  await second.reorganize(depth);
  await network.inStep();
  expect(first.height).toBe(CHANGE + depth);
  await network.stop();
});
