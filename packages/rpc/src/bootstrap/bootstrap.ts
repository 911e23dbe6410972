import type { Login } from '@monero-node/rpc-schema/login';
import { randomInt } from 'node:crypto';
import type { Logger } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { SocksEndpoint } from '@monero-node/p2p/socks';
import { parseUpstream, type Upstream } from './address.ts';
import { BootstrapDaemon } from './bootstrap-daemon.ts';

/** Seconds between two requests for the height of the bootstrap daemon. */
const CHECK_SECONDS = 30;
/** The bootstrap daemon is used while it is more than this many blocks ahead. */
const LEAD = 10;

/** `auto` takes public nodes from the peer list. */
const AUTO = 'auto';

export interface BootstrapParts {
  readonly p2p: Pick<P2pNodeInfo, 'peerLists'>;
  /** Height of our own chain. */
  readonly height: () => number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly logger: Logger;
  /** The proxy of all connections of this node, if there is one: no other is used then. */
  readonly proxy: SocksEndpoint | undefined;
}

/** Login and proxy of a bootstrap daemon. */
export interface BootstrapAccess {
  readonly login?: Login | undefined;
  readonly proxy?: SocksEndpoint | undefined;
}

/**
 * Decides whether another daemon answers in place of this one: as long as this one is far behind it. Once this one
 * has caught up, the other is not used again until another address is set. Source: use_bootstrap_daemon_if_necessary
 * of monerod 0.18.
 */
export class Bootstrap {
  readonly #parts: BootstrapParts;
  #daemon: BootstrapDaemon | undefined;
  #proxy: SocksEndpoint | undefined;
  #auto = false;
  #wanted = false;
  #checkedAt = -Infinity;
  #checking: Promise<void> | undefined;
  #everUsed = false;

  constructor(parts: BootstrapParts) {
    this.#parts = parts;
  }

  /** The address as configured; empty when there is none. */
  get address(): string {
    return this.#daemon?.upstream.address ?? (this.#auto ? AUTO : '');
  }

  /** Whether there is one to use now or later. */
  get isSet(): boolean {
    return this.#wanted;
  }

  get everUsed(): boolean {
    return this.#everUsed;
  }

  /**
   * Sets the bootstrap daemon: `host:port`, a URL, `auto`, or an empty text for none. Returns false, changing
   * nothing, for other texts.
   */
  set(address: string, { login, proxy }: BootstrapAccess = {}): boolean {
    const upstream = parseUpstream(address, login);
    if (upstream === undefined && address !== '' && address !== AUTO) return false;
    this.stop();
    this.#proxy = this.#parts.proxy ?? proxy;
    this.#auto = address === AUTO;
    this.#wanted = address !== '';
    if (upstream !== undefined && !this.#auto) this.#use(upstream);
    return true;
  }

  /** Lets go of the other daemon. */
  stop(): void {
    this.#daemon?.close();
    this.#daemon = undefined;
    this.#auto = false;
    this.#wanted = false;
    this.#checkedAt = -Infinity;
  }

  /** Whether calls should go to the other daemon now. */
  async active(): Promise<boolean> {
    if (!this.#wanted) return false;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
    return this.#wanted && this.#daemon !== undefined;
  }

  /**
   * Sends a request body to the bootstrap daemon and returns the bytes of its answer; undefined when it did not
   * answer.
   */
  async ask(path: string, body: Uint8Array): Promise<Uint8Array | undefined> {
    const daemon = this.#daemon;
    const answer = await daemon?.ask(path, body);
    if (answer === undefined) this.#giveUp(daemon);
    else this.#everUsed = true;
    return answer;
  }

  async #check(): Promise<void> {
    const { now, logger } = this.#parts;
    if (now() - this.#checkedAt <= CHECK_SECONDS && this.#daemon !== undefined) return;
    if (this.#auto && this.#daemon === undefined) this.#choosePublicNode();
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    this.#checkedAt = now();
    const theirs = await daemon.height();
    if (daemon !== this.#daemon) return;
    if (theirs === undefined) {
      this.#giveUp(daemon);
      return;
    }
    const ours = this.#parts.height();
    this.#wanted = ours + LEAD < theirs;
    const verb = this.#wanted ? 'using' : 'no longer using';
    logger.info(
      `${verb} bootstrap daemon ${daemon.upstream.address} (ours ${ours}, its ${theirs})`,
    );
  }

  #choosePublicNode(): void {
    const { white } = this.#parts.p2p.peerLists();
    const nodes = white.filter((peer) => peer.rpcPort !== 0);
    if (nodes.length === 0) return;
    const { host, rpcPort } = nodes[randomInt(nodes.length)] ?? {};
    const upstream = parseUpstream(`${host}:${rpcPort}`);
    if (upstream !== undefined) this.#use(upstream);
  }

  #use(upstream: Upstream): void {
    this.#daemon = new BootstrapDaemon(upstream, this.#proxy, this.#parts.logger);
    this.#checkedAt = -Infinity;
  }

  /** With `auto`, the next request tries another public node. */
  #giveUp(daemon: BootstrapDaemon | undefined): void {
    if (!this.#auto || daemon === undefined || daemon !== this.#daemon) return;
    daemon.close();
    this.#daemon = undefined;
  }
}
