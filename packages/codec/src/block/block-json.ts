import { JsonArchive } from '../json/json-archive.ts';
import type { JsonObject } from '../json/json-parser.ts';
import { writeTransactionJson } from '../transaction/transaction-json.ts';
import type { Block } from './types.ts';

/** Returns a block as the text that monerod puts into `json` of `get_block`, byte for byte. */
export function blockToJson(block: Block): string {
  return archiveOf(block).toString();
}

/** Returns a block as the object that monerod renders in `json` of `get_block`, as `transactionToObject` does. */
export function blockToObject(block: Block): JsonObject {
  return archiveOf(block).toObject();
}

function archiveOf(block: Block): JsonArchive {
  const json = new JsonArchive();
  json.object(() => {
    json.member('major_version').integer(block.majorVersion);
    json.member('minor_version').integer(block.minorVersion);
    json.member('timestamp').integer(block.timestamp);
    json.member('prev_id').hex(block.prevId);
    json.member('nonce').integer(block.nonce);
    json.member('miner_tx');
    writeTransactionJson(json, block.minerTx, false);
    json.member('tx_hashes').countedArray(block.txHashes, (hash) => json.hex(hash));
    if (block.tree === undefined) return;
    json.member('fcmp_pp_n_tree_layers').integer(block.tree.layers);
    json.member('fcmp_pp_tree_root').hex(block.tree.root);
  });
  return json;
}
