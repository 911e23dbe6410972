import { PowUnavailableError } from '../errors.ts';

// Takes the place of engine.ts where there is no native code, such as in browsers.

function unavailable(): PowUnavailableError {
  const message = 'native RandomX is not available: this JavaScript engine loads no native code';
  return new PowUnavailableError('no-library', message);
}

/** Throws PowUnavailableError ('no-library'). */
export function assertNative(): void {
  throw unavailable();
}

/** Throws PowUnavailableError ('no-library'). */
export function createNativeEngine(): never {
  throw unavailable();
}
