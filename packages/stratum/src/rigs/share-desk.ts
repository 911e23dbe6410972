import { TokenBucket, type Logger, type MillisecondClock } from '@monero-node/base';
import type { BlockTemplate } from '@monero-node/blockchain';
import { meetsDifficulty } from '@monero-node/consensus';
import type { StratumLimits } from '../options.ts';
import { answerLine, refusalLine, type Refusal } from '../protocol/answers.ts';
import type { Request, RequestId } from '../protocol/request.ts';
import { meetsTarget } from '../protocol/target.ts';
import type { ShareChecker, Verdict } from '../shares/share-checker.ts';
import { Trust } from '../shares/trust.ts';
import type { WorkSource } from '../work/work-source.ts';
import type { HostBook } from './host-book.ts';
import type { Job, RigJobs } from './rig-jobs.ts';
import type { RigRecord, ShareKind } from './rig-record.ts';

/** Seconds of unused shares that a rig saves up. */
const SAVED_SECONDS = 10;
const NONCE = /^[0-9a-f]{8}$/i;
const RESULT = /^[0-9a-f]{64}$/i;

/** A block that a rig has found. */
export interface FoundBlock {
  readonly blob: Uint8Array;
  readonly template: BlockTemplate;
  /** Name of the rig. */
  readonly rig: string;
}

/** What became of it: in the main chain, on a side chain, or refused by the chain. */
export type BlockFate = 'added' | 'alternative' | 'refused';

/** A share as a rig sends it. */
export type SubmitRequest = Extract<Request, { method: 'submit' }>;

/** What the shares of all rigs are judged with. */
export interface ShareContext {
  readonly limits: StratumLimits;
  readonly source: WorkSource;
  readonly checker: ShareChecker;
  readonly hosts: HostBook;
  readonly logger: Logger;
  /** Milliseconds. */
  readonly now: MillisecondClock;
  /** Adds a block to the chain. Never rejects. */
  readonly submit: (block: FoundBlock) => Promise<BlockFate>;
  /** A rig claims a block. `settled` resolves when the claim is checked, the block added and the rig answered. */
  readonly onClaim: (settled: Promise<void>) => void;
  /** Counts a share; its difficulty is 0 unless it was accepted. */
  readonly onShare: (kind: ShareKind, difficulty: number) => void;
}

/** The rig whose shares are judged. */
interface SharingRig {
  readonly record: RigRecord;
  readonly jobs: RigJobs;
  readonly address: string;
  /** What its address counts as. */
  readonly host: string;
  /** Whether all its shares are to be checked. */
  readonly isDubious: boolean;
}

/** The connection of that rig. */
interface ShareUser {
  readonly send: (line: string) => void;
  readonly isOpen: () => boolean;
  /** A share of this difficulty was accepted and answered. */
  readonly onAccepted: (difficulty: number) => void;
  /** A share had a wrong hash. */
  readonly onLie: () => void;
}

/** A share that may count. */
interface Share {
  readonly job: Job;
  readonly nonce: number;
  /** As the rig claims it, 32 bytes. */
  readonly hash: Uint8Array;
  /** Whether it meets the difficulty of the network. */
  readonly isBlock: boolean;
  /** Whether its job is for a block below the tip. */
  readonly isStale: boolean;
}

/** Judges the shares of a connection and answers them. */
export class ShareDesk {
  readonly #rig: SharingRig;
  readonly #context: ShareContext;
  readonly #user: ShareUser;
  readonly #trust = new Trust();
  readonly #shares: TokenBucket;

  constructor(rig: SharingRig, context: ShareContext, user: ShareUser) {
    this.#rig = rig;
    this.#context = context;
    this.#user = user;
    this.#shares = new TokenBucket(context.limits.sharesPerSecond, context.now, SAVED_SECONDS);
    if (rig.isDubious) this.#trust.wrong();
  }

  /** Takes a share, and answers when it is known what it is worth. */
  submit(request: SubmitRequest): void {
    const share = this.#readShare(request);
    if (typeof share === 'object') {
      const judged = this.#judge(share, request.id);
      if (share.isBlock) this.#claim(judged);
      return;
    }
    const isStale = share === 'Block expired';
    this.#count(isStale ? 'stale' : 'refused');
    this.#refuse(request.id, share);
  }

