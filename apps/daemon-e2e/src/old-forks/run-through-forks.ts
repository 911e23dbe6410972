import { encodeBlock, fromHex, parseBlock, toHex, type Block } from '@monero-node/codec';
import { stringOf, type Json, type JsonObject } from '../harness/json.ts';
import { RpcError } from '../harness/rpc-client.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { BLOCK_VARIANTS, type BlockVariant } from './block-variants.ts';
import { Coins } from './coins.ts';
import { TransactionBuilder } from './transaction-builder.ts';
import {
  CHAIN_LENGTH,
  FORK_HEIGHTS,
  spendFrom,
  ATTEMPTS_BY_FORK,
  type Attempt,
} from './transaction-attempts.ts';

/** Height of the first block that can hold a transaction: coinbases must ripen. */
const FIRST_SPEND = 78;

/** The answers of both nodes to a transaction. */
export interface Outcome {
  readonly version: number;
  readonly attempt: Attempt;
  readonly theirs: JsonObject;
  readonly ours: JsonObject;
}

/** The answers of both nodes to a changed block: `OK` or the error. */
export interface BlockOutcome {
  readonly version: number;
  readonly variant: BlockVariant;
  readonly theirs: string;
  readonly ours: string;
}

/** The state of both nodes on top of a block. */
export interface TipState {
  readonly theirs: Json;
  readonly ours: Json;
}

export interface ForkRun {
  readonly outcomes: Outcome[];
  readonly blockOutcomes: BlockOutcome[];
  readonly tips: TipState[];
}

/** Returns what a node derives from the chain: medians, limits, difficulty, version. */
async function tipState({ rpc }: RunningNode): Promise<Json> {
  const info = await rpc.path('/get_info');
  const fork = await rpc.call('hard_fork_info');
  const names = [
    ...['height', 'top_block_hash', 'difficulty', 'cumulative_difficulty', 'target', 'tx_count'],
    ...['block_size_limit', 'block_size_median', 'block_weight_limit', 'block_weight_median'],
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, info[name] ?? null])),
    version: fork['version'] ?? null,
  };
}

async function submit({ rpc }: RunningNode, blob: string): Promise<string> {
  try {
    return stringOf(await rpc.call('submit_block', [blob]), 'status');
  } catch (error) {
    if (error instanceof RpcError) return error.reason;
    throw error;
  }
}

const endOf = (version: number): number => FORK_HEIGHTS.get(version + 1) ?? CHAIN_LENGTH;

/**
 * Builds a chain through every fork. monerod makes the templates; both nodes receive every block, every transaction
 * of ATTEMPTS_BY_FORK and every block of BLOCK_VARIANTS, valid and invalid.
 *
 * Throws Error when our node refuses a block that monerod made.
 */
export async function runThroughForks(theirs: RunningNode, ours: RunningNode): Promise<ForkRun> {
  const coins = new Coins(theirs.rpc, 'a chain through every fork');
  const transactions = new TransactionBuilder(coins);
  const forkRun: ForkRun = { outcomes: [], blockOutcomes: [], tips: [] };
  let height = 1;

  const template = async (): Promise<Block> => {
    const wanted = { wallet_address: coins.address, reserve_size: 8 };
    const answer = await theirs.rpc.call('get_block_template', wanted);
    return parseBlock(fromHex(stringOf(answer, 'blocktemplate_blob'))).block;
  };
  /** Notes the state of both nodes, which must have the block by now. */
  const advance = async (): Promise<void> => {
    await coins.scan(height);
    height++;
    const [first, second] = await Promise.all([tipState(theirs), tipState(ours)]);
    forkRun.tips.push({ theirs: first, ours: second });
  };
  const mine = async (): Promise<void> => {
    const blob = toHex(encodeBlock(await template()));
    const verdicts = [await submit(theirs, blob), await submit(ours, blob)];
    if (verdicts.some((verdict) => verdict !== 'OK')) {
      throw new Error(`block ${height}: monerod says ${verdicts.join(', we say ')}`);
    }
    await advance();
  };
  const mineTo = async (end: number): Promise<void> => {
    while (height < end) await mine();
  };

  const offerBlock = async (version: number, variant: BlockVariant): Promise<void> => {
    const block = await template();
    variant.change(block);
    const blob = toHex(encodeBlock(block));
    const outcome = { theirs: await submit(theirs, blob), ours: await submit(ours, blob) };
    forkRun.blockOutcomes.push({ version, variant, ...outcome });
    if (outcome.theirs === 'OK') await advance();
  };

  const offer = async (version: number, attempt: Attempt): Promise<void> => {
    const plan = attempt.plan(spendFrom(coins, height));
    // Until fork 12 ring members may be young, and RingCT outputs are scarce at first.
    const minAge = plan.minAge ?? (version < 12 ? 1 : 10);
    const blob = toHex(await transactions.make({ ...plan, minAge }, height));
    const request = { tx_as_hex: blob, do_sanity_checks: false };
    const answers = [theirs, ours].map((node) => node.rpc.path('/send_raw_transaction', request));
    const [first, second] = (await Promise.all(answers)) as [JsonObject, JsonObject];
    forkRun.outcomes.push({ version, attempt, theirs: first, ours: second });
    if (first['status'] !== 'OK') return;
    coins.spend(plan.inputs);
    if (height + 1 < endOf(version)) await mine();
  };

  for (const [version, start] of FORK_HEIGHTS) {
    await mineTo(version === 1 ? FIRST_SPEND : start);
    for (const variant of BLOCK_VARIANTS) {
      if (variant.tried(version)) await offerBlock(version, variant);
    }
    for (const attempt of ATTEMPTS_BY_FORK.get(version) ?? []) await offer(version, attempt);
    await mineTo(endOf(version));
  }
  return forkRun;
}
