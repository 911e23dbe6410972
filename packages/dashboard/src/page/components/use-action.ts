import { useRef, useState } from 'preact/hooks';
import { ActionError } from '../calls.ts';
import { NewestCall } from './newest-call.ts';

/** A button's call of the node. */
export interface Action {
  readonly isBusy: boolean;
  /** How often a call has succeeded. */
  readonly successes: number;
  /** A sentence about why the last call failed. */
  readonly error: string | undefined;
  /** Makes a call and passes its result on. What comes of a call after a newer one was made is dropped. */
  run<T>(call: () => Promise<T>, take?: (result: T) => void): void;
}

/** Returns the state of the calls that a part of the page makes, of which only the newest counts. */
export function useAction(): Action {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [successes, setSuccesses] = useState(0);
  const calls = useRef(new NewestCall());
  const run = <T>(call: () => Promise<T>, take?: (result: T) => void): void => {
    setBusy(true);
    setError(undefined);
    void calls.current.run(call, {
      done: (result) => {
        take?.(result);
        setSuccesses((count) => count + 1);
      },
      failed: (failure) =>
        setError(failure instanceof ActionError ? failure.message : 'The page failed.'),
      ended: () => setBusy(false),
    });
  };
  return { isBusy, successes, error, run };
}
