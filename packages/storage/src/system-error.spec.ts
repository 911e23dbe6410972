import { constants } from 'node:os';
import { toStorageError } from './lmdb/errors.ts';
import { StorageError } from './storage-error.ts';
import { describeSystemError, namingFile, systemCodeOf } from './system-error.ts';

/** An error as Node makes it for a file. */
const ofNode = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: some text`), { code, ...(path !== undefined && { path }) });
/** An error as the lmdb package makes it; its text is missing for some. */
const ofLmdb = (code: number, message = '') => Object.assign(new Error(message), { code });
const { errno } = constants;

const ROWS: [name: string, error: Error, systemCode: string, words: RegExp][] = [
  [
    'a full disk',
    ofNode('ENOSPC'),
    'ENOSPC',
    /disk .*\/data\/chain is full \(\d+ bytes free\): free/,
  ],
  ['a full disk in LMDB', ofLmdb(errno.ENOSPC), 'ENOSPC', /is full \(\d+ bytes free\)/],
  ['an exceeded quota', ofLmdb(errno.EDQUOT), 'EDQUOT', /is full/],
  ['a full map of LMDB', ofLmdb(-30792), 'MDB_MAP_FULL', /cannot grow.*address space/],
  ['a disk that fails', ofLmdb(errno.EIO), 'EIO', /input\/output error\): check the disk/],
  ['missing permission', ofNode('EACCES'), 'EACCES', /may not read and write.*permissions/],
  ['missing permission in LMDB', ofLmdb(errno.EPERM), 'EPERM', /may not read and write/],
  ['a read-only file system', ofNode('EROFS'), 'EROFS', /mounted read-only/],
  ['too many open files', ofNode('EMFILE'), 'EMFILE', /ulimit -n 4096/],
  ['a file size limit', ofLmdb(errno.EFBIG), 'EFBIG', /largest file size/],
  ['a failed environment', ofLmdb(-30795), 'MDB_PANIC', /must be opened again/],
];

test.each(ROWS)('%s is named with the path and what to do', (_, error, code, words) => {
  const failure = toStorageError(error, '/data/chain');
  expect(failure).toBeInstanceOf(StorageError);
  expect(failure).toMatchObject({ code: 'io', systemCode: code, cause: error });
  expect(failure.message).toMatch(words);
  expect(failure.message).toContain('/data/chain');
});

test('the file that an error names goes before the folder', () => {
  const { message } = toStorageError(ofNode('EACCES', '/data/chain/data.mdb'), '/data');
  expect(message).toContain('/data/chain/data.mdb');
});

test.each([ofLmdb(-30799), new Error(), ofLmdb(99_999), 'text', undefined])(
  'a failure without a sentence of its own has a message all the same',
  (error) => {
    const failure = toStorageError(error, '/data/chain');
    expect(failure.message).toMatch(/^\/data\/chain cannot be used: ./);
    expect(failure.code).toBe('io');
  },
);

test('damage and StorageErrors stay what they are', () => {
  expect(toStorageError(ofLmdb(-30796, 'corrupted'), '/data').code).toBe('damaged');
  const own = new StorageError('locked', 'in use');
  expect(toStorageError(own, '/data')).toBe(own);
});

test('codes that are not of the system have no name', () => {
  for (const code of ['ERR_INVALID_ARG_TYPE', -1, 99_999, undefined, {}])
    expect(systemCodeOf({ code })).toBeUndefined();
  expect(systemCodeOf(null)).toBeUndefined();
});

test('an error of writing to an open file names that file, not the folder of the data', async () => {
  const failure = await namingFile('/elsewhere/copy.raw', () =>
    Promise.reject(ofNode('ENOSPC')),
  ).catch((error: unknown) => error);
  expect(describeSystemError(failure, '/data')).toMatch(
    /^the disk that holds \/elsewhere\/copy.raw is full/,
  );
  const other = await namingFile('/elsewhere/copy.raw', () => {
    throw ofNode('ENOSPC', '/third');
  }).catch((error: unknown) => error);
  expect(describeSystemError(other, '/data')).toMatch(/^the disk that holds \/third is full/);
  const ours = new StorageError('io', 'a sentence');
  await expect(namingFile('/elsewhere', () => Promise.reject(ours))).rejects.not.toHaveProperty(
    'path',
  );
  expect(await namingFile('/elsewhere', () => 7)).toBe(7);
});
