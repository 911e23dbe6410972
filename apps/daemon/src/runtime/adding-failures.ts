import { systemMilliseconds, type Logger } from '@monero-node/base';
import { VerificationPoolError } from '@monero-node/crypto';
import type { AddingFailure, P2pNode } from '@monero-node/p2p';
import { PowUnavailableError } from '@monero-node/pow';
import { StorageError } from '@monero-node/storage';
import type { Alerts } from '../alerts/alerts.ts';
import { formatDuration } from './sync-progress.ts';

/** Failed attempts in a row after which the node stops: about six minutes. */
const MAX_ATTEMPTS = 10;

/** Returns the next step for the user after an error. */
function adviceFor(error: unknown): string {
  if (error instanceof StorageError)
    return 'Check the free space and the rights of the data directory.';
  if (error instanceof PowUnavailableError)
    return 'Check the free memory, or choose another engine with --pow-engine.';
  if (error instanceof VerificationPoolError)
    return 'Check the free memory, or choose another backend with --crypto-backend.';
  return 'Please report this error.';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The line about one failed attempt. */
function describe({ error, byMachine, attempts, lasting, retryIn }: AddingFailure): string {
  const since = new Date(systemMilliseconds() - lasting).toISOString();
  const next = `next attempt in ${retryIn / 1000} s`;
  const limit = byMachine ? `, at most ${MAX_ATTEMPTS}` : '';
  return (
    `This node cannot add blocks: ${reasonOf(error)} (attempt ${attempts}${limit}, failing since ${since}, ${next}). ` +
    `No peer is to blame. ${adviceFor(error)}`
  );
}

export interface AddingFailureDependencies {
  readonly logger: Logger;
  /** Called once, when the node must stop because this machine keeps failing. */
  readonly giveUp: (error: unknown) => void;
  readonly alerts?: Pick<Alerts, 'alarm' | 'tell'>;
}

/**
 * Logs why blocks cannot be added, and gives up when this machine fails ten times in a row. An error of the program
 * never stops the node, because blocks from outside may cause it.
 */
export function watchAdding(
  { events }: Pick<P2pNode, 'events'>,
  { logger, giveUp, alerts }: AddingFailureDependencies,
): void {
  let stopping = false;
  const alarm = alerts?.alarm('cannot-add-blocks');
  events.on('addingFailed', (failure) => {
    const { attempts, byMachine, error, lasting } = failure;
    if (stopping) return;
    if (!byMachine || attempts < MAX_ATTEMPTS) {
      const sentence = describe(failure);
      logger.error(sentence);
      alarm?.update(sentence, '');
      return;
    }
    stopping = true;
    const time = formatDuration(lasting / 1000);
    const sentence = `This node could not add blocks ${attempts} times in ${time}, so it stops: ${reasonOf(error)}. ${adviceFor(error)}`;
    logger.error(sentence);
    alerts?.tell('stopping', sentence);
    giveUp(error);
  });
  events.on('addingRecovered', (attempts) => {
    const sentence = `This node adds blocks again, after ${attempts} failed attempts.`;
    logger.info(sentence);
    alarm?.update(undefined, sentence);
  });
}
