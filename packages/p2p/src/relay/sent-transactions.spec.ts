import { Yielder } from '@monero-node/base';
import { startTestChain } from '@monero-node/blockchain/testing';
import { fromHex, parseBlock, parseTransaction } from '@monero-node/codec';
import { readNextFork, type NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { addReceived } from '../sync/add-received.ts';
import { decodeSent, SentTransactionsError } from './sent-transactions.ts';

const long = readNextFork().chains.find(({ name }) => name === 'long') as NextForkChain;
const forks = long.forks.map(({ version, height }) => ({ version, height, time: height }));
const ahead = withOverrides(NETWORKS.regtest, {
  hardForks: [{ version: 1, height: 0, time: 0 }, ...forks],
});
const sent = long.transactions
  .map(({ blob, height }) => ({ blob: fromHex(blob), height: height as number }))
  .find(({ blob }) => parseTransaction(blob).tx.rct?.type === 7) as {
  blob: Uint8Array;
  height: number;
};
const block = parseBlock(fromHex(long.blocks[sent.height]?.blob as string));

test('a transaction of RingCT type 7 that comes with a block decodes only where the fork is scheduled', async () => {
  const [tx] = await decodeSent(ahead, block, [sent.blob], new Yielder());
  expect(tx?.tx.rct?.type).toBe(7);
  const refused = decodeSent(NETWORKS.mainnet, block, [sent.blob], new Yielder());
  await expect(refused).rejects.toThrow(SentTransactionsError);
});

test('a block of a sync answer with such a transaction is refused for its bytes, and not remembered', async () => {
  const { chain } = await startTestChain(withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n }));
  const results = await addReceived(chain, [{ block, txs: [sent.blob] }]);
  expect(results).toMatchObject([{ status: 'invalid', error: { code: 'bad-tx-blob' } }]);
  expect(chain.has(block.id)).toBeUndefined();
});
