import {
  encodeBlock,
  encodeTransaction,
  parseBlock,
  parseTransaction,
  parseTxExtra,
  toHex,
  type ParsedTransaction,
} from '@monero-node/codec';
import {
  blockReward,
  checkMinerTxAmount,
  checkMinerTxShape,
  feeOf,
  NEWEST_VERSION,
  rulesFor,
  transactionWeight,
  withOverrides,
} from '@monero-node/consensus';
import { createBackend, createTransactionKey, oneTimeOutput } from '@monero-node/crypto';
import { createMinerTx, outputAmounts } from './miner-tx.ts';
import { TemplateError, type BlockTemplate, type TransactionSource } from './template-types.ts';
import { BlockTemplates } from './block-templates.ts';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBlock,
  makeBranch,
  NOW,
  SpendableChain,
  startTestChain,
} from '../testing/index.ts';

const address = {
  spendKey: createTransactionKey(11n).publicKey,
  viewKey: createTransactionKey(22n).publicKey,
};
const NO_NONCE = new Uint8Array(0);
const request = { address, extraNonce: NO_NONCE };

/** The block of a template as a peer would send it; its nonce does not matter at difficulty 1. */
const bundle = ({ block }: BlockTemplate, txs: readonly ParsedTransaction[] = []) => ({
  block: parseBlock(encodeBlock(block)),
  txs,
});

const templatesOf = (
  blockchain: Awaited<ReturnType<typeof startTestChain>>['chain'],
  transactions?: TransactionSource,
  now = () => NOW,
) => new BlockTemplates({ blockchain, now, ...(transactions && { transactions }) });

