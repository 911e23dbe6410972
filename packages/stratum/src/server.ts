import { randomInt } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  groupedDigits,
  guardServer,
  monotonicMilliseconds,
  Periodic,
  Seats,
  SharedSlice,
  systemSeconds,
  type Logger,
  type MillisecondClock,
  type SecondClock,
} from '@monero-node/base';
import { checkOptions } from '@monero-node/base/options';
import { clientHost, isIpv6, plainHost, unbracketed } from '@monero-node/p2p/hosts';
import type { BlockTemplates, ChainEvents } from '@monero-node/blockchain';
import type { AddressKeys } from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';
import {
  LIMIT_OPTIONS,
  STRATUM_LIMITS,
  STRATUM_OPTIONS,
  type StratumLimits,
  type StratumOptions,
} from './options.ts';
import { HostBook } from './rigs/host-book.ts';
import { Rig } from './rigs/rig.ts';
import { RigRecords, type RigRecord, type ShareKind } from './rigs/rig-record.ts';
import type { BlockFate, FoundBlock } from './rigs/share-desk.ts';
import { ShareChecker } from './shares/share-checker.ts';
import { WorkSource } from './work/work-source.ts';

/** How often the difficulties of rigs are looked at, milliseconds. */
const LOOK_MS = 5000;
/** Sockets beyond the connections of rigs: newcomers, of which one takes the place of an idle rig, and TLS handshakes. */
const SPARE = 256;
/** Time that last lines get to leave when the server stops, milliseconds. */
const LINGER_MS = 1000;
/** Numbers that a connection may have. */
const NUMBERS = 2 ** 32;
/** First byte of a TLS handshake; a request begins with a brace. */
const TLS_HANDSHAKE = 0x16;

/** The parts of the node that a {@link StratumServer} is built from. */
export interface StratumDependencies {
  readonly templates: Pick<BlockTemplates, 'create' | 'revision'>;
  /** Emits the changes of the tip. */
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly pow: Pick<PowHasher, 'hash' | 'confirm' | 'remember'>;
  /** Adds a block to the chain and announces it. */
  readonly submit: (block: FoundBlock) => Promise<BlockFate>;
  /** Returns whether the node knows the chain of the network. */
  readonly isSynchronized: () => boolean;
  /** Returns the keys of an address that blocks may pay; undefined for any other text. */
  readonly addressOf: (text: string) => AddressKeys | undefined;
  readonly logger: Logger;
  /**
   * Returns what takes TLS connections and hands them to `serve`; undefined when TLS is off. Called when the server starts. Without it
   * TLS is not served.
   */
  readonly acceptTls?: (serve: (socket: Socket) => void) => ((socket: Socket) => void) | undefined;
  /** Milliseconds that never go back; by default those of the system. */
  readonly now?: MillisecondClock;
  /** Unix seconds, for the times that are shown; by default those of the system. */
  readonly unixTime?: SecondClock;
}

/** Numbers since the start of the process. */
export interface StratumCounts {
  readonly shares: Readonly<Record<ShareKind, number>>;
  /** Hashes that the accepted shares stand for: the sum of their difficulties. */
  readonly hashes: number;
  readonly blocks: number;
  /** Hosts that were banned. */
  readonly bans: number;
}

