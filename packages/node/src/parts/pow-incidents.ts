import { monotonicMilliseconds, type Logger, type MillisecondClock } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import {
  isRandomx,
  type DatasetEvent,
  type PowIncident,
  type PowRequest,
  type RandomxRequest,
} from '@monero-node/pow';

/** Least number of milliseconds between two lines about an engine that computes no hashes. */
const INTERVAL = 60_000;

function randomxName({ kind, commitment = false }: RandomxRequest): string {
  const name = kind === 'randomx-v2' ? 'RandomX version 2' : 'RandomX';
  return commitment ? `commitment to ${name}` : name;
}

/** Returns the input of a hash, from which the case can be computed again. */
function inputOf(request: PowRequest): string {
  const what = isRandomx(request)
    ? `${randomxName(request)} seed ${toHex(request.seedHash)}`
    : `CryptoNight variant ${request.variant} height ${request.height}`;
  return `${what} blob ${toHex(request.blob)}`;
}

/**
 * Returns a function that logs each failure of a proof-of-work engine and counts them. Failures of an engine that
 * computes no hashes at all are logged once a minute.
 */
export function powIncidentReporter(
  logger: Pick<Logger, 'error'>,
  now: MillisecondClock = monotonicMilliseconds,
): (incident: PowIncident) => void {
  const counts = { 'wrong-hash': 0, 'no-hash': 0 };
  let quietUntil = -Infinity;
  return (incident) => {
    const count = ++counts[incident.kind];
    const { engine } = incident;
    if (incident.kind === 'wrong-hash') {
      const { wrong, right, request } = incident;
      logger.error(
        `proof of work: ${engine} computed ${toHex(wrong)}, but two others computed ${toHex(right)} (${inputOf(request)}). ` +
          `The block was not refused for it. Wrong hashes so far: ${count}. Check the memory of this machine, or use --pow-engine.`,
      );
      return;
    }
    if (now() < quietUntil) return;
    quietUntil = now() + INTERVAL;
    const { error } = incident;
    const why = error instanceof Error ? error.message : String(error);
    logger.error(
      `proof of work: ${engine} computed no hash (${why}); another engine was asked. Failures so far: ${count}`,
    );
  };
}

/** What it means that there is no dataset. */
const WITHOUT =
  'proofs of work are verified without a RandomX dataset, which takes several times the processor time';

/**
 * Returns a function that logs what an owner has to know of the dataset that blocks are verified with: that it takes memory, once
 * for each synchronization, and what it could not do.
 */
export function datasetEventReporter(
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>,
): (event: DatasetEvent) => void {
  let isAnnounced = false;
  let hasRefused = false;
  return (event) => {
    switch (event.kind) {
      case 'started': {
        const line = `a RandomX dataset (2080 MiB) is computed to verify the next ${event.blocks} blocks`;
        const end = event.isKept ? 'is kept' : 'is given back after the synchronization';
        if (isAnnounced) logger.debug(line);
        else logger.info(`${line}; the memory ${end} (--pow-dataset)`);
        isAnnounced = true;
        return;
      }
      case 'freed':
        logger.debug('the memory of the RandomX dataset is given back');
        return;
      case 'no-memory': {
        const [available, needed] = [event.available, event.needed].map((bytes) =>
          Math.floor(bytes / 2 ** 20),
        );
        if (!hasRefused)
          logger.info(
            `${WITHOUT}: ${available} MiB of memory are available, and ${needed} MiB are needed (--pow-dataset)`,
          );
        hasRefused = true;
        return;
      }
      case 'failed':
        logger.warn(`${WITHOUT}: ${String(event.error)}`);
        return;
      case 'mismatch':
        logger.warn(
          `vector code (${event.path}) computed a wrong RandomX dataset, and librandomx computed it again. Check the memory of this machine.`,
        );
    }
  };
}
