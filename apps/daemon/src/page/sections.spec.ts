import { diskSection, updateSection } from './sections.ts';

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
