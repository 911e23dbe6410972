import { jest } from '@jest/globals';
import { encodeTransaction, parseTransaction, toHex } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import { type ClsagProof, unpacked } from '@monero-node/crypto';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, startTestChain, type TestChain } from '../testing/test-chain.ts';

/** Blocks after which the first 16 coinbase outputs are a ring that may be used. */
const LENGTH = 80;

async function grown(made: SpendableChain): Promise<TestChain> {
  const test = await startTestChain();
  await test.chain.addSpan(made.blocks.map(bundleOf));
  expect(test.chain.height).toBe(made.blocks.length + 1);
  return test;
}

describe('transactions outside blocks', () => {
  const made = new SpendableChain(EASY);
  made.mineMany(LENGTH);
  const tx = made.spend([3]);

  test('returns fee, weight and newest ring block of a valid one', async () => {
    const { chain } = await grown(made);
    const checked = await chain.transactionVerifier.check(tx);
    expect(checked).toMatchObject({
      fee: feeOf(tx),
      weight: transactionWeight(tx),
      maxUsedBlockHeight: 16,
    });
    expect(toHex(checked.maxUsedBlockId)).toBe(toHex(made.blocks[15]?.parsed.id ?? tx.id));
    expect(chain.transactionVerifier.counters).toMatchObject({
      transactions: 1,
      outputKeys: 2,
      keyImages: 1,
      balances: 1,
      rangeProofs: 1,
      clsags: 1,
    });
    expect(chain.counters.transactions).toBe(0);
  });

  test('rejects invalid ones in every step, and does not remember them', async () => {
    const { chain } = await grown(made);
    const verifier = chain.transactionVerifier;
    const spoilt = (spoil: (parsed: typeof tx) => void) => {
      const copy = parseTransaction(tx.blob.slice());
      spoil(copy);
      return parseTransaction(encodeTransaction(copy.tx));
    };
    const badSignature = spoilt(({ tx: { prunable } }) => prunable?.clsags[0]?.s[0]?.fill(1));
    await verifier.verifyOwnRules(badSignature);
    await expect(verifier.check(badSignature)).rejects.toMatchObject({
      code: 'bad-ring-signature',
      txId: toHex(badSignature.id),
    });
    const badRange = spoilt(({ tx: { prunable } }) => prunable?.bulletproofsPlus[0]?.r1.fill(1));
    await expect(verifier.verifyOwnRules(badRange)).rejects.toMatchObject({
      code: 'bad-range-proof',
    });
    // Calling verifyInputs alone does not skip the other rules.
    await expect(
      verifier.verifyInputs(badRange, verifier.checkInputs(badRange)),
    ).rejects.toMatchObject({ code: 'bad-range-proof' });
    for (const bad of [badSignature, badRange]) {
      expect(verifier.isVerified(toHex(bad.id), verifier.checkInputs(bad))).toBe(false);
    }
    const young = made.spend([LENGTH - 1]);
    expect(() => verifier.checkInputs(young)).toThrow(
      expect.objectContaining({ code: 'ring-member-locked' }),
    );
  });

  test('does not verify proofs again in a block', async () => {
    const { chain, verifier } = await grown(made);
    await chain.transactionVerifier.check(tx);
    const branch = made.fork(LENGTH, 'with a transaction');
    const stranger = branch.spend([4]);
    const block = branch.mine([tx, stranger]);
    const asked = jest.spyOn(verifier, 'check');
    expect(await chain.addBlock(bundleOf(block))).toMatchObject({ status: 'added' });
    expect(chain.counters).toMatchObject({ cached: 1, transactions: 1, clsags: 1, rangeProofs: 1 });
    const clsags = asked.mock.calls.flatMap(([check]) =>
      check.kind === 'clsag' ? (unpacked(check) as { proofs: readonly ClsagProof[] }).proofs : [],
    );
    expect(clsags.map(({ keyImage }) => toHex(keyImage))).toEqual(
      stranger.tx.inputs.map((input) => (input.kind === 'key' ? toHex(input.keyImage) : '')),
    );
  });

  test('checks the rules that depend on the chain again in a block', async () => {
    const { chain } = await grown(made);
    await chain.transactionVerifier.check(tx);
    const branch = made.fork(LENGTH, 'spent twice');
    await chain.addBlock(bundleOf(branch.mine([tx])));
    const again = branch.mine([branch.spend([3], { fee: 7_000_000_000n })]);
    expect(await chain.addBlock(bundleOf(again))).toMatchObject({
      status: 'invalid',
      error: { code: 'double-spend' },
    });
    const same = made.fork(LENGTH + 1, 'the same again');
    same.blocks.push(...branch.blocks.slice(LENGTH, LENGTH + 1));
    expect(await chain.addBlock(bundleOf(same.mine([tx])))).toMatchObject({
      status: 'invalid',
      error: { code: 'duplicate-tx' },
    });
    expect(chain.counters.cached).toBe(1);
  });

  test('verifies again, and rejects, one with other ring members on another chain', async () => {
    const { chain } = await grown(made);
    await chain.transactionVerifier.check(tx);
    // The ring reaches to block 16; from block 11 on the outputs differ.
    const branch = made.fork(10, 'other outputs');
    branch.mineMany(LENGTH - 9);
    await chain.addSpan(branch.blocks.slice(10).map(bundleOf));
    expect(chain.height).toBe(LENGTH + 2);
    const inputs = chain.transactionVerifier.checkInputs(tx);
    expect(chain.transactionVerifier.isVerified(toHex(tx.id), inputs)).toBe(false);
    expect(await chain.addBlock(bundleOf(branch.mine([tx])))).toMatchObject({
      status: 'invalid',
      error: { code: 'bad-ring-signature' },
    });
    expect(chain.counters).toMatchObject({ cached: 0, transactions: 0 });
  });
});
