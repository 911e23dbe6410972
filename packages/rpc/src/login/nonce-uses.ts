import { NONCE_MS, type Nonces } from './nonces.ts';

/** Nonces whose uses are remembered; only right logins are. */
const MAX_NONCES = 10_000;

/** Notes the uses of nonces, so that none is used twice. */
export interface NonceUses {
  /**
   * A right login came on the connection that the nonce was made for, the first with this nonce. From then on the nonce is valid
   * on that connection only. Returns false when it has been used elsewhere.
   */
  claim(nonce: string): boolean;
  /**
   * A right login came on another connection. Returns whether it is let in, or a promise of that.
   *
   * @param count the `nc` of the request; Infinity for a login without `qop`, which uses its nonce up
   */
  spend(nonce: string, count: number): boolean | Promise<boolean>;
}

interface Used {
  readonly madeAt: number;
  /** Highest count so far. */
  count: number;
}

/**
 * The nonces that have been used in this process and its workers. A nonce is let in on a connection for which it was not made when it is
 * fresh and its count is higher than every one before. When too many are fresh at a time, older ones than the first that was
 * forgotten count as expired.
 */
export class NonceLedger implements NonceUses {
  readonly #nonces: Nonces;
  readonly #most: number;
  readonly #used = new Map<string, Used>();
  #forgottenUntil = -1;

  constructor(nonces: Nonces, most: number = MAX_NONCES) {
    this.#nonces = nonces;
    this.#most = most;
  }

  /** Number of nonces that are remembered. */
  get size(): number {
    return this.#used.size;
  }

  claim(nonce: string): boolean {
    const madeAt = this.#nonces.madeAt(nonce);
    // An old one is refused everywhere else.
    if (madeAt === undefined) return true;
    if (this.#used.has(nonce)) return false;
    this.#note(nonce, { madeAt, count: Infinity });
    return true;
  }

  spend(nonce: string, count: number): boolean {
    const madeAt = this.#nonces.madeAt(nonce);
    if (madeAt === undefined || madeAt <= this.#forgottenUntil || !(count > 0)) return false;
    const used = this.#used.get(nonce);
    if (used === undefined) this.#note(nonce, { madeAt, count });
    else if (count > used.count) used.count = count;
    else return false;
    return true;
  }

  #note(nonce: string, used: Used): void {
    for (const [old, { madeAt }] of this.#used) {
      const isExpired = used.madeAt - madeAt > NONCE_MS;
      if (!isExpired && this.#used.size < this.#most) break;
      this.#used.delete(old);
      if (!isExpired) this.#forgottenUntil = Math.max(this.#forgottenUntil, madeAt);
    }
    this.#used.set(nonce, used);
  }
}
