import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createOrderId, isOrderId } from './order-id.ts'

test('an order id is order_, the time in base 36 and six random characters', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const id = createOrderId(now, randomBytes)
  const [word, time, random] = id.split('_')
  expect(word).toBe('order')
  expect(Number.parseInt(time ?? '', 36)).toBe(now.getTime())
  expect(random).toMatch(/^[0-9a-z]{6}$/)
  expect(isOrderId(id)).toBe(true)
})

test('the time of an order id may grow by some characters', () => {
  expect(isOrderId('order_zzzzzzzzzzzz_abcdef')).toBe(true)
  expect(isOrderId('order_zzzzzzzzzzzzz_abcdef')).toBe(false)
})

test('bytes that would favour some characters are drawn again', () => {
  const draws = [Buffer.alloc(16, 255), Buffer.from(Array.from({ length: 16 }, (_, i) => i))]
  const id = createOrderId(new Date(0), () => draws.shift() ?? Buffer.alloc(16))
  expect(id).toBe('order_0_012345')
})

test('the first byte that would favour some characters is drawn again', () => {
  const draws = [Buffer.from([251, 252, ...Array<number>(14).fill(252)]), Buffer.alloc(16, 1)]
  expect(createOrderId(new Date(0), () => draws.shift() ?? Buffer.alloc(16))).toBe('order_0_z11111')
})

test.each([
  'order_',
  'xorder_1_abcdef',
  'order_1_abcdef ',
  ['order_1_abcdef'],
  'order_1_ABCDEF',
  "order_1_abcde'",
  'order_1_abcdefg',
  '',
  7,
  null,
])('%j is no order id', (text) => expect(isOrderId(text)).toBe(false))
