import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A known answer of both versions of RandomX. */
export interface RandomxV2Vector {
  /** Seed hash; of 12, 32 or 60 bytes. */
  readonly key: Uint8Array;
  readonly input: Uint8Array;
  /** Hashes in hex, 32 bytes each. */
  readonly v1: string;
  readonly v2: string;
  /** The commitment to the hash of version 2, in hex, 32 bytes. */
  readonly commitment: string;
}

const FILE = new URL('../../fixtures/randomx-v2.json.gz', import.meta.url);

/** Returns all 216 vectors, ordered by key. They were computed with librandomx 2.0, as the file says. */
export function randomxV2Vectors(): RandomxV2Vector[] {
  const { vectors } = JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8')) as {
    readonly vectors: readonly (readonly [string, string, string, string, string])[];
  };
  return vectors.map(([key, input, v1, v2, commitment]) => {
    const [keyBytes, inputBytes] = [Buffer.from(key, 'hex'), Buffer.from(input, 'hex')];
    return { key: keyBytes, input: inputBytes, v1, v2, commitment };
  });
}
