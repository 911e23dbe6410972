import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Seated } from '@monero-node/base';
import type { AddressKeys } from '@monero-node/crypto';
import type { StratumOptions } from '../options.ts';
import { answerLine, jobLine, refusalLine, type Refusal } from '../protocol/answers.ts';
import { readLogin, shownName } from '../protocol/login.ts';
import { readRequest, RequestError, type Request, type RequestId } from '../protocol/request.ts';
import { FIRST_DIFFICULTY, Vardiff } from '../shares/vardiff.ts';
import type { Work } from '../work/work.ts';
import type { Payout } from '../work/work-source.ts';
import { jobMessage, RigJobs, type Job } from './rig-jobs.ts';
import type { RigRecord, RigRecords } from './rig-record.ts';
import { RigSocket, type RigSocketContext } from './rig-socket.ts';
import { ShareDesk, type ShareContext, type SubmitRequest } from './share-desk.ts';

/** Time without a share after which a rig gives up its place to a newcomer, milliseconds. */
const LAZY_MS = 600_000;

/** What all rigs of a server share. */
export interface RigContext extends ShareContext, RigSocketContext {
  readonly options: StratumOptions;
  readonly records: RigRecords;
  /** Returns the keys of an address that blocks may pay; undefined for any other text. */
  readonly addressOf: (text: string) => AddressKeys | undefined;
  /** Returns whether the node knows the chain of the network. */
  readonly isSynchronized: () => boolean;
  /** Closes all connections of a host, which has been banned. */
  readonly onBan: (host: string) => void;
  readonly onClose: (rig: Rig) => void;
}

/** What a rig has once it has logged in. */
interface Session {
  readonly id: string;
  readonly record: RigRecord;
  readonly payout: Payout;
  readonly jobs: RigJobs;
  readonly desk: ShareDesk;
  readonly vardiff: Vardiff;
  /** Undefined: it follows the hash rate. */
  readonly fixedDifficulty: number | undefined;
  /** Names of the algorithms that it knows; undefined: it did not say. */
  readonly algorithms: readonly string[] | undefined;
}

type LoginRequest = Extract<Request, { method: 'login' }>;

/** A connection of a rig. Nothing that it sends makes this throw. */
export class Rig implements Seated {
  readonly host: string;
  readonly #address: string;
  readonly #number: number;
  readonly #context: RigContext;
  readonly #socket: RigSocket;
  #loginTimer: NodeJS.Timeout | undefined;
  #isLoggingIn = false;
  #session: Session | undefined;
  #since: number;

  /**
   * @param at address of the rig without its port, what its host counts as, and the number of the connection
   */
  constructor(
    socket: Socket,
    at: { readonly address: string; readonly host: string; readonly number: number },
    context: RigContext,
  ) {
    const { limits, now } = context;
    this.#address = at.address;
    this.host = at.host;
    this.#number = at.number;
    this.#context = context;
    this.#since = now();
    this.#loginTimer = setTimeout(() => this.close(), limits.loginMs).unref();
    const user = {
      onLine: (line: string) => this.#answer(line),
      onFlood: () => this.#atFault(),
      onClose: () => this.#closed(),
    };
    this.#socket = new RigSocket(socket, user, context);
  }

  /** 2 before the login, 1 without a share for long, 0 else. */
  get idleness(): number {
    if (this.#session === undefined) return 2;
    return this.#context.now() - this.#since > LAZY_MS ? 1 : 0;
  }

  /** When it connected or last sent a share, milliseconds. */
  get since(): number {
    return this.#since;
  }

  get payout(): Payout | undefined {
    return this.#session?.payout;
  }

  close(): void {
    this.#socket.close();
  }

  /** Closes when what was sent has left. */
  closeGently(): void {
    this.#socket.closeGently();
  }

  /**
   * Sends a job of new work. Closes the connection when the rig does not know its algorithm, and without work, which no rig can
   * compute then: it would go on with a job for an old block.
   */
  give(work: Work | undefined): void {
    const session = this.#session;
    if (session === undefined || !this.#socket.isOpen) return;
    if (work === undefined) return this.closeGently();
    if (!knows(session.algorithms, work)) {
      const { name } = session.record;
      this.#context.logger.warn(
        `rig ${name} at ${this.#address} does not know ${work.algorithm}, which blocks have now: it needs a newer program`,
      );
      return this.closeGently();
    }
    this.#socket.send(jobLine(jobMessage(this.#newJob(session, work), session.id)));
  }

  /** Looks whether the difficulty still fits the hash rate. */
  look(): void {
    const session = this.#session;
    if (session === undefined || session.fixedDifficulty !== undefined) return;
    const { work } = session.payout;
    if (!session.vardiff.look() || work === undefined) return;
    session.record.difficulty = session.vardiff.difficulty;
    this.give(work);
  }

  #answer(line: string): void {
    try {
      const request = readRequest(line);
      if (request.method === 'login') void this.#login(request);
      else if (request.method === 'submit') this.#submit(request);
      else this.#answerSmall(request);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#socket.send(refusalLine(error.id, error.message));
      // A rig that speaks JSON may know more methods than this server; anything else is no rig.
      if (error.message === 'Malformed request') this.#atFault();
    }
  }

