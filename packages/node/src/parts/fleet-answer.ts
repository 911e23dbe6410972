import type { ChainTip } from './fleet-tip.ts';

/** Largest answer in bytes. */
const MAX_ANSWER = 4096;
const ID = /^[0-9a-f]{64}$/;
const WORK = /^0x[0-9a-f]{1,32}$/;

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
