import { fromHex, parseAddress, parseBlock, type Block } from '@monero-node/codec';
import type { NextForkTransaction } from '@monero-node/codec/testing';
import { createBackend } from '@monero-node/crypto';
import { createMemoryStore } from '@monero-node/storage';
import { accountAddress, type Account } from '@monero-node/wallet-primitives';
import { recordedCarrotChains } from '@monero-node/wallet-primitives/testing';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import { recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { FixedPow, NOW } from '../testing/test-chain.ts';
import { parseBundle } from '../verify/parse-bundle.ts';
import { BlockTemplates } from './block-templates.ts';

const backend = createBackend();
const account = recordedCarrotChains()[0]?.wallets[0]?.account as Account;
const address = parseAddress(accountAddress(account, { network: 'mainnet', backend }));

/** The templates of one block, for which everything is given but the keys of its coinbase. */
function templatesOf(chain: Blockchain, block: Block, txs: readonly NextForkTransaction[]) {
  const chosen = {
    ids: block.txHashes,
    weight: txs.reduce((sum, tx) => sum + (tx.weight ?? 0), 0),
    fees: txs.reduce((sum, tx) => sum + BigInt(tx.fee), 0n),
    expectedReward: 0n,
  };
  return new BlockTemplates({
    blockchain: chain,
    now: () => block.timestamp,
    transactions: { revision: 0, choose: () => Promise.resolve(chosen) },
  });
}

test.each([
  ['long', 1],
  ['short', 62],
] as const)(
  'templates on the chain %s are the blocks of upstream’s node, apart from the keys of their coinbases',
  async (name, count) => {
    const chainOfUpstream = recordedChain(name);
    const { blocks, transactions } = chainOfUpstream;
    const network = recordedNetwork(chainOfUpstream);
    const recorded = blocks.map(({ blob }) => parseBlock(fromHex(blob)));
    const store = createMemoryStore();
    const pow = new FixedPow();
    const chain = await openBlockchain({ network, now: () => NOW }, { store, pow });
    let compared = 0;
    for (const [height, { block, blob }] of recorded.entries()) {
      const txs = transactions.filter((tx) => tx.height === height);
      if (block.majorVersion >= 17) {
        const templates = templatesOf(chain, block, txs);
        const made = await templates.create({ address, extraNonce: new Uint8Array(1) });
        const { minerTx, ...rest } = made.block;
        const { minerTx: wanted, ...wantedRest } = block;
        expect({ ...rest, nonce: 0 }).toEqual({ ...wantedRest, nonce: 0 });
        expect(minerTx.outputs[0]?.amount).toBe(wanted.outputs[0]?.amount);
        expect(made.weight).toBe(blocks[height]?.weight);
        compared++;
      }
      // Their proofs are not verified here.
      if (txs.some(({ json }) => json.includes('"n_tree_layers"'))) break;
      if (height === 0) continue;
      const bundle = parseBundle({ block: blob, txs: txs.map((tx) => fromHex(tx.blob)) });
      const { status } = await chain.addBlock(bundle);
      expect([height, status]).toEqual([height, 'added']);
    }
    expect(compared).toBe(count);
  },
);
