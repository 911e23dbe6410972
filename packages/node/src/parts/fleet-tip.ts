/** The newest block of a chain. */
export interface ChainTip {
  /** Number of blocks. */
  readonly height: number;
  /** Id of the newest block, 64 hex digits. */
  readonly id: string;
  /** Cumulative difficulty of the newest block. */
  readonly work: bigint;
}

/** Largest answer in bytes. */
const MAX_ANSWER = 4096;
const ID = /^[0-9a-f]{64}$/;
const WORK = /^0x[0-9a-f]{1,32}$/;
/** Up to this many blocks, the difficulty of neighbors differs so little that work can be counted in blocks. */
const NEAR = 10;

/**
 * Asks a node of the fleet for its newest block, at `/health/ready`. Resolves with undefined when it is not ready, does not say
 * what work its chain has, or is the node that asks: then it has no vote. Rejects when it does not answer in time.
 *
 * @param timeout milliseconds
 * @param ownId `instance_id` of the node that asks
 */
export async function tipAt(
  url: string,
  timeout: number,
  ownId: string,
): Promise<ChainTip | undefined> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeout),
    redirect: 'error',
    headers: { 'Accept-Encoding': 'identity' },
  });
  const length = Number(response.headers.get('content-length') ?? Infinity);
  // A few compressed kilobytes can become gigabytes.
  const isPlain = !response.headers.has('content-encoding');
  if (!response.ok || !(length <= MAX_ANSWER) || !isPlain) {
    await response.body?.cancel();
    return undefined;
  }
  return tipOf(await response.json(), ownId);
}

function tipOf(answer: unknown, ownId: string): ChainTip | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const fields = answer as Readonly<Record<string, unknown>>;
  if (fields['instance_id'] === ownId) return undefined;
  const { status, height, top_hash: id, wide_cumulative_difficulty: work } = fields;
  if (status !== 'ready' || !Number.isSafeInteger(height) || (height as number) < 0)
    return undefined;
  if (typeof id !== 'string' || !ID.test(id) || typeof work !== 'string' || !WORK.test(work))
    return undefined;
  return { height: height as number, id, work: BigInt(work) };
}

/**
 * Returns the tip with the most work that a quorum vouches for: more than half of the voters have that much work, or more. So no
 * single voter among three or more decides. Undefined without voters.
 */
export function vouchedTip(votes: readonly ChainTip[]): ChainTip | undefined {
  const byWork = [...votes].sort((a, b) => (a.work < b.work ? 1 : a.work > b.work ? -1 : 0));
  return byWork[Math.floor(votes.length / 2)];
}

/**
 * Returns the number of blocks that a chain lacks of another tip; 0 when it has as much work. On a lighter branch, which may have as
 * many blocks, the missing work counts, in blocks like the own newest one.
 *
 * @param difficulty of the own newest block
 */
export function blocksBehind(own: ChainTip, difficulty: bigint, tip: ChainTip): number {
  if (tip.work <= own.work || tip.id === own.id) return 0;
  const byHeight = Math.max(0, tip.height - own.height);
  if (byHeight > NEAR) return byHeight;
  return Math.max(byHeight, Number((tip.work - own.work) / (difficulty > 0n ? difficulty : 1n)));
}
