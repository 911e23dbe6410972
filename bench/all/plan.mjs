// Which benches a whole run consists of, and with which options.

/** Crypto rows of the short run: a transaction, and its parts in batches. */
const FEW = ['2 in, 2 out', 'CLSAG ring 16, each of 32', 'Bulletproof+ 2 outputs, each of 64'];
const SLOW = ['--without', 'reference'];

/** @import { READERS } from './read-figures.mjs' */
/**
 * A bench of a run.
 *
 * @typedef {object} Planned
 * @property {keyof typeof READERS} name
 * @property {string[]} args  options of one round
 * @property {'chain'} [needs] option of `all` without which it is left out
 * @property {boolean} [importsChain] whether it starts monerod with the recorded chain
 */

/**
 * Returns the benches of a round, in order.
 *
 * @param {{ quick: boolean, chain?: string | undefined }} options
 * @returns {Planned[]}
 */
export function plan({ quick, chain }) {
  if (quick)
    return [
      { name: 'crypto', args: [...SLOW, ...FEW.flatMap((row) => ['--only', row])] },
      { name: 'wallet-scan', args: ['--rounds', '1', '--blocks', '3000'] },
      {
        name: 'rpc',
        importsChain: true,
        args: ['--rounds', '1', '--seconds', '2', '--connections', '8'],
      },
    ];
  return [
    { name: 'crypto', args: SLOW },
    {
      name: 'rpc',
      importsChain: true,
      args: ['--rounds', '1', '--seconds', '5', '--connections', '8'],
    },
    { name: 'wallet-scan', args: ['--rounds', '1'] },
    { name: 'miner', args: ['--rounds', '1'] },
    { name: 'sync', args: ['--chain', chain ?? ''], needs: 'chain' },
    { name: 'import', args: ['--chain', chain ?? '', '--rounds', '1'], needs: 'chain' },
  ];
}
