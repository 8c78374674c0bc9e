import { expect, test } from 'vitest'
import { writeCsv } from './csv.ts'

test('cells with commas, quotes and line breaks are quoted as in RFC 4180', () => {
  expect(writeCsv([['a', 'b,c', 'say "x"', 'two\nlines', 3]])).toBe(
    '\uFEFFa,"b,c","say ""x""","two\nlines",3\r\n',
  )
})

test.for([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '=cmd|"/c calc"!A1',
  '＝1',
  '＋1',
  '－1',
  '＠SUM(A1)',
])('no spreadsheet takes %j for a formula', (cell) => {
  const [, written = ''] = writeCsv([[cell]]).split('\uFEFF')
  expect(written.replace(/^"/, '')).toMatch(/^'/)
})

test.for(['a;=1+1', 'a\t=1+1'])(
  '%j is one cell, also where semicolons or tabs part cells',
  (cell) => {
    expect(writeCsv([[cell]])).toBe(`\uFEFF"${cell}"\r\n`)
  },
)

test('numbers stay numbers', () => {
  expect(writeCsv([[-3, 1.5]])).toBe('\uFEFF-3,1.5\r\n')
})