  #claim(judged: Promise<void>): void {
    const { hosts, onClaim } = this.#context;
    onClaim(judged.finally(() => hosts.endClaim(this.#rig.host)));
  }

  /** Returns a share that may count, or why it does not. */
  #readShare({ jobId, nonce: hex, result }: SubmitRequest): Share | Refusal {
    const { source, hosts } = this.#context;
    const job = this.#rig.jobs.get(jobId);
    if (job === undefined)
      return this.#rig.jobs.isForgotten(jobId) ? 'Block expired' : 'Invalid job id';
    if (!NONCE.test(hex)) return 'Invalid nonce';
    const nonce = Buffer.from(hex, 'hex').readUInt32LE();
    if (!this.#rig.jobs.allows(nonce)) return 'Invalid nonce';
    if (!RESULT.test(result)) return 'Invalid result';
    const hash = Uint8Array.from(Buffer.from(result, 'hex'));
    const isBlock = meetsDifficulty(hash, job.work.template.difficulty);
    const isStale = !source.isCurrent(job.work);
    if (isStale && !isBlock) return 'Block expired';
    if (job.nonces.has(nonce)) return 'Duplicate share';
    if (isBlock ? !hosts.beginClaim(this.#rig.host) : this.#isTooMuch(job))
      return 'Too many shares';
    job.nonces.add(nonce);
    if (!isBlock && !meetsTarget(hash, job.target)) return 'Low difficulty share';
    return { job, nonce, hash, isBlock, isStale };
  }

  #isTooMuch({ nonces }: Job): boolean {
    const { limits, hosts } = this.#context;
    if (nonces.size >= limits.sharesPerJob || this.#shares.available < 1) return true;
    this.#shares.take(1);
    return !hosts.takesRequest(this.#rig.host);
  }

  /** Checks a share, submits the block that it makes, and answers. */
  async #judge(share: Share, id: RequestId): Promise<void> {
    const { hosts } = this.#context;
    const { job, isBlock, isStale } = share;
    if (this.#trust.mustCheck()) {
      const verdict = await this.#verdictOn(share);
      if (verdict === 'wrong') return this.#lied(id);
      if (verdict === 'right') {
        this.#trust.right();
        hosts.right(this.#rig.host);
      }
    }
    if (!isBlock && !this.#user.isOpen()) return;
    const fate = isBlock ? await this.#found(share) : undefined;
    if (fate === 'refused') return this.#refusedBlock(share, id);
    if (isStale) {
      this.#count('stale');
      return this.#refuse(id, 'Block expired');
    }
    this.#accept(job, id);
  }

  #verdictOn({ job, nonce, hash, isBlock }: Share): Promise<Verdict> {
    const { checker } = this.#context;
    const request = job.work.request(job.hashingBlob, nonce);
    if (isBlock) return checker.checkBlock(request, hash);
    const trust = this.#trust;
    const { isOnProbation } = trust;
    // Shares before it may have ended the probation when it is the turn of this one.
    const isWanted = (): boolean => this.#user.isOpen() && (!isOnProbation || trust.mustCheck());
    return checker.check(request, hash, isWanted);
  }

  #accept(job: Job, id: RequestId): void {
    this.#count('accepted', job.difficulty);
    this.#rig.record.rate.add(job.difficulty);
    this.#user.send(answerLine(id, { status: 'OK' }));
    this.#user.onAccepted(job.difficulty);
  }

  /** The block is on its way whether or not the rig stays. */
  #found({ job, nonce }: Share): Promise<BlockFate> {
    const { work, extraNonce } = job;
    const blob = work.blockBlob(extraNonce, nonce);
    const { template } = work;
    return this.#context.submit({
      blob,
      template,
      rig: this.#rig.record.name,
    });
  }

  /** Finds out whether a block was refused because the rig lied about its hash. */
  async #refusedBlock({ job, nonce, hash }: Share, id: RequestId): Promise<void> {
    const request = job.work.request(job.hashingBlob, nonce);
    if ((await this.#context.checker.check(request, hash)) === 'wrong') return this.#lied(id);
    this.#accept(job, id);
  }

  #lied(id: RequestId): void {
    this.#trust.wrong();
    this.#count('refused');
    this.#refuse(id, 'Low difficulty share');
    this.#context.logger.warn(
      `rig ${this.#rig.record.name} at ${this.#rig.address} sent a wrong hash`,
    );
    this.#user.onLie();
  }

  #count(kind: ShareKind, difficulty = 0): void {
    this.#rig.record.count(kind);
    this.#context.onShare(kind, difficulty);
  }

  #refuse(id: RequestId, refusal: Refusal): void {
    this.#user.send(refusalLine(id, refusal));
  }
}
