import type { Block } from '../block/types.ts';
import { JsonArchive } from './json-archive.ts';
import { writeTransactionJson } from './transaction-json.ts';

/** Returns a block as the text that monerod puts into `json` of `get_block`, byte for byte. */
export function blockToJson(block: Block): string {
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
  });
  return json.toString();
}
