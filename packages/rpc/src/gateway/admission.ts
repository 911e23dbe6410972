import { Semaphore } from '@monero-node/base';

/** Calls served at the same time; more would only hold more memory. */
const MAX_RUNNING = 4;

/** Admits calls in the order they arrived, a few at a time. */
export class Admission extends Semaphore {
  constructor() {
    super(MAX_RUNNING);
  }
}
