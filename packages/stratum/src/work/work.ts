import { powRequestOf, type BlockTemplate } from '@monero-node/blockchain';
import { ExtraNonceBlock, toHex, varintSize } from '@monero-node/codec';
import type { PowRule } from '@monero-node/consensus';
import { nonceOffset, type PowRequest } from '@monero-node/pow';

/** Bytes of the extra nonce: four for the connection, four for the job of that connection. */
export const EXTRA_NONCE_SIZE = 8;
/** Bytes before it in the extra field: a tag, the public key, a tag, and the number of bytes. */
const EXTRA_NONCE_OFFSET = 1 + 32 + 1 + varintSize(EXTRA_NONCE_SIZE);

/**
 * Returns the name that xmrig has for a proof of work; undefined for those it cannot mine. With `rx/2` it always compares the
 * commitment with the target and sends it as the result, and with `rx/0` never.
 */
function algorithmName({ algorithm, commitment }: PowRule): string | undefined {
  if (algorithm === 'randomx') return commitment ? undefined : 'rx/0';
  return algorithm === 'randomx-v2' && commitment ? 'rx/2' : undefined;
}

/** A template, ready to be varied for each job. */
export class Work {
  readonly template: BlockTemplate;
  /** Name of the algorithm. */
  readonly algorithm: string;
  readonly seedHash: Uint8Array;
  readonly seedHex: string;
  /** Counts the tips: work of another one has expired. */
  readonly tip: number;
  readonly #block: ExtraNonceBlock;

  /** Returns undefined for a template whose proof of work rigs cannot mine. Its extra nonce must have 8 bytes. */
  static of(template: BlockTemplate, tip: number): Work | undefined {
    const algorithm = algorithmName(template.pow);
    if (algorithm === undefined || template.seedHash === undefined) return undefined;
    return new Work(template, { algorithm, seedHash: template.seedHash, tip });
  }

  private constructor(
    template: BlockTemplate,
    { algorithm, seedHash, tip }: Pick<Work, 'algorithm' | 'seedHash' | 'tip'>,
  ) {
    this.template = template;
    this.algorithm = algorithm;
    this.seedHash = seedHash;
    this.seedHex = toHex(seedHash);
    this.tip = tip;
    const place = { offset: EXTRA_NONCE_OFFSET, size: EXTRA_NONCE_SIZE };
    this.#block = new ExtraNonceBlock(template.block, place);
  }

  /** Returns the hashing blob with these 8 bytes. */
  hashingBlob(extraNonce: Uint8Array): Uint8Array {
    return this.#block.hashingBlob(extraNonce);
  }

  /** Returns the bytes of the block with these 8 bytes and this nonce. */
  blockBlob(extraNonce: Uint8Array, nonce: number): Uint8Array {
    return this.#block.blockBlob(extraNonce, nonce);
  }

  /** Returns what is hashed for a nonce. */
  request(hashingBlob: Uint8Array, nonce: number): PowRequest {
    const blob = Uint8Array.from(hashingBlob);
    new DataView(blob.buffer).setUint32(nonceOffset(blob), nonce, true);
    const { pow, height } = this.template;
    return powRequestOf(pow, { height, blob, seedHash: this.seedHash });
  }
}
