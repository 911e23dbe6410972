import { blockHashingBlob, encodeBlock, toHex, varintSize } from '@monero-node/codec';
import { TemplateError, type BlockTemplate } from '@monero-node/blockchain';
import { nextSeedHeight } from '@monero-node/pow';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcServices } from '../context.ts';
import type { RpcChain } from '../dependencies.ts';
import { JsonRpcError } from '../errors.ts';
import { tryHex } from '../encoding/hex.ts';
import { minerAddress } from './miner-address.ts';
import { wideNumber } from '../encoding/wide-number.ts';

/** As `get_block_template` takes it. */
export interface TemplateCall {
  readonly wallet_address: string;
  readonly reserve_size: bigint;
  readonly prev_block: string;
  readonly extra_nonce: string;
}

/** The parts of a call's context that a template needs. */
interface TemplateContext {
  readonly services: Pick<RpcServices, 'chain' | 'p2p' | 'templates' | 'logger'>;
  /** The call came to a listener that hides transactions which are not public yet. */
  readonly restricted?: boolean;
}

const MAX_RESERVE = 255;
const NO_HASH = new Uint8Array(0);

/**
 * Makes the template that a call asks for, checking it in monerod's order. Throws JsonRpcError until the node is
 * synchronized, for a malformed request or address, and when no template can be made.
 */
export async function makeTemplate(call: TemplateCall, context: TemplateContext) {
  const { services, restricted = false } = context;
  const { chain, p2p, templates, logger } = services;
  if (!p2p.synchronized) throw new JsonRpcError(RPC_ERROR.busy, 'Core is busy');
  checkSizes(call);
  const address = addressOf(call.wallet_address, chain);
  const extraNonce = nonceOf(call);
  const prevId = call.prev_block === '' ? undefined : tryHex(call.prev_block);
  if (call.prev_block !== '' && prevId?.length !== 32) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Invalid prev_block');
  }
  try {
    if (templates === undefined)
      throw new TemplateError('not-served', 'no templates are made here');
    const request = { address, extraNonce, prevId, publicOnly: restricted };
    const template = await templates.create(request);
    return { template, extraNonce, nextSeedHash: nextSeedHash(template, chain) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    logger.warn(`no block template: ${error.message}`);
    throw new JsonRpcError(RPC_ERROR.internal, 'Internal error: failed to create block template');
  }
}

function checkSizes({ reserve_size, extra_nonce }: TemplateCall): void {
  if (reserve_size > BigInt(MAX_RESERVE)) {
    throw new JsonRpcError(
      RPC_ERROR.tooBigReserveSize,
      `Too big reserved size, maximum ${MAX_RESERVE}`,
    );
  }
  if (reserve_size > 0n && extra_nonce !== '') {
    throw new JsonRpcError(
      RPC_ERROR.wrongParam,
      'Cannot specify both a reserve_size and an extra_nonce',
    );
  }
  if (extra_nonce.length > 2 * MAX_RESERVE) {
    throw new JsonRpcError(
      RPC_ERROR.tooBigReserveSize,
      `Too big extra_nonce size, maximum ${2 * MAX_RESERVE} hex chars`,
    );
  }
}

function addressOf(text: string, chain: RpcChain) {
  const address = minerAddress(text, chain.network);
  if (address === undefined) {
    throw new JsonRpcError(RPC_ERROR.wrongWalletAddress, 'Failed to parse wallet address');
  }
  if (address.isSubaddress) {
    throw new JsonRpcError(
      RPC_ERROR.miningToSubaddress,
      'Mining to subaddress is not supported yet',
    );
  }
  return address;
}

function nonceOf({ extra_nonce, reserve_size }: TemplateCall): Uint8Array {
  if (extra_nonce === '') return new Uint8Array(Number(reserve_size));
  const nonce = tryHex(extra_nonce);
  if (nonce !== undefined) return nonce;
  throw new JsonRpcError(RPC_ERROR.wrongParam, 'Parameter extra_nonce should be a hex string');
}

/** Returns the next seed, from the main chain; empty when it is the same as the present one. */
function nextSeedHash(
  { height, seedHeight, seedHash }: BlockTemplate,
  { store }: RpcChain,
): Uint8Array {
  const next = nextSeedHeight(height);
  if (seedHash === undefined || next === seedHeight) return NO_HASH;
  return store.blockMeta(next)?.id ?? new Uint8Array(32);
}

/** The answer about a template, without status. */
export function templateAnswer({
  template,
  extraNonce,
  nextSeedHash: next,
}: Awaited<ReturnType<typeof makeTemplate>>) {
  const { block, difficulty, seedHash } = template;
  const blob = encodeBlock(block);
  const { low, top, wide } = wideNumber(difficulty);
  return {
    blockhashing_blob: blockHashingBlob(block),
    blocktemplate_blob: blob,
    cumulative_weight: template.weight,
    difficulty: low,
    difficulty_top64: top,
    expected_reward: template.expectedReward,
    height: template.height,
    next_seed_hash: toHex(next),
    prev_hash: block.prevId,
    reserved_offset: reservedOffset(blob, template.transactionKey, extraNonce.length),
    seed_hash: seedHash ?? NO_HASH,
    seed_height: template.seedHeight,
    wide_difficulty: wide,
  };
}

/** Where in the blob the reserved bytes begin: behind the transaction key, a tag and their number. */
function reservedOffset(blob: Uint8Array, key: Uint8Array, size: number): number {
  if (size === 0) return 0;
  return Buffer.from(blob).indexOf(key) + key.length + 1 + varintSize(size);
}
