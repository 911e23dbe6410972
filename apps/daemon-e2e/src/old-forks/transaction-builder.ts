import {
  encodeTransaction,
  parseTransaction,
  rctSignatureMessage,
  type RctType,
  type Transaction,
  type TxInput,
} from '@monero-node/codec';
import {
  Fn,
  keyImageOf,
  proveBorromean,
  proveBulletproofPlus,
  signClsag,
  type TestRandom,
} from '@monero-node/crypto/testing';
import { proveBulletproof } from './bulletproof-prover.ts';
import { commitmentOf, type Coin, type Coins, type Member, type Opening } from './coins.ts';
import { signMlsag, signRing } from './old-signers.ts';

const COIN = 10n ** 12n;
export const FEE = COIN / 2n;

/** Describes a transaction to build, and how it differs from a wallet's. */
export interface TransactionPlan {
  /** 0: version 1 with plain ring signatures; else the RingCT type. */
  readonly type: RctType;
  readonly inputs: readonly Coin[];
  readonly ringSize: number;
  /** Atomic units; by default the inputs' sum less FEE, in two parts. */
  readonly amounts?: readonly bigint[];
  /** Kinds of output targets, in turn; keys without view tags when absent. */
  readonly targets?: readonly ('key' | 'tagged-key')[];
  /** Whether inputs are in the wrong order: by key image, ascending instead of descending. */
  readonly unsorted?: boolean;
  /** Whether the first ring lists the spent output twice. */
  readonly twice?: boolean;
  /** Smallest age of ring members in blocks; 10 when absent. */
  readonly minAge?: number;
}

interface Planned {
  readonly coin: Coin;
  readonly ring: readonly Member[];
  /** Position of the coin in its ring. */
  readonly index: number;
}

/** Builds transactions of every era, including those that today's wallets cannot make, from the outputs of `coins`. */
export class TransactionBuilder {
  readonly #coins: Coins;
  readonly #random: TestRandom;
  readonly #rangeProofs = new Map<string, unknown>();
  #made = 0;

  constructor(coins: Coins) {
    this.#coins = coins;
    this.#random = coins.random;
  }

  /** Returns the bytes of the signed transaction, for the block at `height`. */
  async make(plan: TransactionPlan, height: number): Promise<Uint8Array> {
    const planned = await this.#plan(plan, height);
    const total = plan.inputs.reduce((sum, { amount }) => sum + amount, 0n);
    const amounts = plan.amounts ?? split(total - FEE);
    const openings = amounts.map((amount, i) => ({ amount, mask: 1_000_003n + BigInt(i) }));
    const tx = this.#unsigned(plan, planned, openings);
    this.#coins.placed(tx);
    if (tx.version === 1) this.#signPlain(tx, planned);
    else this.#signRingct(tx, plan.type, planned, openings);
    return encodeTransaction(tx);
  }

