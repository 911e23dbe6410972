import { inSlices, type Yielder } from '@monero-node/base';
import {
  type BlockTemplate,
  minedBlock,
  powRequestOf,
  templateSearch,
  tryParseBlock,
  WorkDeclinedError,
} from '@monero-node/blockchain';
import {
  type Block,
  bytesEqual,
  encodeBlock,
  encodeTxExtra,
  parseBlock,
  parseBlockSteps,
  parseTxExtra,
  toHex,
  treeHash,
} from '@monero-node/codec';
import {
  formatsOf,
  HISTORICAL_POW_HEIGHT,
  historicalPowHash,
  type Network,
  NEWEST_VERSION,
  powRuleOf,
} from '@monero-node/consensus';
import {
  HashingNonceSearcher,
  isRandomx,
  type PowHasher,
  PowInputError,
  type PowRequest,
  seedHeight,
} from '@monero-node/pow';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';
import { tryHex } from '../encoding/hex.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';
import { makeTemplate, templateAnswer } from '../mining/block-template.ts';
import { arrangeAuxiliary, type AuxiliaryBlock, encodeDepth } from '../mining/merge-mining.ts';
import { minerData } from '../mining/miner-data.ts';
import {
  checkBlobSize,
  checkParent,
  isBlockWithHugeNumbers,
  notAccepted,
  submitMinedBlock,
} from '../mining/submit-block.ts';

/** Returns a template for the next block. Throws JsonRpcError as `makeTemplate` does. */
const getBlockTemplate: HandlerOf<'getBlockTemplate'> = async (request, context) =>
  templateAnswer(await makeTemplate(request, context));

/**
 * Returns the data that p2pool needs to build blocks. Throws JsonRpcError until the node is synchronized, and when the
 * seed block or the curve tree is unknown.
 */
const getMinerData: HandlerOf<'getMinerData'> = async (
  _request,
  { services: { chain, p2p, pool } },
) => {
  if (!p2p.synchronized) throw new JsonRpcError(RPC_ERROR.busy, 'Core is busy');
  const data = await minerData(chain, pool);
  if (data === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Internal error: failed to get miner data');
  }
  return data;
};

const MAX_RESTRICTED_BLOCKS = 10;
const MAX_ARRANGING_NONCE = { restricted: 16_384, unrestricted: 65_535 };

/**
 * Commits a block template to blocks of other chains that are mined with it. Throws JsonRpcError for no blocks or too
 * many, for ids and hashes that are not 32 bytes in hex, for a template that is not a block, and when every nonce
 * makes two chains collide.
 */
const addAuxPow: HandlerOf<'addAuxPow'> = async (
  { aux_pow, blocktemplate_blob },
  { restricted, yielder, services: { chain } },
) => {
  if (restricted && aux_pow.length > MAX_RESTRICTED_BLOCKS) {
    throw new JsonRpcError(RPC_ERROR.restricted, 'Too many aux pow hashes');
  }
  if (aux_pow.length === 0) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Empty aux pow hash vector');
  }
  const blocks = aux_pow.map(readAuxiliary);
  const maxNonce = restricted ? MAX_ARRANGING_NONCE.restricted : MAX_ARRANGING_NONCE.unrestricted;
  const arranged = await arrangeAuxiliary(blocks, maxNonce, yielder);
  if (arranged === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Failed to find a suitable nonce');
  }
  const merkleRoot = treeHash(arranged.ordered.map(({ hash }) => hash));
  const depth = encodeDepth(blocks.length, arranged.nonce);
  const template = await readTemplate(chain.network, blocktemplate_blob, yielder);
  const blob = encodeBlock(committed(template, depth, merkleRoot));
  const { hashingBlob } = await inSlices(
    parseBlockSteps(blob, Infinity, formatsOf(chain.network)),
    yielder,
  );
  return {
    aux_pow: arranged.ordered,
    blockhashing_blob: hashingBlob,
    blocktemplate_blob: blob,
    merkle_root: merkleRoot,
    merkle_tree_depth: depth,
  };
};

function readAuxiliary({ id, hash }: { id: string; hash: string }): AuxiliaryBlock {
  return {
    id: read32(id, 'Invalid aux pow id'),
    hash: read32(hash, 'Invalid aux pow hash'),
  };
}

