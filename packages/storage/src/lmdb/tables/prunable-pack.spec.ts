import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { StorageError } from '../../storage-error.ts';
import { dropPrunable } from './prunable-pack.ts';

const FIXTURES = new URL('../../../fixtures/fuzz/rows/', import.meta.url);

test('a row with a count of 33 million parts is refused before memory is taken for them', () => {
  const row = readFileSync(new URL('count-of-33-million-prunable-parts', FIXTURES)).subarray(1);
  const list = jest.spyOn(Array, 'from');
  expect(() => dropPrunable(row)).toThrow(StorageError);
  expect(list).not.toHaveBeenCalled();
  list.mockRestore();
});
