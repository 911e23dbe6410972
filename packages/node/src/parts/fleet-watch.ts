import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { Periodic, type Logger } from '@monero-node/base';
import { plainHost } from '@monero-node/p2p/hosts';
import { tipAt, vouchedTip, type ChainTip } from './fleet-tip.ts';
import type { Part } from './lifecycle.ts';

/** The RPC of another node of the same fleet. */
export interface FleetNode {
  /** A name or an address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface FleetWatchOptions {
  /** The other nodes. This one may be among them. */
  readonly nodes: readonly FleetNode[];
  readonly logger: Logger;
  /** Milliseconds between two rounds of questions. */
  readonly interval?: number;
  /** Resolves with the addresses of a name; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Asks a node for its newest block, over HTTP by default. */
  readonly ask?: typeof tipAt;
}

/** Milliseconds between two rounds of questions. */
const INTERVAL = 1000;
/** Milliseconds until a node that does not answer counts as absent. */
const TIMEOUT = 900;
/** Rounds after which a name is resolved again; one that does not resolve is tried in every round. */
const ROUNDS_PER_NAME = 30;
/** Length of an instance id in bytes. */
const ID_BYTES = 16;

const systemResolve = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Asks the other nodes of a fleet for their newest blocks every second, at `/health/ready`. A node whose peers are gone, or silent,
 * does not know that it lags; they tell it. All they can do is keep it from being ready, and only most of them together.
 */
export class FleetWatch implements Part {
  readonly name = 'fleet';
  /**
   * Drawn at random for this process. `/health/ready` shows it, so that a node which has itself among its nodes knows its own answer:
   * behind a published port, its addresses do not tell. Undefined without nodes: nobody looks for it then.
   */
  readonly instanceId: string | undefined;
  readonly #members: readonly FleetMember[];
  readonly #rounds: Periodic;
  #tip: ChainTip | undefined;

  constructor(options: FleetWatchOptions) {
    const instanceId = randomBytes(ID_BYTES).toString('hex');
    this.instanceId = options.nodes.length === 0 ? undefined : instanceId;
    this.#members = options.nodes.map((node) => new FleetMember(node, instanceId, options));
    this.#rounds = new Periodic(options.interval ?? INTERVAL, () => this.#ask());
  }

  /** The tip that most nodes which are ready vouch for; undefined when none was ready in the last round. */
  get tip(): ChainTip | undefined {
    return this.#tip;
  }

  /** Returns whether a node of the fleet has this address. */
  has(address: string): boolean {
    return this.#members.some(({ addresses }) => addresses.has(plainHost(address)));
  }

  /** Resolves after the first round, so that the node does not call itself ready without having asked. */
  async start(): Promise<void> {
    if (this.#members.length === 0) return;
    await this.#ask();
    this.#rounds.start();
  }

  stop(): Promise<void> {
    this.#rounds.stop();
    return Promise.resolve();
  }

  async #ask(): Promise<void> {
    const votes = await Promise.all(this.#members.map((member) => member.vote()));
    this.#tip = vouchedTip(votes.filter((vote) => vote !== undefined));
  }
}

/** A node of the fleet, as this node finds it. */
class FleetMember {
  readonly #node: FleetNode;
  /** Of the node that asks. */
  readonly #ownId: string;
  readonly #options: FleetWatchOptions;
  readonly #url: string;
  #addresses: ReadonlySet<string> = new Set();
  #isResolving = false;
  /** Rounds until the name is resolved again. */
  #roundsLeft = 0;
  /** Whether the log says that the name does not resolve. */
  #isUnknown = false;

  constructor(node: FleetNode, ownId: string, options: FleetWatchOptions) {
    this.#node = node;
    this.#ownId = ownId;
    this.#options = options;
    const { host, port } = node;
    this.#url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health/ready`;
  }

  /** Those of the last time that the name resolved. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

  /** Resolves with the tip of the node's chain; undefined when it is absent, is not ready, or is this node. */
  async vote(): Promise<ChainTip | undefined> {
    const { ask = tipAt } = this.#options;
    const [tip] = await Promise.all([
      ask(this.#url, TIMEOUT, this.#ownId).catch(() => undefined),
      this.#resolveInTime(),
    ]);
    return tip;
  }

  /** Asks for the addresses when it is time to. Waits no longer than for an answer. */
  async #resolveInTime(): Promise<void> {
    if (this.#isResolving || this.#roundsLeft-- > 0) return;
    this.#isResolving = true;
    const late = new Promise<void>((resolve) => setTimeout(resolve, TIMEOUT).unref());
    await Promise.race([this.#resolve(), late]);
  }

  async #resolve(): Promise<void> {
    const { resolve = systemResolve, logger } = this.#options;
    const { host, port } = this.#node;
    try {
      this.#addresses = new Set((await resolve(host)).map(plainHost));
      this.#roundsLeft = ROUNDS_PER_NAME;
      if (this.#isUnknown) logger.info(`--fleet-node ${host}:${port}: the name resolves again`);
      this.#isUnknown = false;
    } catch (error) {
      this.#roundsLeft = 0;
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      if (!this.#isUnknown)
        logger.warn(
          `--fleet-node ${host}:${port}: the name does not resolve (${why}), so that node has no vote`,
        );
      this.#isUnknown = true;
    } finally {
      this.#isResolving = false;
    }
  }
}
