import { clientSection, diskSection, updateSection } from './sections.ts';

const chain = (pruningSeed: number) => ({ pruningSeed, store: { sizeOnDisk: 5 } }) as never;

test('a pruned chain names its stripe', () => {
  expect(diskSection(chain(0), null)).toEqual({ chainBytes: 5, freeBytes: null, stripe: null });
  expect(diskSection(chain(386), 7)).toEqual({ chainBytes: 5, freeBytes: 7, stripe: 3 });
});

test('what is not known about updates is null', () => {
  const unknown = { checkedAt: undefined, newer: undefined, failure: undefined };
  expect(updateSection({ state: { mode: 'disabled', ...unknown } })).toEqual({
    isChecking: false,
    checkedAt: null,
    newer: null,
    failure: null,
  });
  expect(updateSection({ state: { mode: 'notify', ...unknown } }).isChecking).toBe(true);
});

test('clients have no beginning before one has called', () => {
  expect(clientSection({ since: undefined, top: () => [] })).toEqual({ since: null, rows: [] });
  const row = { host: '192.0.2.1', calls: 1, bytes: 2, seconds: 3 };
  const asked: number[] = [];
  const top = (count: number) => {
    asked.push(count);
    return [row];
  };
  expect(clientSection({ since: 5, top })).toEqual({ since: 5, rows: [row] });
  expect(asked).toEqual([20]);
});
