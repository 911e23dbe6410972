import type { Logger } from '@monero-node/base';
import type { PortMappingMode } from '../options/options.ts';
import {
  GatewayError,
  type Mapping,
  type PortMappingState,
  type PortPair,
  type PortProtocol,
} from './gateway.ts';
import { defaultGateway, NatPmp } from './nat-pmp.ts';
import { Upnp } from './upnp.ts';

/** Milliseconds for one protocol. */
const ATTEMPT_MS = 10_000;
/** Milliseconds until the next attempt after one that failed. */
const RETRY_MS = 600_000;
/** Longest time until a mapping is asked for again, milliseconds: a router that was started again has forgotten it. */
const LONGEST_MS = 1_200_000;
/** The same, shortest, whatever the router grants. */
const SHORTEST_MS = 60_000;
/** Milliseconds for taking a mapping back when the node stops. */
const STOP_MS = 3000;

export interface PortMapperOptions {
  readonly ports: PortPair;
  readonly protocols: readonly PortProtocol[];
  readonly logger: Logger;
  /** Milliseconds; by default those of above. */
  readonly retryMs?: number;
}

/** Returns the protocols of a mode, in the order in which they are tried. */
export function protocolsOf(mode: PortMappingMode): PortProtocol[] {
  const natPmp = (): PortProtocol => new NatPmp(defaultGateway);
  if (mode === 'auto') return [natPmp(), new Upnp()];
  return mode === 'upnp' ? [new Upnp()] : [natPmp()];
}

/** Keeps a port of the router forwarded to this machine while the node runs. Nothing that a router does makes this throw. */
export class PortMapper {
  readonly #options: PortMapperOptions;
  readonly #stopping = new AbortController();
  #state: PortMappingState = { kind: 'trying' };
  #mapped: PortProtocol | undefined;
  /** Those that were used: a router may forward the port although its answer did not come in time. */
  readonly #used = new Set<PortProtocol>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PortMapperOptions) {
    this.#options = options;
  }

  get state(): PortMappingState {
    return this.#state;
  }

  /** Begins; nobody waits for the router. */
  start(): void {
    this.#running = this.#attempt();
  }

  /** Takes the mappings back, if the router answers in time. */
  async stop(): Promise<void> {
    this.#stopping.abort(new GatewayError('the node stops'));
    clearTimeout(this.#timer);
    await this.#running;
    const { logger, ports } = this.#options;
    const signal = AbortSignal.timeout(STOP_MS);
    const takeBack = async (protocol: PortProtocol): Promise<void> => {
      try {
        await protocol.unmap(ports, signal);
      } catch (error) {
        logger.debug(`the router keeps the port: ${(error as Error).message}`);
      }
    };
    await Promise.all([...this.#used].map(takeBack));
  }

  async #attempt(): Promise<void> {
    const { ports, retryMs = RETRY_MS } = this.#options;
    const failures: string[] = [];
    // The one that worked first.
    for (const protocol of this.#inOrder()) {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ATTEMPT_MS)]);
      this.#used.add(protocol);
      try {
        const mapping = await protocol.map(ports, signal);
        this.#succeeded(protocol, mapping);
        return;
      } catch (error) {
        const isLate = signal.aborted && !this.#stopping.signal.aborted;
        failures.push(`${protocol.name}: ${isLate ? 'no answer' : (error as Error).message}`);
      }
      if (this.#stopping.signal.aborted) return;
    }
    this.#state = { kind: 'failed', why: failures.join('; ') };
    this.#again(retryMs);
  }

  #inOrder(): PortProtocol[] {
    const { protocols } = this.#options;
    const mapped = this.#mapped;
    if (mapped === undefined) return [...protocols];
    return [mapped, ...protocols.filter((each) => each !== mapped)];
  }

  #succeeded(protocol: PortProtocol, { externalHost, seconds }: Mapping): void {
    this.#mapped = protocol;
    this.#state = { kind: 'mapped', protocol: protocol.name, externalHost };
    const half = seconds === 0 ? LONGEST_MS : (seconds / 2) * 1000;
    this.#again(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, half)));
  }

  #again(milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#attempt();
    }, milliseconds);
    this.#timer.unref();
  }
}
