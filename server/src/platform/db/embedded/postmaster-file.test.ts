import { expect, test } from 'vitest'
import { parsePostmasterFile } from './postmaster-file.ts'

test.each([
  ['', undefined],
  ['no number\n', undefined],
  ['0\n/data\n', undefined],
  ['-7\n/data\n', undefined],
  ['71\n/data\n1700000000\n', { pid: 71, port: undefined, status: 'unknown' }],
  [
    '71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nstarting\n',
    { pid: 71, port: 5433, status: 'starting' },
  ],
  [
    '71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n',
    { pid: 71, port: 5433, status: 'ready' },
  ],
])('what PostgreSQL says of itself in %j is read as %j', (text, expected) => {
  expect(parsePostmasterFile(text)).toEqual(expected)
})
