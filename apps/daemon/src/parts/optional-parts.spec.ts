import { isPageServed } from './optional-parts.ts';

test.each([
  [true, { restrictedRpc: false }],
  [true, { restrictedRpc: false, page: 'owner' }],
  [false, { restrictedRpc: true }],
  [false, { restrictedRpc: true, restrictedBindPort: 1 }],
  [true, { restrictedRpc: true, page: 'all' }],
  [false, { restrictedRpc: false, restrictedBindPort: 1, page: 'none' }],
] as const)('the page is served: %s with %j', (isServed, options) => {
  expect(isPageServed(options)).toBe(isServed);
});