function read32(text: string, message: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes?.length === 32) return bytes;
  throw new JsonRpcError(RPC_ERROR.wrongParam, message);
}

async function readTemplate(network: Network, hex: string, yielder: Yielder): Promise<Block> {
  const blob = tryHex(hex);
  if (blob === undefined)
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Invalid blocktemplate_blob');
  const parsed = await tryParseBlock(network, blob, yielder);
  if (parsed === undefined) {
    throw new JsonRpcError(RPC_ERROR.wrongBlockBlob, 'Wrong blocktemplate_blob');
  }
  return parsed.block;
}

/** The block with this merge-mining tag, at the end of its extra field, in place of any it had. */
function committed(block: Block, depth: bigint, merkleRoot: Uint8Array): Block {
  const { extra } = block.minerTx;
  const fields = parseTxExtra(extra);
  // Shorter when there was something that could not be read.
  if (encodeTxExtra(fields).length !== extra.length) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Error removing existing merkle root');
  }
  const others = fields.filter(({ kind }) => kind !== 'merge-mining');
  const tagged = encodeTxExtra([...others, { kind: 'merge-mining', depth, merkleRoot }]);
  return { ...block, minerTx: { ...block.minerTx, extra: tagged } };
}

/**
 * Adds a mined block whose transactions are in the pool. Throws RpcStatus with BUSY until the node is synchronized;
 * JsonRpcError for a request that is not one block in hex, a blob that is too long, or a block that breaks a rule or is
 * known already. A restricted port takes blocks of the current seed only. Source: on_submitblock in src/rpc/core_rpc_server.cpp.
 */
const submitBlock: HandlerOf<'submitBlock'> = async (items, context) => {
  if (!context.services.p2p.synchronized) throw new RpcStatus(BUSY);
  const [hex] = items;
  if (hex === undefined || items.length !== 1) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong param');
  }
  const blob = tryHex(hex);
  if (blob === undefined) throw wrongBlob();
  const { yielder } = context;
  const { network } = context.services.chain;
  const parsed = await tryParseBlock(network, blob, yielder);
  if (parsed === undefined && !(await isBlockWithHugeNumbers(network, blob, yielder)))
    throw wrongBlob();
  checkBlobSize(blob.length, context.services.chain);
  if (parsed === undefined) throw notAccepted();
  if (context.restricted) checkParent(parsed, context.services.chain);
  await submitMinedBlock(parsed, 'submit_block', context);
  return { block_id: parsed.id };
};

function wrongBlob(): JsonRpcError {
  return new JsonRpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
}

const LAST_NONCE = 2 ** 32 - 1;

/**
 * Mines blocks at once on a regtest chain. Throws RpcStatus with BUSY until the node is synchronized; JsonRpcError on
 * other networks, without a hasher, and as `makeTemplate` and `submitMinedBlock` do.
 */
const generateBlocks: HandlerOf<'generateBlocks'> = async (request, context) => {
  if (!context.services.p2p.synchronized) throw new RpcStatus(BUSY);
  if (context.services.chain.network.name !== 'regtest') {
    throw new JsonRpcError(RPC_ERROR.regtestRequired, 'Regtest required when generating blocks');
  }
  if (context.services.pow === undefined)
    throw new JsonRpcError(RPC_ERROR.internal, 'No proof of work');
  const blocks: Uint8Array[] = [];
  let { height } = context.services.chain;
  for (let count = 0n; count < request.amount_of_blocks; count++) {
    const last = blocks.at(-1);
    const { template } = await makeTemplate(
      {
        wallet_address: request.wallet_address,
        reserve_size: 1n,
        extra_nonce: '',
        prev_block: last === undefined ? request.prev_block : toHex(last),
      },
      context,
    );
    const parsed = parseBlock(await mine(template, request.starting_nonce, context.services.pow));
    await submitMinedBlock(parsed, 'generateblocks', context);
    blocks.push(parsed.id);
    height = template.height;
  }
  return { blocks, height };
};

/**
 * Tries nonces from `startNonce` up to the last, which is taken whatever its hash. At difficulty 1 every nonce is good, so
 * no hash is computed.
 */
