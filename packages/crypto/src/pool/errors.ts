import { MachineError } from '@monero-node/base';

/** Thrown when a pool could not answer a check; it says nothing about the data checked. */
export class VerificationPoolError extends MachineError {
  readonly code: 'closed' | 'worker-crashed' | 'busy';

  constructor(code: VerificationPoolError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VerificationPoolError';
    this.code = code;
  }
}