  async #plan(plan: TransactionPlan, height: number): Promise<Planned[]> {
    const oldest = height - (plan.minAge ?? 10);
    const pools = await Promise.all(
      plan.inputs.map(async (coin) => {
        const members = await this.#coins.members(coin.field);
        return members.filter(
          (member) => member.index === coin.index || (member.unlocked && member.height <= oldest),
        );
      }),
    );
    const shared = plan.type === 1 ? sharedPosition(plan, pools) : undefined;
    const planned = plan.inputs.map((coin, i): Planned => {
      const ring = ringAround(pools[i] ?? [], coin, plan.ringSize, shared);
      if (i === 0 && plan.twice) {
        const own = ring.findIndex(({ index }) => index === coin.index);
        ring[own + 1 < ring.length ? own + 1 : own - 1] = ring[own] as Member;
      }
      return { coin, ring, index: ring.findIndex(({ index }) => index === coin.index) };
    });
    const sorted = planned.toSorted((a, b) =>
      Buffer.compare(keyImageOf(b.coin.secret), keyImageOf(a.coin.secret)),
    );
    return plan.unsorted ? sorted.toReversed() : sorted;
  }

  #unsigned(
    plan: TransactionPlan,
    planned: readonly Planned[],
    openings: readonly Opening[],
  ): Transaction {
    const version = plan.type === 0 ? 1 : 2;
    const targets = plan.targets ?? ['key'];
    const transactionKey = this.#random.point();
    this.#made++;
    return {
      version,
      unlockTime: 0n,
      inputs: planned.map(({ coin, ring }): TxInput => ({
        kind: 'key',
        amount: coin.field,
        keyOffsets: ring.map(({ index }, i) => BigInt(index - (ring[i - 1]?.index ?? 0))),
        keyImage: keyImageOf(coin.secret),
      })),
      outputs: openings.map((opening, i) => {
        const key = this.#coins.newKey(version === 1 ? { ...opening, mask: 1n } : opening);
        const kind = targets[i % targets.length] ?? 'key';
        const target = kind === 'key' ? { kind, key } : { kind, key, viewTag: this.#made & 0xff };
        return { amount: version === 1 ? opening.amount : 0n, target };
      }),
      extra: Uint8Array.of(1, ...transactionKey),
    };
  }

  #signPlain(tx: Transaction, planned: readonly Planned[]): void {
    tx.signatures = planned.map(({ ring }) => ring.map(() => new Uint8Array(64)));
    const { prefixHash } = parseTransaction(encodeTransaction(tx));
    tx.signatures = planned.map(({ coin, ring, index }) =>
      signRing(
        prefixHash,
        ring.map(({ key }) => key),
        { index, secret: coin.secret },
        this.#random,
      ),
    );
  }

  #signRingct(
    tx: Transaction,
    type: RctType,
    planned: readonly Planned[],
    openings: readonly Opening[],
  ): void {
    const outMasks = openings.reduce((sum, { mask }) => Fn.add(sum, mask), 0n);
    const pseudo = planned.map(({ coin }) => ({
      amount: coin.amount,
      mask: this.#random.scalar(),
    }));
    const others = pseudo.slice(0, -1).reduce((sum, { mask }) => Fn.add(sum, mask), 0n);
    const last = pseudo.at(-1);
    if (last !== undefined) last.mask = Fn.sub(outMasks, others);
    const pseudoOuts = type === 1 ? [] : pseudo.map(commitmentOf);
    const outPk = openings.map(commitmentOf);
    tx.rct = {
      type,
      fee: planned.reduce((sum, { coin }) => sum + coin.amount, 0n) - sumOf(openings),
      pseudoOuts: type === 2 ? pseudoOuts : [],
      ecdhInfo: openings.map(() =>
        type <= 3
          ? { mask: this.#random.bytes(), amount: this.#random.bytes() }
          : { amount: this.#random.bytes().subarray(0, 8) },
      ),
      outPk,
    };
    tx.prunable = {
      ...this.#provenRanges(type, openings),
      ...blankSignatures(type, planned),
      pseudoOuts: type >= 3 ? pseudoOuts : [],
    };
    const message = rctSignatureMessage(parseTransaction(encodeTransaction(tx)));
    if (type === 1) {
      const maskSum = planned.reduce((sum, { coin }) => Fn.add(sum, coin.mask), 0n);
      const size = planned[0]?.ring.length ?? 0;
      const columns = Array.from({ length: size }, (_, i) =>
        planned.map(({ ring }) => ring[i] as Member),
      );
      tx.prunable.mlsags = [
        signMlsag(
          {
            message,
            columns,
            offsets: outPk,
            fee: tx.rct.fee,
            index: planned[0]?.index ?? 0,
            secrets: planned.map(({ coin }) => coin.secret),
            maskDifference: Fn.sub(maskSum, outMasks),
          },
          this.#random,
        ),
      ];
      return;
    }
    const differences = planned.map(({ coin }, i) => Fn.sub(coin.mask, pseudo[i]?.mask ?? 0n));
    planned.forEach(({ coin, ring, index }, i) => {
      const pseudoOut = pseudoOuts[i] as Uint8Array;
      const maskDifference = differences[i] as bigint;
      if (type >= 5) {
        const secrets = { index, key: coin.secret, maskDifference };
        const { s, c1, D } = signClsag({ message, ring, pseudoOut }, secrets, this.#random);
        tx.prunable?.clsags.splice(i, 1, { s: [...s], c1, D });
        return;
      }
      const columns = ring.map((member) => [member]);
      const plan = { message, columns, offsets: [pseudoOut], fee: 0n, index, maskDifference };
      const mlsag = signMlsag({ ...plan, secrets: [coin.secret] }, this.#random);
      tx.prunable?.mlsags.splice(i, 1, mlsag);
    });
  }

  /** Returns range proofs, cached because they are slow to make and depend on the openings alone. */
  #provenRanges(type: RctType, openings: readonly Opening[]) {
    const kind = type <= 2 ? 'borromean' : type === 6 ? 'plus' : 'bulletproof';
    const name = `${kind} ${openings.map(({ amount, mask }) => `${amount}:${mask}`).join()}`;
    const known = this.#rangeProofs.get(name);
    const none = { rangeSigs: [], bulletproofs: [], bulletproofsPlus: [] };
    const made = known ?? this.#prove(kind, openings);
    this.#rangeProofs.set(name, made);
    return { ...none, ...(made as Partial<NonNullable<Transaction['prunable']>>) };
  }

  #prove(kind: 'borromean' | 'bulletproof' | 'plus', openings: readonly Opening[]): unknown {
    if (kind === 'borromean') {
      return {
        rangeSigs: openings.map((opening) => {
          const { s0, s1, ee, Ci } = proveBorromean(opening, this.#random);
          return { s0, s1, ee, Ci };
        }),
      };
    }
    if (kind === 'plus')
      return { bulletproofsPlus: [proveBulletproofPlus(openings, this.#random)] };
    return { bulletproofs: [proveBulletproof(openings, this.#random)] };
  }
}

const sumOf = (openings: readonly Opening[]): bigint =>
  openings.reduce((sum, { amount }) => sum + amount, 0n);

/** Splits a total into about half, in whole coins, and the rest. */
function split(total: bigint): bigint[] {
  const first = (total / 2n / COIN + 1n) * COIN;
  return [first, total - first];
}

/** Returns placeholders of the right shape; the signed message covers everything except the signatures. */
function blankSignatures(type: RctType, planned: readonly Planned[]) {
  const zero = new Uint8Array(32);
  const rows = (size: number, width: number) =>
    Array.from({ length: size }, () => Array.from({ length: width }, () => zero));
  const size = planned[0]?.ring.length ?? 0;
  if (type === 1) return { clsags: [], mlsags: [{ ss: rows(size, planned.length + 1), cc: zero }] };
  if (type <= 4)
    return { clsags: [], mlsags: planned.map(() => ({ ss: rows(size, 2), cc: zero })) };
  const s = rows(1, size)[0] as Uint8Array[];
  return { mlsags: [], clsags: planned.map(() => ({ s, c1: zero, D: zero })) };
}

/** Returns a ring of the coin and outputs around it, with the coin at `position` if that is given. */
function ringAround(
  pool: readonly Member[],
  coin: Coin,
  size: number,
  position: number | undefined,
): Member[] {
  const own = pool.findIndex(({ index }) => index === coin.index);
  const below = Math.min(
    own,
    position ?? Math.max(size >> 1, size - (pool.length - own)),
    size - 1,
  );
  const ring = pool.slice(own - below, own - below + size);
  if (own === -1 || ring.length < size) {
    throw new Error(`no ring of ${size} for output ${coin.index} of ${coin.field}: ${pool.length}`);
  }
  return [...ring];
}

/** Returns a position that the coins of all inputs can have in their rings, which type 1 requires. */
function sharedPosition(plan: TransactionPlan, pools: readonly (readonly Member[])[]): number {
  const owns = plan.inputs.map((coin, i) =>
    (pools[i] ?? []).findIndex((m) => m.index === coin.index),
  );
  for (let position = 0; position < plan.ringSize; position++) {
    const fits = owns.every((own, i) => {
      const above = (pools[i]?.length ?? 0) - own - 1;
      return own >= position && above >= plan.ringSize - 1 - position;
    });
    if (fits) return position;
  }
  const places = owns.map((own, i) => `${own} of ${pools[i]?.length ?? 0}`).join(', ');
  throw new Error(`inputs at ${places} cannot have the same position in their rings`);
}