async function mine(
  template: BlockTemplate,
  startNonce: number,
  hasher: Pick<PowHasher, 'hash'>,
): Promise<Uint8Array> {
  if (template.difficulty === 1n) return minedBlock(template, startNonce);
  const { nonce = LAST_NONCE } = await new HashingNonceSearcher(hasher).search({
    ...templateSearch(template),
    startNonce,
    stride: 1,
    count: LAST_NONCE - startNonce,
  });
  return minedBlock(template, nonce);
}

/** Bytes that CryptoNight 1 needs. */
const MIN_VARIANT_1_BLOB = 43;

/**
 * Returns the 32-byte proof of work of a hashing blob: its hash, or the commitment to it. Without a seed hash it uses the one that the chain has for
 * that height. Throws JsonRpcError for a blob that is not hex, too short or too long, for a bad seed hash, and when too
 * many calls wait for their turn.
 */
const calcPow: HandlerOf<'calcPow'> = async (request, context) => {
  const blob = tryHex(request.block_blob);
  if (blob === undefined) throw new JsonRpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
  // Versions that there are not yet are hashed as the newest, and 0 as the first.
  const version = Math.min(Math.max(1, request.major_version), NEWEST_VERSION);
  const rule = powRuleOf(context.services.chain.network, version);
  if (rule.algorithm === 'cryptonight-1' && blob.length < MIN_VARIANT_1_BLOB) {
    throw new JsonRpcError(
      RPC_ERROR.wrongBlockBlobSize,
      'Block blob size is too small for CryptoNight v1, rejecting block',
    );
  }
  checkBlobSize(blob.length, context.services.chain);
  const seedHash = seedHashOf(request, context);
  if (request.height === BigInt(HISTORICAL_POW_HEIGHT)) {
    const known = historicalPowHash(blob);
    if (known !== undefined) return known;
  }
  try {
    const { height } = request;
    return await hashInTurn(powRequestOf(rule, { height, blob, seedHash }), context);
  } catch (error) {
    if (error instanceof PowInputError) throw new JsonRpcError(RPC_ERROR.internal, error.message);
    throw error;
  }
};

/** Hashes when it is the caller's turn; a seed of the caller's choice takes no cache away from the chain. */
async function hashInTurn(
  work: PowRequest,
  { services: { chain, pow }, client, resting }: RpcContext,
): Promise<Uint8Array> {
  if (pow === undefined) throw new JsonRpcError(RPC_ERROR.internal, 'No proof of work');
  const current = chain.store.blockMeta(seedHeight(chain.height))?.id;
  const isAside = isRandomx(work) && (current === undefined || !bytesEqual(work.seedHash, current));
  const hash = (): Promise<Uint8Array> =>
    (isAside ? pow.hashAside?.(work) : undefined) ?? pow.hash(work);
  if (client === undefined) return hash();
  try {
    // Only the owner calls this, and may ask many at a time: each call counts as a host of its own.
    return await resting(chain.hashFor({ ...client, host: {}, isOwner: true }, hash));
  } catch (error) {
    throw error instanceof WorkDeclinedError
      ? new JsonRpcError(RPC_ERROR.busy, 'Core is busy')
      : error;
  }
}

function seedHashOf(
  request: { readonly seed_hash: string; readonly height: bigint },
  { services: { chain } }: RpcContext,
): Uint8Array {
  if (request.seed_hash !== '') {
    const bytes = tryHex(request.seed_hash);
    if (bytes?.length === 32) return bytes;
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong seed hash');
  }
  // Above the chain monerod takes zeros.
  if (request.height > BigInt(Number.MAX_SAFE_INTEGER)) return new Uint8Array(32);
  return chain.store.blockMeta(seedHeight(Number(request.height)))?.id ?? new Uint8Array(32);
}

export const TEMPLATE_ROWS = {
  getBlockTemplate: {
    handler: getBlockTemplate,
    answeredBy: 'main',
    isForwarded: true,
    available: ({ templates }) => templates !== undefined,
  },
  getMinerData: { handler: getMinerData, answeredBy: 'main' },
  addAuxPow: { handler: addAuxPow, answeredBy: 'main' },
  submitBlock: { handler: submitBlock, answeredBy: 'main' },
  generateBlocks: {
    handler: generateBlocks,
    answeredBy: 'main',
    available: ({ templates, pow }) => templates !== undefined && pow !== undefined,
  },
  calcPow: { handler: calcPow, answeredBy: 'main', available: ({ pow }) => pow !== undefined },
} satisfies Partial<MethodRows>;
