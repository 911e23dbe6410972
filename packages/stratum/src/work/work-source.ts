import type { EventEmitter } from 'node:events';
import { Periodic, type Logger, type MillisecondClock } from '@monero-node/base';
import { TemplateError, type BlockTemplates, type ChainEvents } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import type { AddressKeys } from '@monero-node/crypto';
import { EXTRA_NONCE_SIZE, Work } from './work.ts';

/** How often templates are compared with those that rigs work on, milliseconds. */
const LOOK_MS = 30_000;
/** Rigs get new work after this at the latest, milliseconds: another time, and all nonces again. */
const LONGEST_MS = 120_000;
/** New work is worth it when fees have risen by this part, per cent. */
const FEES_PER_CENT = 2n;
/** Pause after a template that could not be made, milliseconds. */
const RETRY_MS = 5000;
const CHAIN_EVENTS = ['blocks-added', 'reorg', 'popped'] as const;

/** An address that blocks pay, and the work of its rigs. */
export interface Payout {
  readonly address: AddressKeys;
  /** Undefined until a template could be made, and while rigs cannot compute the proof of work of the next block. */
  readonly work: Work | undefined;
  /** Whether the last template could not pay the address. */
  readonly isRefused: boolean;
}

interface KeptPayout extends Payout {
  work: Work | undefined;
  isRefused: boolean;
  /** Rigs that mine for it. */
  users: number;
  madeAt: number;
  revision: number;
  /** Work that rigs wait for, which is made once for all of them. */
  preparing: Promise<void> | undefined;
}

/** Work, or none for a proof of work that rigs cannot compute, and for an address that the block cannot pay. */
interface MadeWork {
  readonly work: Work | undefined;
  readonly isRefused: boolean;
  readonly revision: number;
}

export interface WorkDependencies {
  readonly templates: Pick<BlockTemplates, 'create' | 'revision'>;
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly logger: Logger;
  readonly now: MillisecondClock;
}