describe('on the tip', () => {
  test('the chain accepts templates at every fork with RandomX', async () => {
    const versions = rules()
      .filter(({ powAlgorithm }) => powAlgorithm.startsWith('randomx'))
      .map(({ version }) => version);
    // Genesis has version 1; each later version has two blocks.
    const hardForks = [1, ...versions].map((version, i) => ({
      version,
      height: 2 * i - 1,
      time: 0,
    }));
    const { chain, verifier } = await startTestChain(withOverrides(EASY, { hardForks }));
    const templates = templatesOf(chain);
    for (let height = 1; height <= 2 * versions.length; height++) {
      const template = await templates.create(request);
      expect(template).toMatchObject({ height, difficulty: 1n, seedHeight: 0 });
      expect(template.block.majorVersion).toBe(versions[Math.floor((height - 1) / 2)]);
      expect(template.block.minorVersion).toBe(NEWEST_VERSION);
      expect(await chain.addBlock(bundle(template))).toMatchObject({ status: 'added', height });
      expect(chain.top.weight).toBe(template.weight);
    }
    await verifier.close();
  });

  test('templates include transactions and their fees', async () => {
    const { chain, verifier } = await startTestChain();
    const made = new SpendableChain(EASY);
    await chain.addSpan(made.mineMany(80).map(bundleOf));
    const tx = made.spend([1]);
    const fees = feeOf(tx);
    const weight = transactionWeight(tx);
    const chosen = { ids: [tx.id], weight, fees, expectedReward: 123n };
    const source = { revision: 1, choose: () => Promise.resolve(chosen) };
    const template = await templatesOf(chain, source).create(request);
    expect(template.expectedReward).toBe(123n);
    expect(template.fees).toBe(fees);
    expect(template.block.txHashes).toEqual([tx.id]);
    const result = await chain.addBlock(bundle(template, [tx]));
    expect(result.status).toBe('added');
    const paid = template.block.minerTx.outputs[0]?.amount ?? 0n;
    expect(chain.top.generatedCoins - (chain.store.blockMeta(80)?.generatedCoins ?? 0n)).toBe(
      paid - fees,
    );
    await verifier.close();
  });

  test('templates pay the address: its owner recognizes the output', async () => {
    const { chain, verifier } = await startTestChain();
    const { block, transactionKey } = await templatesOf(chain).create(request);
    // The owner of the view key (secret 22) computes the same from the public key.
    const seen = oneTimeOutput(
      { secret: 22n, publicKey: address.viewKey },
      { spendKey: address.spendKey, viewKey: transactionKey },
      0,
    );
    expect(block.minerTx.outputs[0]?.target).toEqual({ kind: 'tagged-key', ...seen });
    expect(parseTxExtra(block.minerTx.extra)).toEqual([
      { kind: 'public-key', key: transactionKey },
    ]);
    await verifier.close();
  });

  test('templates pay a subaddress: the view key of its account recognizes the output', async () => {
    const { chain, verifier } = await startTestChain();
    // The spend key D of a subaddress, and its view key 22·D.
    const spendKey = createTransactionKey(33n).publicKey;
    const viewKey = createTransactionKey(22n * 33n).publicKey;
    const own = { spendKey, viewKey, isSubaddress: true };
    const templates = templatesOf(chain);
    const { block, transactionKey } = await templates.create({ ...request, address: own });
    const seen = oneTimeOutput(
      { secret: 22n, publicKey: address.viewKey },
      { spendKey, viewKey: transactionKey },
      0,
    );
    expect(block.minerTx.outputs[0]?.target).toEqual({ kind: 'tagged-key', ...seen });
    const plain = await templates.create({ ...request, address: { spendKey, viewKey } });
    expect(plain.transactionKey).not.toEqual(transactionKey);
    await verifier.close();
  });

  test('the timestamp is the median of the chain when the clock is behind it', async () => {
    const { chain, verifier } = await startTestChain();
    await chain.addSpan(makeBranch(EASY, genesisOf(EASY), 61).map(bundleOf));
    const template = await templatesOf(chain, undefined, () => 1).create(request);
    expect((await chain.addBlock(bundle(template))).status).toBe('added');
    const early = { ...template.block, timestamp: template.block.timestamp - 1 };
    expect(
      (await chain.addBlock({ block: parseBlock(encodeBlock({ ...early, nonce: 5 })), txs: [] }))
        .status,
    ).not.toBe('added');
    await verifier.close();
  });

  test('the last template is reused while nothing has changed, with a new timestamp', async () => {
    const { chain, verifier } = await startTestChain();
    let now = NOW;
    let revision = 1;
    let chosen = 0;
    const source: TransactionSource = {
      get revision() {
        return revision;
      },
      choose: () => {
        chosen++;
        return Promise.resolve({ ids: [], weight: 0, fees: 0n, expectedReward: 0n });
      },
    };
    const templates = templatesOf(chain, source, () => now);
    const first = await templates.create(request);
    now += 5;
    const second = await templates.create(request);
    expect(second.block).toEqual({ ...first.block, timestamp: NOW + 5 });
    now -= 100;
    expect((await templates.create(request)).block.timestamp).toBe(NOW);
    expect(chosen).toBe(1);

    const other = await templates.create({ ...request, extraNonce: Uint8Array.of(1) });
    expect(chosen).toBe(2);
    await templates.create({ ...request, address: { ...address, spendKey: address.viewKey } });
    expect(chosen).toBe(3);
    revision++;
    await templates.create(request);
    expect(chosen).toBe(4);
    await chain.addBlock(bundle(other));
    expect((await templates.create(request)).height).toBe(2);
    expect(chosen).toBe(5);
    await verifier.close();
  });

  test('a template is made again when the tip moves meanwhile', async () => {
    const { chain, verifier } = await startTestChain();
    const blocks = makeBranch(EASY, genesisOf(EASY), 8);
    let at = 0;
    let moves = 2;
    const source: TransactionSource = {
      revision: 1,
      choose: async () => {
        const next = blocks[at];
        if (at < moves && next !== undefined) {
          at++;
          await chain.addBlock(bundleOf(next));
        }
        return { ids: [], weight: 0, fees: 0n, expectedReward: 0n };
      },
    };
    const templates = templatesOf(chain, source);
    expect((await templates.create(request)).height).toBe(3);
    moves = Infinity;
    await expect(templates.create({ ...request, extraNonce: Uint8Array.of(1) })).rejects.toThrow(
      TemplateError,
    );
    await verifier.close();
  });
});

describe('on another block', () => {
  test('builds on the main chain and on a side chain, not on an unknown block', async () => {
    const { chain, verifier } = await startTestChain();
    const main = makeBranch(EASY, genesisOf(EASY), 5);
    await chain.addSpan(main.map(bundleOf));
    const templates = templatesOf(chain);
    const parent = main[2] ?? genesisOf(EASY);
    const side = await templates.create({ ...request, prevId: parent.parsed.id });
    expect(side).toMatchObject({ height: 4, difficulty: 1n });
    const result = await chain.addBlock(bundle(side));
    expect(result).toMatchObject({ status: 'alternative', height: 4 });

    let prevId = result.id ?? parent.parsed.id;
    for (const [height, status] of [
      [5, 'alternative'],
      [6, 'reorganized'],
    ] as const) {
      const next = await templates.create({ ...request, prevId });
      expect(next.height).toBe(height);
      const added = await chain.addBlock(bundle(next));
      expect(added.status).toBe(status);
      prevId = added.id ?? prevId;
    }
    expect(toHex(chain.topId)).toBe(toHex(prevId));
    await expect(
      templates.create({ ...request, prevId: new Uint8Array(32).fill(3) }),
    ).rejects.toThrow(TemplateError);
    await verifier.close();
  });

  test('builds on genesis, which is its own seed block', async () => {
    const { chain, verifier } = await startTestChain();
    const side = makeBlock(EASY, genesisOf(EASY), { nonce: 9 });
    await chain.addBlock(bundleOf(side));
    const template = await templatesOf(chain).create({
      ...request,
      prevId: chain.network.genesisId,
    });
    expect(toHex(template.seedHash ?? NO_NONCE)).toBe(toHex(chain.network.genesisId));
    expect((await chain.addBlock(bundle(template))).status).toBe('alternative');
    await verifier.close();
  });
});

