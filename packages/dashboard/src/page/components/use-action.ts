import { useState } from 'preact/hooks';
import { ActionError } from '../calls.ts';

/** A button's call of the node. */
export interface Action {
  readonly isBusy: boolean;
  /** How often a call has succeeded. */
  readonly successes: number;
  /** A sentence about why the last call failed. */
  readonly error: string | undefined;
  run(call: () => Promise<void>): void;
}

/** Returns the state of the calls that a part of the page makes, one at a time. */
export function useAction(): Action {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [successes, setSuccesses] = useState(0);
  const run = (call: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    call()
      .then(() => setSuccesses((count) => count + 1))
      .catch((failure: unknown) => {
        setError(failure instanceof ActionError ? failure.message : 'The page failed.');
      })
      .finally(() => setBusy(false));
  };
  return { isBusy, successes, error, run };
}
