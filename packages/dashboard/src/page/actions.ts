import { ActionError, callMethod, callPath } from './calls.ts';

export interface MiningStart {
  readonly address: string;
  readonly threads: number;
  /** Only while the machine has nothing better to do. */
  readonly background: boolean;
}

/** Starts the miner. Throws ActionError. */
export async function requestMining({ address, threads, background }: MiningStart): Promise<void> {
  await callPath('/start_mining', {
    miner_address: address,
    threads_count: threads,
    do_background_mining: background,
    ignore_battery: false,
  });
}

/** Stops the miner. Throws ActionError. */
export async function requestMiningStop(): Promise<void> {
  await callPath('/stop_mining', {});
}

/** Has the chain written to disk. Throws ActionError. */
export async function saveChain(): Promise<void> {
  await callPath('/save_bc', {});
}

/** How long the page bans a peer, seconds. */
const BAN_SECONDS = 86_400;

/** A host or subnet that is banned. */
export interface Ban {
  readonly host: string;
  /** Until the ban ends. */
  readonly seconds: number;
}

/** Bans a host for a day, and so ends its connections. Throws ActionError. */
export async function requestBan(host: string): Promise<void> {
  await callMethod('set_bans', { bans: [{ host, ban: true, seconds: BAN_SECONDS }] });
}

/** Lifts the ban of a host or subnet. Throws ActionError. */
export async function requestBanEnd(host: string): Promise<void> {
  await callMethod('set_bans', { bans: [{ host, ban: false, seconds: 0 }] });
}

/** Returns the bans of the node. Throws ActionError. */
export async function readBans(): Promise<readonly Ban[]> {
  const { bans = [] } = (await callMethod('get_bans', {})) as { readonly bans?: readonly Ban[] };
  return bans;
}

/**
 * Makes a change of the bans and returns those of the node after it. Throws ActionError; one that says what was done where only
 * the list could not be read.
 *
 * @param done what the change does, such as `Banned`
 */
export async function bansAfter(
  change: () => Promise<void>,
  done: string,
): Promise<readonly Ban[]> {
  await change();
  try {
    return await readBans();
  } catch (error) {
    const why = error instanceof ActionError ? ` ${error.message}` : '';
    throw new ActionError(`${done}; the list could not be read.${why}`);
  }
}
