import { formatPeerAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { resolveAddresses } from './seeds.ts';
import type { Resolver } from './seeds.ts';

/** Addresses the user gave, looked up again as long as some name does not resolve. */
export class FixedAddresses {
  readonly #texts: readonly string[];
  readonly #defaultPort: number;
  readonly #resolver: Resolver;
  readonly #resolved = new Map<string, readonly NetAddress[]>();

  constructor(texts: readonly string[], defaultPort: number, resolver: Resolver) {
    this.#texts = texts;
    this.#defaultPort = defaultPort;
    this.#resolver = resolver;
  }

  get given(): boolean {
    return this.#texts.length > 0;
  }

  /** The addresses known so far, each once. */
  get addresses(): readonly NetAddress[] {
    const all = [...this.#resolved.values()].flat();
    return [...new Map(all.map((address) => [formatPeerAddress(address), address])).values()];
  }

  /** Texts that lead nowhere yet. */
  get unresolved(): readonly string[] {
    return this.#texts.filter((text) => !this.#resolved.get(text)?.length);
  }

  /** Looks up what is not known. Never rejects. */
  async resolve(): Promise<void> {
    await Promise.all(
      this.unresolved.map(async (text) => {
        this.#resolved.set(text, await resolveAddresses([text], this.#defaultPort, this.#resolver));
      }),
    );
  }
}
