import type { Logger } from '@monero-node/base';
import type { Network } from '@monero-node/consensus';
import { isHiddenZone } from '../../net/address.ts';
import type { NetAddress, Zone } from '../../net/address.ts';
import type { P2pOptions } from '../../options/options.ts';
import { FixedAddresses } from './fixed-addresses.ts';
import { hiddenSeeds, networkSeeds } from './seeds.ts';
import type { Resolver } from './seeds.ts';

/** The peers that the user names. */
export type NamedPeers = Pick<P2pOptions, 'addPeers' | 'exclusiveNodes' | 'priorityNodes'>;

/** The peer addresses from the options and from the network's definition. */
export class AddressBook {
  readonly exclusive: FixedAddresses;
  readonly priority: FixedAddresses;
  readonly added: FixedAddresses;
  readonly #userSeeds: FixedAddresses;
  readonly #network: Network;
  readonly #resolver: Resolver;
  readonly #logger: Logger;
  #networkSeeds: Promise<readonly NetAddress[]> | undefined;

  constructor(
    options: NamedPeers & Pick<P2pOptions, 'seedNodes'>,
    deps: {
      network: Network;
      resolver: Resolver;
      logger: Logger;
    },
  ) {
    const fixed = (texts: readonly string[]): FixedAddresses =>
      new FixedAddresses(texts, deps.network.ports.p2p, deps.resolver);
    this.exclusive = fixed(options.exclusiveNodes);
    this.priority = fixed(options.priorityNodes);
    this.added = fixed(options.addPeers);
    this.#userSeeds = fixed(options.seedNodes);
    this.#network = deps.network;
    this.#resolver = deps.resolver;
    this.#logger = deps.logger;
  }

  /** Names other peers; `resolve` looks up those that are new. */
  replace({ addPeers, exclusiveNodes, priorityNodes }: NamedPeers): void {
    this.exclusive.replace(exclusiveNodes);
    this.priority.replace(priorityNodes);
    this.added.replace(addPeers);
  }

  /** Looks up the names that have not been resolved yet. Never rejects. */
  async resolve(): Promise<void> {
    const all = [this.exclusive, this.priority, this.added, this.#userSeeds];
    await Promise.all(all.map((fixed) => fixed.resolve()));
    for (const text of all.flatMap((fixed) => fixed.unresolved))
      this.#logger.warn(`${text} is not an address, and no such host was found`);
  }

  /** Returns the seeds of a zone: the network's (regtest has none) and, for the public zone, the user's. */
  async seeds(zone: Zone, signal: AbortSignal): Promise<readonly NetAddress[]> {
    if (isHiddenZone(zone)) return hiddenSeeds(this.#network, zone);
    if (zone !== 'public') return [];
    const own = this.#userSeeds.addresses;
    if (this.#network.name === 'regtest') return own;
    this.#networkSeeds ??= networkSeeds(this.#network, this.#resolver, signal);
    return [...own, ...(await this.#networkSeeds)];
  }
}
