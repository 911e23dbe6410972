import {
  encodeTransaction,
  fromHex,
  parseAddress,
  parseBlock,
  parseTxExtra,
  toHex,
  type ParsedBlock,
} from '@monero-node/codec';
import { readNextFork, type NextForkChain } from '@monero-node/codec/testing';
import { rulesFor } from '@monero-node/consensus';
import { createBackend, createTransactionKey } from '@monero-node/crypto';
import {
  accountAddress,
  coinbaseInputContext,
  readCarrotExtra,
  type Account,
} from '@monero-node/wallet-primitives';
import { anchorOf, recordedCarrotChains } from '@monero-node/wallet-primitives/testing';
import { createMinerTx, type MinerTxPlan } from './miner-tx.ts';
import { minerPayment } from './pay-miner.ts';
import { TemplateError } from './template-types.ts';

const backend = createBackend();
const { chains } = readNextFork();
const wallets = recordedCarrotChains();
const addressOf = (account: Account) =>
  parseAddress(accountAddress(account, { network: 'mainnet', backend }));

/** Returns the anchor that the miner chose, if the account is the one that the coinbase pays; otherwise bytes that mean nothing. */
function anchorFor({ block }: ParsedBlock, height: number, account: Account): Uint8Array {
  const [output] = block.minerTx.outputs;
  const read = readCarrotExtra(block.minerTx.extra, { outputs: 1, isCoinbase: true });
  if (output?.target.kind !== 'carrot' || read === undefined) throw new Error('no Carrot output');
  const { key, viewTag, encryptedJanusAnchor } = output.target;
  const enote = {
    onetimeAddress: key,
    viewTag,
    encryptedAnchor: encryptedJanusAnchor,
    ephemeralPublicKey: read.ephemeralPublicKeys[0] as Uint8Array,
    inputContext: coinbaseInputContext(height),
    amount: output.amount,
  };
  return anchorOf(enote, account.viewSecret);
}

/** What upstream's node knew when it made a coinbase, except for whom. */
function recordedPlans({ blocks, transactions }: NextForkChain) {
  const fees = blocks.map(() => 0n);
  for (const { height = 0, fee } of transactions) fees[height] = (fees[height] ?? 0n) + BigInt(fee);
  let generatedCoins = 0n;
  return blocks.flatMap(({ blob, weight, reward, wide }, height) => {
    const below = generatedCoins;
    const ownFees = fees[height] as bigint;
    generatedCoins += BigInt(reward) - ownFees;
    const parsed = wide === undefined ? parseBlock(fromHex(blob)) : undefined;
    if (parsed === undefined || parsed.block.majorVersion < 17) return [];
    const { minerTx, majorVersion } = parsed.block;
    const nonce = parseTxExtra(minerTx.extra).find((field) => field.kind === 'nonce');
    const plan = {
      rules: rulesFor(majorVersion),
      height,
      medianWeight: 625_000,
      generatedCoins: below,
      extraNonce: nonce?.nonce ?? new Uint8Array(0),
      txsWeight: weight - encodeTransaction(minerTx).length,
      fees: ownFees,
      backend,
    };
    return [{ parsed, plan, weight }];
  });
}

test.each([
  ['long', 'long-chain', 106],
  ['short', 'short-chain', 105],
  ['wide-tree', 'wide-tree', 74],
] as const)(
  'the coinbases of the chain %s are made again, byte for byte, from the keys of their owners',
  (name, walletsOf, count) => {
    const chain = chains.find((each) => each.name === name) as NextForkChain;
    const accounts = wallets.find((each) => each.name === walletsOf)?.wallets ?? [];
    const plans = recordedPlans(chain);
    const made = plans.filter(({ parsed, plan, weight }) => {
      const wanted = toHex(encodeTransaction(parsed.block.minerTx));
      return accounts.some(({ account }) => {
        const random = () => anchorFor(parsed, plan.height, account);
        const { tx, blockWeight } = createMinerTx({ ...plan, address: addressOf(account), random });
        return blockWeight === weight && toHex(encodeTransaction(tx)) === wanted;
      });
    });
    expect(made).toHaveLength(count);
    expect(plans).toHaveLength(count);
  },
);

describe('a Carrot coinbase', () => {
  const account = wallets[0]?.wallets[0]?.account as Account;
  const address = addressOf(account);
  const plan: MinerTxPlan = {
    rules: rulesFor(17),
    height: 70,
    medianWeight: 625_000,
    generatedCoins: 0n,
    address,
    extraNonce: new Uint8Array(0),
    txsWeight: 0,
    fees: 0n,
    backend,
  };

  test('has a field for the extra nonce even without one', () => {
    const { tx, publicKey } = createMinerTx(plan);
    expect(toHex(tx.extra)).toBe(`01${toHex(publicKey)}0200`);
  });

  test('is another one each time', () => {
    const [first, second] = [createMinerTx(plan), createMinerTx(plan)];
    expect(toHex(first.publicKey)).not.toBe(toHex(second.publicKey));
  });

  test('is made for main addresses alone', () => {
    const subaddress = { ...address, isSubaddress: true };
    const toSubaddress = () => createMinerTx({ ...plan, address: subaddress });
    expect(toSubaddress).toThrow(TemplateError);
    expect(toSubaddress).toThrow('from version 17 on, a block cannot pay a subaddress');
  });

  test('is not made for keys that are no points, or that have a part of small order', () => {
    const noPoint = new Uint8Array(32).fill(0xff);
    // The point of order 2.
    const two = fromHex(`ec${'ff'.repeat(30)}7f`);
    const [torsioned] = backend.addMultiples([
      {
        a: Uint8Array.of(1, ...new Uint8Array(31)),
        A: createTransactionKey(5n).publicKey,
        b: Uint8Array.of(1, ...new Uint8Array(31)),
        B: two,
      },
    ]);
    for (const key of [noPoint, two, torsioned as Uint8Array]) {
      for (const keys of [
        { ...address, spendKey: key },
        { ...address, viewKey: key },
      ]) {
        expect(() => createMinerTx({ ...plan, address: keys })).toThrow(
          expect.objectContaining({ name: 'TemplateError', code: 'address' }) as Error,
        );
      }
    }
  });
});

test('an amount or an anchor out of range is no fault of the address', () => {
  const payee = {
    rules: rulesFor(17),
    height: 9,
    extraNonce: new Uint8Array(0),
    backend,
    address: addressOf(wallets[0]?.wallets[0]?.account as Account),
  };
  const errorOf = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const errors = [
    errorOf(() => minerPayment(payee).target(1n << 64n, 0)),
    errorOf(() => minerPayment({ ...payee, random: (size) => new Uint8Array(size) })),
    errorOf(() => minerPayment({ ...payee, random: () => new Uint8Array(3).fill(1) })),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(RangeError);
    expect(error).not.toBeInstanceOf(TemplateError);
  }
});
