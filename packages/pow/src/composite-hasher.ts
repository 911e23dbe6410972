import type { CryptonightRequest, PowHasher, PowRequest, RandomxRequest } from './pow-hasher.ts';

/** A hasher for one family of algorithms. */
export interface FamilyHasher<Request> {
  hash(request: Request): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** One hasher for all algorithms, made of one for each family. */
export class CompositePowHasher implements PowHasher {
  readonly name: string;
  readonly #randomx: FamilyHasher<RandomxRequest>;
  readonly #cryptonight: FamilyHasher<CryptonightRequest>;

  constructor(
    name: string,
    families: {
      readonly randomx: FamilyHasher<RandomxRequest>;
      readonly cryptonight: FamilyHasher<CryptonightRequest>;
    },
  ) {
    this.name = name;
    this.#randomx = families.randomx;
    this.#cryptonight = families.cryptonight;
  }

  hash(request: PowRequest): Promise<Uint8Array> {
    return request.kind === 'randomx'
      ? this.#randomx.hash(request)
      : this.#cryptonight.hash(request);
  }

  async close(): Promise<void> {
    await Promise.all([this.#randomx.close(), this.#cryptonight.close()]);
  }
}
