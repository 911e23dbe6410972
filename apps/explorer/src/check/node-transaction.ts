import { parseJson64 } from '@monero-node/codec';

/** A transaction as the JSON of the RPC has it, with what is used here. */
interface JsonTransaction {
  readonly version: number;
  readonly unlock_time: number | bigint;
  readonly vin: readonly {
    readonly key?: {
      readonly amount: number | bigint;
      readonly key_offsets: readonly (number | bigint)[];
      readonly k_image: string;
    };
  }[];
  readonly vout: readonly {
    readonly amount: number | bigint;
    readonly target: {
      readonly key?: string;
      readonly tagged_key?: { readonly key: string; readonly view_tag: string };
    };
  }[];
  readonly extra: readonly number[];
  readonly rct_signatures?: { readonly type: number; readonly txnFee?: number | bigint };
}

/** An input of a transaction, with absolute indexes. */
export interface NodeInput {
  readonly amount: bigint;
  readonly keyImage: string;
  readonly ring: readonly bigint[];
}

/** An output of a transaction. */
export interface NodeOutput {
  readonly amount: bigint;
  readonly key: string;
  readonly viewTag: number | null;
}

/** A transaction as read from the node's JSON. */
export interface NodeTransaction {
  readonly version: number;
  readonly unlockTime: bigint;
  readonly fee: bigint;
  readonly extra: string;
  readonly inputs: readonly NodeInput[];
  readonly outputs: readonly NodeOutput[];
}

/** Returns what the node's JSON of a transaction says. Throws DecodeError when it is not JSON. */
export function readTransactionJson(json: string): NodeTransaction {
  const parsed: unknown = parseJson64(json);
  const tx = parsed as JsonTransaction;
  const inputs = tx.vin.flatMap(({ key }) => {
    if (key === undefined) return [];
    let index = 0n;
    const ring = key.key_offsets.map((offset) => (index += BigInt(offset)));
    return [{ amount: BigInt(key.amount), keyImage: key.k_image, ring }];
  });
  const outputs = tx.vout.map(({ amount, target }) => ({
    amount: BigInt(amount),
    key: target.tagged_key?.key ?? target.key ?? '',
    viewTag: target.tagged_key === undefined ? null : parseInt(target.tagged_key.view_tag, 16),
  }));
  const spent = inputs.reduce((sum, { amount }) => sum + amount, 0n);
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const isOld = tx.version === 1 && inputs.length > 0;
  return {
    version: tx.version,
    unlockTime: BigInt(tx.unlock_time),
    inputs,
    outputs,
    fee: isOld ? spent - paid : BigInt(tx.rct_signatures?.txnFee ?? 0),
    extra: Buffer.from(tx.extra).toString('hex'),
  };
}
