import type { HandlerOf } from '../method.ts';
import { inSlices, type Yielder } from '@monero-node/base';
import { tryParseBlock } from '@monero-node/blockchain';
import {
  encodeBlock,
  encodeTxExtra,
  parseBlockSteps,
  parseTxExtra,
  treeHash,
  type Block,
} from '@monero-node/codec';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import { arrangeAuxiliary, encodeDepth, type AuxiliaryBlock } from '../mining/merge-mining.ts';
import { tryHex } from '../encoding/hex.ts';
import { JsonRpcError } from '../errors.ts';

const MAX_RESTRICTED_BLOCKS = 10;
const MAX_NONCE = { restricted: 16_384, unrestricted: 65_535 };

/**
 * Commits a block template to blocks of other chains that are mined with it. Throws JsonRpcError for no blocks or too
 * many, for ids and hashes that are not 32 bytes in hex, for a template that is not a block, and when every nonce
 * makes two chains collide.
 */
export const addAuxPow: HandlerOf<'addAuxPow'> = async (
  { aux_pow, blocktemplate_blob },
  { restricted, yielder },
) => {
  if (restricted && aux_pow.length > MAX_RESTRICTED_BLOCKS) {
    throw new JsonRpcError(RPC_ERROR.restricted, 'Too many aux pow hashes');
  }
  if (aux_pow.length === 0) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Empty aux pow hash vector');
  }
  const blocks = aux_pow.map(readAuxiliary);
  const maxNonce = restricted ? MAX_NONCE.restricted : MAX_NONCE.unrestricted;
  const arranged = await arrangeAuxiliary(blocks, maxNonce, yielder);
  if (arranged === undefined) {
    throw new JsonRpcError(RPC_ERROR.internal, 'Failed to find a suitable nonce');
  }
  const merkleRoot = treeHash(arranged.ordered.map(({ hash }) => hash));
  const depth = encodeDepth(blocks.length, arranged.nonce);
  const template = await readTemplate(blocktemplate_blob, yielder);
  const blob = encodeBlock(committed(template, depth, merkleRoot));
  const { hashingBlob } = await inSlices(parseBlockSteps(blob), yielder);
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

async function readTemplate(hex: string, yielder: Yielder): Promise<Block> {
  const blob = tryHex(hex);
  if (blob === undefined)
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Invalid blocktemplate_blob');
  const parsed = await tryParseBlock(blob, yielder);
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