  #refuse(id: RequestId, refusal: Refusal): void {
    this.#socket.send(refusalLine(id, refusal));
  }

  #answerSmall({
    id,
    method,
    session: given,
  }: Exclude<Request, LoginRequest | SubmitRequest>): void {
    const session = this.#session;
    if (session === undefined || given !== session.id) return this.#refuse(id, 'Unauthenticated');
    if (method === 'keepalived') {
      this.#socket.send(answerLine(id, { status: 'KEEPALIVED' }));
      return;
    }
    const { work } = session.payout;
    if (work === undefined) return this.#refuse(id, 'Job is not ready');
    if (!this.#context.hosts.takesRequest(this.host)) return this.#refuse(id, 'Too many requests');
    this.#socket.send(answerLine(id, jobMessage(this.#newJob(session, work), session.id)));
  }

  async #login(request: LoginRequest): Promise<void> {
    if (this.#session !== undefined || this.#isLoggingIn)
      return this.#refuse(request.id, 'Already logged in');
    this.#isLoggingIn = true;
    const refusal = await this.#enter(request);
    this.#isLoggingIn = false;
    if (refusal === undefined) return;
    this.#refuse(request.id, refusal);
    this.closeGently();
    if (refusal === 'Invalid password') this.#atFault();
  }

  /** Logs in and answers, or returns why not. */
  async #enter(request: LoginRequest): Promise<Refusal | undefined> {
    const { options, isSynchronized, source } = this.#context;
    if (request.login === '') return 'Missing login';
    if (options.password !== undefined && !isSame(request.password, options.password))
      return 'Invalid password';
    if (!isSynchronized()) return 'Node is not synchronized';
    const { account, worker, user, difficulty } = readLogin(request.login);
    const own = options.anyAddress ? this.#context.addressOf(account) : undefined;
    const address = own ?? options.address;
    if (address === undefined) return 'Invalid address used for login';
    const payout = source.enter(address);
    if (payout === undefined) return 'Too many addresses';
    await source.prepare(payout);
    const { work } = payout;
    const isUnknown = work !== undefined && !knows(request.algorithms, work);
    if (work === undefined || isUnknown || !this.#socket.isOpen) {
      source.leave(payout);
      if (isUnknown) return 'Algorithm is not supported';
      return payout.isRefused ? 'Invalid address used for login' : 'Job is not ready';
    }
    const ofAddress = worker === '' ? account.slice(0, 8) : worker;
    const name = shownName(request.rigName || (own === undefined ? user : ofAddress)) || 'rig';
    const record = this.#context.records.of(name);
    record.enter({
      address: this.#address,
      agent: shownName(request.agent),
      pays: own === undefined ? 'owner' : 'login',
    });
    this.#welcome(request, work, { payout, record, fixedDifficulty: difficulty });
    return undefined;
  }

  #welcome(
    request: LoginRequest,
    work: Work,
    { payout, record, fixedDifficulty }: Pick<Session, 'payout' | 'record' | 'fixedDifficulty'>,
  ): void {
    const { hosts, limits, logger, now } = this.#context;
    clearTimeout(this.#loginTimer);
    const isNicehash = /nicehash/i.test(request.agent);
    const jobs = new RigJobs(this.#number, limits.jobs, isNicehash);
    const vardiff = new Vardiff(record.difficulty ?? FIRST_DIFFICULTY, now);
    const desk = new ShareDesk(
      {
        record,
        jobs,
        host: this.host,
        address: this.#address,
        isDubious: hosts.isDubious(this.host),
      },
      this.#context,
      {
        send: (line) => this.#socket.send(line),
        isOpen: () => this.#socket.isOpen,
        onAccepted: (accepted) => this.#accepted(vardiff, accepted),
        onLie: () => this.#note(),
      },
    );
    const session: Session = {
      id: randomBytes(8).toString('hex'),
      record,
      payout,
      jobs,
      desk,
      vardiff,
      fixedDifficulty,
      algorithms: request.algorithms,
    };
    this.#session = session;
    const job = jobMessage(this.#newJob(session, work), session.id);
    const extensions = ['algo', 'keepalive', ...(isNicehash ? ['nicehash'] : [])];
    this.#socket.send(answerLine(request.id, { id: session.id, job, extensions, status: 'OK' }));
    logger.info(`rig ${record.name} connected from ${this.#address} (${record.agent})`);
  }

  #newJob({ jobs, record, vardiff, fixedDifficulty }: Session, work: Work): Job {
    const job = jobs.make(work, fixedDifficulty ?? vardiff.difficulty);
    record.shareDifficulty = job.difficulty;
    return job;
  }

  #accepted(vardiff: Vardiff, difficulty: number): void {
    this.#since = this.#context.now();
    vardiff.count(difficulty);
    this.look();
  }

  #submit(request: SubmitRequest): void {
    const session = this.#session;
    if (session === undefined || request.session !== session.id)
      return this.#refuse(request.id, 'Unauthenticated');
    session.desk.submit(request);
  }

  /** Ends the connection for something that no rig does. */
  #atFault(): void {
    this.closeGently();
    this.#note();
  }

  #note(): void {
    const { hosts, onBan } = this.#context;
    if (hosts.fault(this.host)) onBan(this.host);
  }

  #closed(): void {
    clearTimeout(this.#loginTimer);
    const { source, logger, onClose } = this.#context;
    if (this.#session !== undefined) {
      const { record, payout } = this.#session;
      record.leave();
      source.leave(payout);
      logger.info(`rig ${record.name} at ${this.#address} has left`);
    }
    onClose(this);
  }
}

/** Returns whether a rig that knows these algorithms, or did not say which, can work. */
function knows(algorithms: readonly string[] | undefined, { algorithm }: Work): boolean {
  return algorithms?.includes(algorithm) !== false;
}

/** Compares in a time that does not depend on where texts differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
