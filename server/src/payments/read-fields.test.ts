import { expect, test } from 'vitest'
import { readNumber, readPrice, readText, readTimeMs } from './read-fields.ts'

test.each([
  [0, 0],
  [-1.5, -1.5],
  ['12.50', 12.5],
  [' 7 ', 7],
  ['', null],
  ['  ', null],
  ['ten', null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  ['Infinity', null],
  [1e300, null],
  ['1e-300', null],
  [-1e18, -1e18],
  [null, null],
  [true, null],
  [['5'], null],
  [5n, null],
])('%s is read as the number %s', (value, number) => expect(readNumber(value)).toBe(number))

test.each([
  ['a b', 'a b'],
  ['a\u0000\u009fb', 'ab'],
  ['\u0000', null],
  ['', null],
  [7, null],
  ['x'.repeat(201), 'x'.repeat(200)],
  ['\ud800', '\ufffd'],
])('%j is read as the text %j', (value, text) => expect(readText(value)).toBe(text))

const earliest = Date.parse('2009-01-03T00:00:00Z')
const latest = Date.parse('2200-01-01T00:00:00Z')

test.each([
  [earliest, earliest],
  [earliest - 1, null],
  [latest - 1, latest - 1],
  [latest, null],
  ['2026-11-20T12:00:00Z', Date.parse('2026-11-20T12:00:00Z')],
  ['yesterday', null],
  [[earliest], null],
  [BigInt(earliest), null],
])('%s is read as the time %s', (value, time) => expect(readTimeMs(value)).toBe(time))

test.each([
  [['10.50', 'USD'], { minorUnits: 1050, currency: 'usd' }],
  [[0.29, 'eur'], { minorUnits: 29, currency: 'eur' }],
  [[10.005, 'usd'], null],
  [[1e-8, 'usd'], null],
  [['ten', 'usd'], null],
  [[10, ''], null],
  [[10, undefined], null],
  [[1e15, 'usd'], null],
] as const)('%j is read as the price %j', ([amount, currency], price) =>
  expect(readPrice(amount, currency)).toEqual(price),
)