/** A stratum server: rigs connect to it and mine for this node. */
export class StratumServer {
  readonly #options: StratumOptions;
  readonly #limits: StratumLimits;
  readonly #deps: StratumDependencies;
  readonly #now: MillisecondClock;
  readonly #rigs: Seats<Rig>;
  readonly #hosts: HostBook;
  readonly #records: RigRecords;
  readonly #source: WorkSource;
  readonly #checker: ShareChecker;
  readonly #looks = new Periodic(LOOK_MS, () => this.#look());
  readonly #turns = new SharedSlice();
  /** Blocks that rigs claim and that are being checked or added. */
  readonly #claims = new Set<Promise<void>>();
  readonly #submissions = new Set<Promise<unknown>>();
  readonly #shares = { accepted: 0, stale: 0, refused: 0 };
  /** All open sockets, also those that have sent nothing yet or are in a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  #hashes = 0;
  #blocks = 0;
  #bans = 0;
  #number = randomInt(NUMBERS);
  #server: Server | undefined;
  #isStopped = false;

  /** Throws OptionError for a missing or an unknown option. */
  constructor(
    options: StratumOptions,
    deps: StratumDependencies,
    limits: Partial<StratumLimits> = {},
  ) {
    checkOptions('StratumServer', options, STRATUM_OPTIONS);
    checkOptions('StratumServer', limits, LIMIT_OPTIONS);
    this.#options = options;
    this.#deps = deps;
    this.#limits = { ...STRATUM_LIMITS, ...limits };
    this.#now = deps.now ?? monotonicMilliseconds;
    const { connections: total, connectionsPerHost, addresses } = this.#limits;
    this.#rigs = new Seats<Rig>(
      { total, perHost: () => connectionsPerHost, fullHost: 'replaces' },
      (rig) => rig.close(),
    );
    this.#hosts = new HostBook(this.#limits, this.#now);
    this.#records = new RigRecords({
      now: this.#now,
      unixTime: deps.unixTime ?? systemSeconds,
    });
    this.#checker = new ShareChecker(deps.pow, deps.logger, this.#limits, this.#now);
    this.#source = new WorkSource({ ...deps, now: this.#now }, addresses, (payout) => {
      for (const rig of this.#rigs.all) if (rig.payout === payout) rig.give(payout.work);
    });
  }

  /** The port really listened on; undefined while not listening. */
  get port(): number | undefined {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port;
  }

  /** Open connections, logged in or not. */
  get connections(): number {
    return this.#rigs.size;
  }

  /** The rigs that have logged in since the start, in the order of their first login. */
  get rigs(): readonly Readonly<RigRecord>[] {
    return this.#records.all();
  }

  get counts(): StratumCounts {
    return {
      shares: { ...this.#shares },
      hashes: this.#hashes,
      blocks: this.#blocks,
      bans: this.#bans,
    };
  }

  /** Listens. Rejects with the error of the system when the address cannot be listened on. */
  async start(): Promise<void> {
    const { bindIp, bindPort: port } = this.#options;
    const given = unbracketed(bindIp);
    const tls = this.#deps.acceptTls?.((socket) => this.#serve(socket));
    const server = guardServer(
      createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket, tls)),
      (error) => this.#deps.logger.error(`stratum: ${error.message}`),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const host = given === '' ? undefined : given;
      server.listen({ port, host, ipv6Only: isIpv6(given) }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#server = server;
    this.#source.start();
    this.#looks.start();
  }

  /**
   * Listens no more, lets claimed blocks be checked, within a bound, and blocks on their way arrive, and closes the connections of all
   * rigs.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#server?.close();
    this.#server = undefined;
    this.#looks.stop();
    await this.#settleClaims();
    await Promise.all(this.#submissions);
    // Their answers are sent right after.
    await new Promise((resolve) => setImmediate(resolve));
    this.#source.stop();
    const sockets = [...this.#sockets];
    setTimeout(() => sockets.forEach((socket) => socket.destroy()), LINGER_MS).unref();
    for (const rig of [...this.#rigs.all]) rig.closeGently();
  }

  /** The same as {@link StratumServer.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Resolves when all claims are settled, also those that came meanwhile, or that takes too long. */
  async #settleClaims(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isOver = true;
        resolve();
      }, this.#limits.stopMs);
    });
    while (this.#claims.size > 0 && !isOver) await Promise.race([Promise.all(this.#claims), over]);
    clearTimeout(timer);
    const { size } = this.#claims;
    if (size > 0) this.#deps.logger.warn(`stopped before blocks of rigs were checked: ${size}`);
  }

  #accept(socket: Socket, tls: ((socket: Socket) => void) | undefined): void {
    const host = clientHost(plainHost(socket.remoteAddress ?? ''));
    if (this.#sockets.size >= this.#limits.connections + SPARE || !this.#hosts.admits(host)) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (tls === undefined) {
      this.#serve(socket);
      return;
    }
    this.#awaitFirstByte(socket, tls);
  }

  /** Tells TLS from plain text by the first byte. */
  #awaitFirstByte(socket: Socket, tls: (socket: Socket) => void): void {
    const timer = setTimeout(() => socket.destroy(), this.#limits.loginMs).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(timer);
      socket.pause();
      socket.unshift(bytes);
      if (bytes[0] === TLS_HANDSHAKE) tls(socket);
      else this.#serve(socket);
    });
    socket.resume();
  }

  #serve(socket: Socket): void {
    const address = plainHost(socket.remoteAddress ?? '');
    if (this.#isStopped || socket.destroyed) {
      socket.destroy();
      return;
    }
    this.#number = (this.#number + 1) % NUMBERS;
    const at = { address, host: clientHost(address), number: this.#number };
    const rig = new Rig(socket, at, {
      options: this.#options,
      limits: this.#limits,
      turns: this.#turns,
      source: this.#source,
      checker: this.#checker,
      hosts: this.#hosts,
      records: this.#records,
      logger: this.#deps.logger,
      now: this.#now,
      addressOf: this.#deps.addressOf,
      isSynchronized: this.#deps.isSynchronized,
      submit: (block) => this.#submit(block),
      onClaim: (settled) => {
        this.#claims.add(settled);
        void settled.finally(() => this.#claims.delete(settled));
      },
      onBan: (banned) => this.#ban(banned),
      onShare: (kind, difficulty) => {
        this.#shares[kind]++;
        this.#hashes += difficulty;
      },
      onClose: (closed) => this.#rigs.leave(closed),
    });
    if (!this.#rigs.enter(rig)) rig.close();
  }

  #submit(block: FoundBlock): Promise<BlockFate> {
    const submission = this.#add(block);
    this.#submissions.add(submission);
    return submission.finally(() => this.#submissions.delete(submission));
  }

  async #add(block: FoundBlock): Promise<BlockFate> {
    const { logger } = this.#deps;
    const height = groupedDigits(block.template.height);
    try {
      const fate = await this.#deps.submit(block);
      if (fate === 'refused') logger.warn(`block ${height} of ${block.rig} was refused`);
      if (fate === 'added') {
        this.#blocks++;
        this.#records.of(block.rig).blocks++;
      }
      return fate;
    } catch (error) {
      logger.error(`block ${height} of ${block.rig} was not added: ${(error as Error).message}`);
      return 'refused';
    }
  }

  #ban(host: string): void {
    this.#bans++;
    const minutes = Math.round(this.#limits.banMs / 60_000);
    this.#deps.logger.warn(`rigs of ${host} are banned for ${minutes} minutes`);
    for (const rig of [...this.#rigs.all]) if (rig.host === host) rig.closeGently();
  }

  #look(): void {
    for (const rig of this.#rigs.all) rig.look();
  }
}
