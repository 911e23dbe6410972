/** A call that the node refused, with a sentence for the visitor. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/** Marks calls of this page, so that the node can tell them from those of other pages. */
const MARK = { 'X-Requested-With': 'monero-node' };

export interface MiningStart {
  readonly address: string;
  readonly threads: number;
  /** Only while the machine has nothing better to do. */
  readonly background: boolean;
}

/** Starts the miner. Throws ActionError. */
export async function requestMining({ address, threads, background }: MiningStart): Promise<void> {
  await call('/start_mining', {
    miner_address: address,
    threads_count: threads,
    do_background_mining: background,
    ignore_battery: false,
  });
}

/** Stops the miner. Throws ActionError. */
export async function requestMiningStop(): Promise<void> {
  await call('/stop_mining', {});
}

/** Has the chain written to disk. Throws ActionError. */
export async function saveChain(): Promise<void> {
  await call('/save_bc', {});
}

/** Calls an RPC method of the node. The browser asks for the login if there is one. */
async function call(path: string, request: object): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: 'POST',
      headers: { ...MARK, 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
      cache: 'no-store',
    });
  } catch {
    throw new ActionError('The node does not answer.');
  }
  if (answer.status === 401) throw new ActionError('The node needs its login.');
  if (!answer.ok) throw new ActionError(`The node refused the call (${answer.status}).`);
  const { status } = (await answer.json()) as { status?: string };
  if (status !== 'OK') throw new ActionError(sentenceOf(status ?? ''));
}

const SENTENCES: Readonly<Record<string, string>> = {
  BUSY: 'The node is still synchronizing.',
  'Failed, wrong address': 'This is not an address of this network.',
  'Already mining': 'The miner is running already.',
};

const sentenceOf = (status: string): string =>
  SENTENCES[status] ?? `${status || 'Failed'}.`.replace('..', '.');
