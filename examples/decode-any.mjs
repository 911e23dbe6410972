// Says what a text is and shows it: a transaction, pruned or not, a block, extra of a transaction, or an address: node examples/decode-any.mjs TEXT
import {
  blockToJson,
  encodeTxExtra,
  fromHex,
  parseAddress,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  parseTxExtra,
  toHex,
  transactionToJson,
} from '@monero-node/codec';

const GENESIS =
  '010000000000000000000000000000000000000000000000000000000000000000000010270000013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d100';
const MINER = GENESIS.slice(78, -2);

/** What bytes can be, the most demanding first: each reads all bytes, or throws. */
const FORMS = {
  block: (bytes) => {
    const { id, block } = parseBlock(bytes);
    return `${toHex(id)}\n${blockToJson(block)}`;
  },
  transaction: (bytes) => {
    const transaction = parseTransaction(bytes);
    return `${toHex(transaction.id)}\n${transactionToJson(transaction)}`;
  },
  'pruned transaction': (bytes) => transactionToJson(parsePrunedTransaction(bytes)),
  'extra of a transaction': (bytes) => {
    const fields = parseTxExtra(bytes); // up to the first that is malformed
    if (toHex(encodeTxExtra(fields)) !== toHex(bytes)) throw new Error('not to its end');
    return fields.map(({ kind }) => kind).join(', ');
  },
};

/** Returns what a text is, and what it says. */
export function decodeAny(text) {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return ['address', JSON.stringify(parseAddress(text))];
  for (const [name, show] of Object.entries(FORMS)) {
    try {
      return [name, show(fromHex(text))];
    } catch {
      // It is something else.
    }
  }
  return ['bytes', 'of nothing that is known here'];
}

const [text] = globalThis.process?.argv.slice(2) ?? []; // a page has none
for (const each of text ? [text] : [GENESIS, MINER, MINER.slice(-66), 'c0ffee'])
  console.log(...decodeAny(each));
