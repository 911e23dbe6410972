import { NETWORKS } from '@monero-node/consensus';
import { blockId, encodeLooseBlock, parseLooseBlock, type LooseBlock } from './block.ts';

/** Block 1 of mainnet, 771fbcd6…, as the network has it. */
const BLOCK_1 = Buffer.from(
  [
    '0100d186c49a05418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e345fc7c30013d01ff01',
    '09c0a710025f391ad90e8b64ef432a0a28d0d9d699189b9c1322248ddbdb699c101a3cd9c3c0a8a5040233b81ac83846',
    '7f7c59079e80517be1a45de51248a9bd841bf783e0aca7b2d5e2808ece1c023dc61a8cab11504ef1a36c51affeb7eed2',
    '22cd09c98bf5045e489c23b409c9bc80c2d72f022caa4a9af327b36df136599a104278cf44342b0732bb5ad8c4c35825',
    '31add94b80a8d6b90702f9edf7d361176a29d1ce53e890e6ebc1e721d9719d273b69f1eb15d96025c6348088aca3cf02',
    '022e5ba472765cb2297f51f1a47aaf5f358cf48e16593c25bfc1880578014a65ed8090cad2c60e021b82a36cde1c9a61',
    '03d99ea6ebfb9f82b2547cef8934d8e87cf5e20c098ede9c80e08d84ddcb0102b37974cac8678446a230fb3e1b0ec06d',
    '56666bf0bf43dd64ff096a01f5aa2fda80c0caf384a30202a0c492751cb53389c9228f68b1ec1be831fb774a285f06c4',
    'ee02053858486e8221012a9fca96074c5216f9622c58c5c95024e53ff579d128913548363cb14d7f637400',
  ].join(''),
  'hex',
);

const MONEY_SUPPLY = 2n ** 64n - 1n;
const UNLOCK_WINDOW = 60n;

/**
 * Returns blocks of mainnet from genesis: block 0 and block 1 are real, and all others are forged, with rewards of
 * the first fork and nonces that were not searched for.
 *
 * @param count number of blocks, the real ones included
 * @param spacing seconds between two blocks. At 60 and more the difficulty remains 1, so that every nonce is good.
 */
export function forgedMainnet(count: number, spacing: number): { id: Buffer; block: Buffer }[] {
  const blobs: Buffer[] = [Buffer.from(NETWORKS.mainnet.genesisBlob), BLOCK_1];
  let last = parseLooseBlock(BLOCK_1);
  let generated = blobs.reduce((sum, blob) => sum + rewardOf(parseLooseBlock(blob)), 0n);
  for (let height = blobs.length; height < count; height++) {
    const reward = (MONEY_SUPPLY - generated) >> 20n;
    last = nextBlock(last, height, reward, spacing);
    generated += reward;
    blobs.push(encodeLooseBlock(last));
  }
  return blobs.map((block) => ({ id: blockId(parseLooseBlock(block)), block }));
}

const rewardOf = ({ minerTx }: LooseBlock): bigint =>
  minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);

function nextBlock(last: LooseBlock, height: number, reward: bigint, spacing: number): LooseBlock {
  const { minerTx } = last;
  const key = minerTx.outputs[0]?.key ?? Buffer.alloc(32);
  return {
    ...last,
    timestamp: last.timestamp + BigInt(spacing),
    prevId: blockId(last),
    nonce: 0,
    minerTx: {
      ...minerTx,
      unlockTime: BigInt(height) + UNLOCK_WINDOW,
      inputs: [{ kind: 'gen', height: BigInt(height) }],
      outputs: [{ amount: reward, key }],
    },
  };
}
