import { Semaphore } from '@monero-node/base';

/** Calls that run at the same time; more of them would only hold more memory. */
const MAX_RUNNING = 4;

/** Starts calls in the order they came, a few at a time. */
export class Admission extends Semaphore {
  constructor() {
    super(MAX_RUNNING);
  }
}
