import { TxPool } from './index.ts';

test('a pool refuses an option that it does not know', () => {
  const options = { maxBytes: 5 } as never;
  expect(() => new TxPool(options, {} as never)).toThrow(
    'TxPool: no option "maxBytes"; there are maxWeight, mineStemTransactions,',
  );
});