describe('the miner transaction', () => {
  const plan = {
    rules: rulesFor(16),
    height: 2000,
    medianWeight: 300_000,
    generatedCoins: (1n << 64n) - 1n,
    address,
    extraNonce: NO_NONCE,
    backend: createBackend(),
    txsWeight: 0,
    fees: 0n,
  };

  test('takes the reward of its block regardless of its own size and amount', () => {
    const base = blockReward({ ...plan, blockWeight: 0 });
    let padded = 0;
    // Amounts around those at which the varint takes a byte more, and lengths of extra around 128.
    for (const txsWeight of [0, 299_850, 310_000, 450_000]) {
      for (const bits of [42n, 49n]) {
        for (let step = -4n; step <= 4n; step++) {
          for (const length of [0, 60, 88, 90, 91, 92, 93, 94, 255]) {
            const fees = (1n << bits) - base + 20_000_000n * step;
            if (fees < 0n) continue;
            const options = { ...plan, txsWeight, fees, extraNonce: new Uint8Array(length) };
            const { tx, blockWeight } = createMinerTx(options);
            expect(txsWeight + encodeTransaction(tx).length).toBe(blockWeight);
            const amount = tx.outputs[0]?.amount;
            expect(amount).toBe(blockReward({ ...plan, blockWeight }) + fees);
            const fixed = 33 + (length === 0 ? 0 : length < 128 ? 2 + length : 3 + length);
            if (tx.extra.length > fixed) padded++;
          }
        }
      }
    }
    expect(padded).toBeGreaterThan(0);
  });

  test('carries the extra nonce after its key', () => {
    const extraNonce = Uint8Array.from({ length: 200 }, (_, i) => i);
    const { tx, publicKey } = createMinerTx({ ...plan, extraNonce });
    expect(parseTxExtra(tx.extra)).toEqual([
      { kind: 'public-key', key: publicKey },
      { kind: 'nonce', nonce: extraNonce },
    ]);
  });

  test('cannot be made from invalid input', () => {
    const noPoint = { ...address, viewKey: new Uint8Array(32).fill(0xff) };
    expect(() => createMinerTx({ ...plan, address: noPoint })).toThrow(TemplateError);
    const identity = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));
    const noKey = { ...address, spendKey: identity, isSubaddress: true };
    expect(() => createMinerTx({ ...plan, address: noKey })).toThrow(TemplateError);
    expect(() => createMinerTx({ ...plan, extraNonce: new Uint8Array(256) })).toThrow(
      TemplateError,
    );
    expect(() => createMinerTx({ ...plan, txsWeight: 600_001 })).toThrow('limit');
  });

  // The outputs of monerod 0.18 in the miner transactions of a chain through every fork.
  test.each([
    [1, [152490000n, 2000000000n, 90000000000n, 500000000000n, 7000000000000n, 10000000000000n]],
    [1, [847693628n, 8000000000n, 80000000000n, 500000000000n, 7000000000000n, 10000000000000n]],
    [2, [7000000000n, 70000000000n, 100000000000n, 5000000000000n, 30000000000000n]],
    [3, [600000000n, 7000000000n, 60000000000n, 100000000000n, 5000000000000n, 30000000000000n]],
  ])('at fork %i has one output for each digit', (version, amounts) => {
    const sum = amounts.reduce((total, amount) => total + amount, 0n);
    expect(outputAmounts(rulesFor(version), sum)).toEqual(amounts);
    // From the second fork on, the remainder modulo 0.0001 is left.
    if (version > 1) expect(outputAmounts(rulesFor(version), sum + 99_999_999n)).toEqual(amounts);
    expect(outputAmounts(rulesFor(4), sum)).toEqual([sum]);
  });

  test.each(rules())('obeys the rules of fork $version', (own) => {
    const options = { ...plan, rules: own, generatedCoins: 1_234_567_890n, fees: 987_654_321n };
    const { tx, blockWeight } = createMinerTx({ ...options, txsWeight: 2000 });
    const parsed = parseTransaction(encodeTransaction(tx));
    checkMinerTxShape(own, plan.height, parsed);
    const base = blockReward({ ...options, blockWeight });
    const recorded = checkMinerTxAmount(own, parsed, base, options.fees);
    expect(base - recorded).toBeLessThan(100_000_000n);
  });
});

/** All there are. */
function rules() {
  return Array.from({ length: NEWEST_VERSION }, (_, below) => rulesFor(below + 1));
}
