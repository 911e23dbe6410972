import type { JSX } from 'preact';
import { saveChain } from '../actions.ts';
import { useAction } from './use-action.ts';

/** Lets the owner have the chain written to disk. */
export function SaveButton(): JSX.Element {
  const { isBusy, successes, error, run } = useAction();
  return (
    <dd class="save">
      <button type="button" class="small" disabled={isBusy} onClick={() => run(saveChain)}>
        Save the chain
      </button>
      <span class="more" role={error === undefined ? 'status' : 'alert'}>
        {error ?? (successes > 0 && !isBusy ? 'Saved.' : '')}
      </span>
    </dd>
  );
}
