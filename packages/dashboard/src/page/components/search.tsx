import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { lookUp, type Found } from '../lookup.ts';
import { Answer } from './search-answer.tsx';
import { useAction } from './use-action.ts';

/** Looks for a block or a transaction and shows what the node answers. */
export function Search({ now }: { readonly now: number }): JSX.Element {
  const { error, isBusy, run } = useAction();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const look = (wanted: string): void => {
    setText(wanted);
    run(() => lookUp(wanted), setFound);
  };
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look(text);
        }}
      >
        <label class="field">
          <span>Look for a block or a transaction</span>
          <input
            type="text"
            name="search"
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="height or id"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Look
        </button>
      </form>
      {error !== undefined && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {error === undefined && found !== undefined && (
        <Answer found={found} now={now} look={look} close={() => setFound(undefined)} />
      )}
    </search>
  );
}
