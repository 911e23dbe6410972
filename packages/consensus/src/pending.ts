import type { BlockHeader, ParsedTransaction } from '@monero-node/codec';
import type { BalanceStatement, BulletproofPlusProof, ClsagProof } from '@monero-node/crypto';
import type { HardFork, Network, NetworkName } from './network/types.ts';
/* eslint-disable @typescript-eslint/no-unused-vars */
const pending = (): never => {
  throw new Error('not written yet');
};

export declare const _pending: unique symbol;
export const NETWORKS = {} as Record<NetworkName, Network>;
export function withOverrides(
  network: Network,
  overrides: { fixedDifficulty?: bigint; hardForks?: readonly HardFork[] },
): Network {
  return pending();
}
export function versionAtHeight(network: Network, height: number): number {
  return pending();
}
export function earliestHeightOf(network: Network, version: number): number | undefined {
  return pending();
}
export interface ForkRules {
  readonly version: number;
  readonly difficultyTarget: number;
  readonly minBlockWeight: number;
  readonly minRingSize: number;
  readonly coinbaseVersion: 1 | 2;
}
export function rulesFor(version: number): ForkRules {
  return pending();
}
export function checkVersion(network: Network, height: number, header: BlockHeader): void {
  pending();
}
export function checkTimestamp(
  timestamp: number,
  recentTimestamps: readonly number[],
  chainHeight: number,
  now: number,
): void {
  pending();
}
export function checkCheckpoint(network: Network, height: number, id: Uint8Array): void {
  pending();
}
/** Throws 'below-checkpoint' when an alternative block may not exist at `height`. */
export function checkAlternativeHeight(
  network: Network,
  height: number,
  chainHeight: number,
): void {
  pending();
}
export function nextDifficulty(
  timestamps: readonly number[],
  cumulativeDifficulties: readonly bigint[],
  target: number,
): bigint {
  return pending();
}
export function meetsDifficulty(hash: Uint8Array, difficulty: bigint): boolean {
  return pending();
}
export function medianTimestamp(timestamps: readonly number[]): number {
  return pending();
}
/** The clock of time locks (6.5). recentTimestamps: the newest up to 60, newest last. */
export function adjustedTime(
  rules: ForkRules,
  recentTimestamps: readonly number[],
  chainHeight: number,
  now: number,
): number {
  return pending();
}
export function transactionWeight(p: ParsedTransaction): number {
  return pending();
}
export function blockReward(o: {
  medianWeight: number;
  blockWeight: number;
  generatedCoins: bigint;
  rules: ForkRules;
}): bigint {
  return pending();
}
export interface WeightState {
  readonly shortTermMedian: number;
  readonly longTermMedian: number;
  readonly effectiveMedian: number;
  readonly rewardMedian: number;
  readonly limit: number;
}
/** longTermMedian: raw median of the long-term window (LongTermMedian.median). */
export function computeWeightState(
  rules: ForkRules,
  last100Weights: readonly number[],
  longTermMedian: number,
): WeightState {
  return pending();
}
export function longTermWeight(
  rules: ForkRules,
  blockWeight: number,
  longTermMedian: number,
): number {
  return pending();
}
export class LongTermMedian {
  /** Weights oldest first; at most the newest 100,000 are kept. */
  static from(weights: Iterable<number>): LongTermMedian {
    return pending();
  }
  get size(): number {
    return pending();
  }
  /** 0 when empty. */
  get median(): number {
    return pending();
  }
  /** Appends a block's long-term weight; returns the weight that left the window, if it was full. */
  push(weight: number): number | undefined {
    return pending();
  }
  /** Takes the newest back. `restored`: the weight that re-enters at the old end (that of the block 100,000 below), when there is one. */
  pop(restored?: number): number {
    return pending();
  }
  clone(): LongTermMedian {
    return pending();
  }
}
export function checkMinerTxShape(
  rules: ForkRules,
  height: number,
  minerTx: ParsedTransaction,
): void {
  pending();
}
export function checkMinerTxAmount(
  rules: ForkRules,
  minerTx: ParsedTransaction,
  baseReward: bigint,
  fees: bigint,
): bigint {
  return pending();
}
/** generated + reward, saturating at 2^64 - 1 */
export function addGeneratedCoins(generated: bigint, recordedReward: bigint): bigint {
  return pending();
}
export interface PendingChecks {
  points: Uint8Array[];
  keyImages: Uint8Array[];
  balance?: BalanceStatement;
  rangeProof?: BulletproofPlusProof;
}
export function checkTransaction(
  rules: ForkRules,
  p: ParsedTransaction,
  txId?: string,
): PendingChecks {
  return pending();
}
export interface RingMember {
  key: Uint8Array;
  commitment: Uint8Array;
  unlockTime: bigint;
  height: number;
}
export interface ChainLookup {
  height: number;
  version: number;
  adjustedTime(): number;
  ringMember(amount: bigint, index: bigint): RingMember | undefined;
  outputCount(amount: bigint): number;
  isSpent(keyImage: Uint8Array): boolean;
}
export function checkInputs(
  rules: ForkRules,
  p: ParsedTransaction,
  chain: ChainLookup,
): ClsagProof[] {
  return pending();
}
export function absoluteOffsets(relative: readonly bigint[]): bigint[] {
  return pending();
}
/** height: of the block that would spend it. */
export function isUnlocked(
  rules: ForkRules,
  unlockTime: bigint,
  height: number,
  adjustedTime: number,
): boolean {
  return pending();
}
export function feeOf(p: ParsedTransaction): bigint {
  return pending();
}
export interface FeeEstimate {
  readonly fee: bigint;
  readonly fees: readonly [bigint, bigint, bigint, bigint];
  readonly quantizationMask: bigint;
}
export interface FeeState {
  readonly rules: ForkRules;
  readonly last100Weights: readonly number[];
  readonly longTermWeights: LongTermMedian;
  readonly generatedCoins: bigint;
  readonly effectiveMedian: number;
  readonly graceBlocks: number;
}
/** Throws RangeError when graceBlocks is above 100. */
export function feeEstimate(state: FeeState): FeeEstimate {
  return pending();
}
/** Fee per byte (fork 8+) or per kB that this node relays at. */
export function dynamicBaseFee(o: {
  rules: ForkRules;
  baseReward: bigint;
  weightState: WeightState;
}): bigint {
  return pending();
}
/** The smallest fee accepted for relay, the 2 % tolerance taken off. */
export function minimumFee(o: {
  rules: ForkRules;
  baseReward: bigint;
  weightState: WeightState;
  weight: number;
}): bigint {
  return pending();
}
/** Relay policy: fee, tx_extra size, unlock time. Never for transactions that came in a block. */
export function checkRelay(p: ParsedTransaction, fees: { minimumFee: bigint }): void {
  pending();
}
