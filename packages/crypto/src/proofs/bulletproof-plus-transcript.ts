import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeScalar, hashToScalar } from '../curve/scalar.ts';

/** encode(Hp(K("bulletproof_plus_transcript"))), where every Bulletproof+ transcript starts. */
export const INITIAL_TRANSCRIPT = hexToBytes(
  '4a677c90eb73051e790da45591107f6ee105904d9187c5d35471096c445a2275',
);

/**
 * The running hash of one Bulletproof+, in which each challenge is the next state.
 * Source: transcript_update in src/ringct/bulletproofs_plus.cc.
 */
export class BulletproofPlusTranscript {
  #state: Uint8Array;

  /** @param commitments the encoded V_j, which are the output commitments divided by 8, 32 bytes each */
  constructor(commitments: readonly Uint8Array[]) {
    this.#state = INITIAL_TRANSCRIPT;
    this.append(encodeScalar(hashToScalar(...commitments)));
  }

  /** Hashes the parts onto the state and returns the new state as a challenge. */
  append(...parts: readonly Uint8Array[]): bigint {
    const challenge = hashToScalar(this.#state, ...parts);
    this.#state = encodeScalar(challenge);
    return challenge;
  }

  /** Returns the challenges y (from A) and z (the hash of y alone). */
  appendA(A: Uint8Array): { y: bigint; z: bigint } {
    const y = this.append(A);
    const z = hashToScalar(this.#state);
    this.#state = encodeScalar(z);
    return { y, z };
  }
}