/** Keeps the work of every address that rigs mine for at the tip of the chain, and at the fees of the pool. */
export class WorkSource {
  readonly #deps: WorkDependencies;
  readonly #onWork: (payout: Payout) => void;
  readonly #mostAddresses: number;
  readonly #payouts = new Map<string, KeptPayout>();
  readonly #looks = new Periodic(LOOK_MS, () => this.#lookAll());
  readonly #onChain = (): void => {
    this.#tip++;
    void this.#renewAll();
  };
  #tip = 0;
  #isRenewing = false;
  #isRenewalDue = false;
  #isStopped = false;
  #retry: NodeJS.Timeout | undefined;
  /** Whether rigs cannot compute the proof of work of the last template. */
  #isForeign = false;
  /** Whether an address that cannot be paid was told of. */
  #hasWarned = false;

  /** @param onWork is told when an address has new work, and when there is no more work for its rigs */
  constructor(deps: WorkDependencies, mostAddresses: number, onWork: (payout: Payout) => void) {
    this.#deps = deps;
    this.#mostAddresses = mostAddresses;
    this.#onWork = onWork;
  }

  /** Follows the chain and the pool. */
  start(): void {
    this.#isStopped = false;
    for (const event of CHAIN_EVENTS) this.#deps.blockchain.on(event, this.#onChain);
    this.#looks.start();
  }

  /** Makes no more work. */
  stop(): void {
    this.#isStopped = true;
    for (const event of CHAIN_EVENTS) this.#deps.blockchain.off(event, this.#onChain);
    this.#looks.stop();
    clearTimeout(this.#retry);
  }

  /** Returns whether work is for a block on the tip. */
  isCurrent(work: Work): boolean {
    return work.tip === this.#tip;
  }

  /** Adds a rig to an address. Returns undefined when there are too many addresses. */
  enter(address: AddressKeys): Payout | undefined {
    const key = keyOf(address);
    let payout = this.#payouts.get(key);
    if (payout === undefined) {
      if (this.#payouts.size >= this.#mostAddresses) return undefined;
      payout = {
        address,
        work: undefined,
        isRefused: false,
        users: 0,
        madeAt: 0,
        revision: 0,
        preparing: undefined,
      };
      this.#payouts.set(key, payout);
    }
    payout.users++;
    return payout;
  }

  /** Takes a rig from an address, which is forgotten with its last one. */
  leave({ address }: Payout): void {
    const key = keyOf(address);
    const payout = this.#payouts.get(key);
    if (payout === undefined) return;
    payout.users--;
    if (payout.users === 0) this.#payouts.delete(key);
  }

  /** Resolves when an address has work for the tip, or no template can be made. */
  async prepare(payout: Payout): Promise<void> {
    if (payout.work !== undefined && this.isCurrent(payout.work)) return;
    const kept = this.#payouts.get(keyOf(payout.address));
    if (kept === undefined) return;
    kept.preparing ??= this.#renew(kept).finally(() => (kept.preparing = undefined));
    await kept.preparing;
  }

  async #renewAll(): Promise<void> {
    this.#isRenewalDue = true;
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.#isRenewalDue && !this.#isStopped) {
      this.#isRenewalDue = false;
      for (const payout of [...this.#payouts.values()]) await this.#renew(payout);
    }
    this.#isRenewing = false;
  }

  /** Makes work, unless somebody has made work for the tip meanwhile. Where there can be none, work for the old tip is taken away. */
  async #renew(payout: KeptPayout): Promise<void> {
    const isDone = () => payout.work !== undefined && this.isCurrent(payout.work);
    if (isDone()) return;
    const made = await this.#make(payout);
    if (made === undefined || isDone()) return;
    this.#take(payout, made);
  }

  async #lookAll(): Promise<void> {
    for (const payout of [...this.#payouts.values()]) {
      const { work, madeAt, revision } = payout;
      const isOld = this.#deps.now() - madeAt >= LONGEST_MS;
      if (work === undefined || (!isOld && revision === this.#deps.templates.revision)) continue;
      const made = await this.#make(payout);
      if (made === undefined || payout.work !== work) continue;
      if (made.work === undefined) {
        this.#take(payout, made);
        continue;
      }
      const fees = made.work.template.fees;
      const before = work.template.fees;
      const isWorthIt = fees > before && fees * 100n >= before * (100n + FEES_PER_CENT);
      if (isOld || isWorthIt) this.#take(payout, made);
      else payout.revision = made.revision;
    }
  }

  async #make({ address }: Payout): Promise<MadeWork | undefined> {
    const tip = this.#tip;
    const { templates, logger } = this.#deps;
    const { revision } = templates;
    try {
      const extraNonce = new Uint8Array(EXTRA_NONCE_SIZE);
      const template = await templates.create({ address, extraNonce });
      // The event of the new tip has brought a renewal.
      if (tip !== this.#tip || this.#isStopped) return undefined;
      const work = Work.of(template, tip);
      const isForeign = work === undefined;
      if (isForeign && !this.#isForeign)
        logger.warn('no work for rigs: they cannot compute this proof of work');
      this.#isForeign = isForeign;
      return { work, isRefused: false, revision };
    } catch (error) {
      const reason = error instanceof TemplateError ? error.message : String(error);
      if (error instanceof TemplateError && error.code === 'address') {
        // Strangers may name it, as often as they like, and it stays as it is: neither a warning each time nor another try.
        logger[this.#hasWarned ? 'debug' : 'warn'](`no work for the rigs of an address: ${reason}`);
        this.#hasWarned = true;
        return { work: undefined, isRefused: true, revision };
      }
      logger.warn(`no work for rigs: ${reason}`);
      this.#tryAgain();
      return undefined;
    }
  }

  #tryAgain(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#renewAll(), RETRY_MS).unref();
  }

  #take(payout: KeptPayout, made: MadeWork): void {
    const isSame = made.work === undefined && payout.work === undefined;
    payout.work = made.work;
    payout.isRefused = made.isRefused;
    payout.revision = made.revision;
    payout.madeAt = this.#deps.now();
    if (!isSame) this.#onWork(payout);
  }
}

const keyOf = ({ spendKey, viewKey }: AddressKeys): string => toHex(spendKey) + toHex(viewKey);
