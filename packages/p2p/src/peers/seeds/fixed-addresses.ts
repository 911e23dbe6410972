import { formatPeerAddress } from '../../net/address.ts';
import type { NetAddress } from '../../net/address.ts';
import { resolveAddresses } from './seeds.ts';
import type { Resolver } from './seeds.ts';

/** Addresses from an option, which may change. Names that do not resolve are looked up again later. */
export class FixedAddresses {
  #texts: readonly string[];
  readonly #defaultPort: number;
  readonly #resolver: Resolver;
  readonly #resolved = new Map<string, readonly NetAddress[]>();

  constructor(texts: readonly string[], defaultPort: number, resolver: Resolver) {
    this.#texts = texts;
    this.#defaultPort = defaultPort;
    this.#resolver = resolver;
  }

  /** Takes other texts. Addresses of those that stay are kept; the new ones have yet to be resolved. */
  replace(texts: readonly string[]): void {
    this.#texts = texts;
    for (const text of this.#resolved.keys())
      if (!texts.includes(text)) this.#resolved.delete(text);
  }

  get given(): boolean {
    return this.#texts.length > 0;
  }

  /** The addresses resolved so far, each once. */
  get addresses(): readonly NetAddress[] {
    const all = [...this.#resolved.values()].flat();
    return [...new Map(all.map((address) => [formatPeerAddress(address), address])).values()];
  }

  /** The texts of the option, each with its addresses: none while the text has not been resolved. */
  get entries(): readonly (readonly [text: string, addresses: readonly NetAddress[]])[] {
    return this.#texts.map((text) => [text, this.#resolved.get(text) ?? []]);
  }

  /** Texts without an address so far. */
  get unresolved(): readonly string[] {
    return this.#texts.filter((text) => !this.#resolved.get(text)?.length);
  }

  /** Looks up the unresolved texts. Never rejects. */
  async resolve(): Promise<void> {
    await Promise.all(
      this.unresolved.map(async (text) => {
        const found = await resolveAddresses([text], this.#defaultPort, this.#resolver);
        // It may have been replaced meanwhile.
        if (this.#texts.includes(text)) this.#resolved.set(text, found);
      }),
    );
  }
}
