import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyIpn } from './verify-ipn.ts'

const secret = 'sandbox-ipn-secret'

function sign(text: string): string {
  return createHmac('sha512', secret).update(text).digest('hex')
}

/** A notification with the fields and types of live ones, keys in alphabetical order. */
const honest =
  '{"actually_paid":11.02,"actually_paid_at_fiat":0,"fee":{"currency":"usdtbsc","depositFee":1e-7,' +
  '"serviceFee":0.055,"withdrawalFee":0},"invoice_id":5824448584,"order_description":"100 créd/its",' +
  '"order_id":"order_mb1x2y3z_a1b2c3","outcome_amount":10.965,"outcome_currency":"usdtbsc",' +
  '"parent_payment_id":null,"pay_address":"0xabc","pay_amount":11,"pay_currency":"usdtbsc",' +
  '"payin_extra_id":null,"payment_extra_ids":null,"payment_id":5745459419,' +
  '"payment_status":"finished","price_amount":10,"price_currency":"usd",' +
  '"purchase_id":"4942282942","updated_at":1763650000000}'

test('the raw body’s own signature is authentic', () => {
  const verdict = verifyIpn(Buffer.from(honest), sign(honest), secret)
  expect(verdict).toEqual({ isAuthentic: true, fields: JSON.parse(honest) })
})

test('a digest computed by OpenSSL is authentic', () => {
  // printf '%s' '<body>' | openssl dgst -sha512 -hmac k
  const body = Buffer.from('{"a":{"b":1e-7,"c":"é/"},"payment_id":1}')
  const digest =
    'db32b58f80c0480c3e91a328c51a4823b2e286a68cfc4ae993224829068ee05d' +
    '4efaebdb1ed9faa2cc6c2d4ac4667f22e668a4360b99d7c34606d293cec54289'
  expect(verifyIpn(body, digest, 'k')).toMatchObject({ isAuthentic: true })
})

test('keys in another order and other spacing are authentic by the sorted spelling', () => {
  const fields = JSON.parse(honest) as Record<string, unknown>
  const { fee, ...rest } = fields
  const shuffled = JSON.stringify(
    { ...Object.fromEntries(Object.entries(rest).toReversed()), fee },
    null,
    2,
  )
  expect(verifyIpn(Buffer.from(shuffled), sign(honest), secret).isAuthentic).toBe(true)
})

test('a signature over the spelling that empties nested objects is not authentic', () => {
  const fields = JSON.parse(honest) as Record<string, unknown>
  const emptied = JSON.stringify(fields, Object.keys(fields).toSorted())
  expect(emptied).toContain('"fee":{}')
  expect(verifyIpn(Buffer.from(honest), sign(emptied), secret).isAuthentic).toBe(false)
})

test('arrays are authentic as arrays and as objects with the keys 0, 1, …', () => {
  const body = '{"payment_extra_ids":[{"b":2,"a":1}],"payment_id":1}'
  const asArray = '{"payment_extra_ids":[{"a":1,"b":2}],"payment_id":1}'
  const asObject = '{"payment_extra_ids":{"0":{"a":1,"b":2}},"payment_id":1}'
  expect(verifyIpn(Buffer.from(body), sign(asArray), secret).isAuthentic).toBe(true)
  expect(verifyIpn(Buffer.from(body), sign(asObject), secret).isAuthentic).toBe(true)
})

test('the header is taken with spaces and capitals, the secret with spaces around it', () => {
  const header = ` ${sign(honest).toUpperCase()} `
  expect(verifyIpn(Buffer.from(honest), header, ` ${secret}\n`).isAuthentic).toBe(true)
})

test.each([
  ['another secret', honest, createHmac('sha512', 'other').update(honest).digest('hex')],
  ['a changed body', honest.replace('"price_amount":10', '"price_amount":1'), sign(honest)],
  ['a body cut short', honest.slice(0, 200), sign(honest)],
  ['a signature cut short', honest, sign(honest).slice(0, 127)],
  ['a signature with more behind it', honest, `${sign(honest)}00`],
  ['a signature with more before it', honest, `00${sign(honest)}`],
  ['a signature that is no hex', honest, 'z'.repeat(128)],
  ['an empty signature', honest, ''],
  ['no signature', honest, undefined],
  ['two signatures', honest, [sign(honest), sign(honest)]],
  ['SHA-256 in its place', honest, createHmac('sha256', secret).update(honest).digest('hex')],
])('%s is not authentic', (_name, body, header) => {
  expect(verifyIpn(Buffer.from(body), header, secret)).toEqual({ isAuthentic: false })
})

test('a body nested thousands of levels deep is refused without exhausting the stack', () => {
  const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`
  expect(verifyIpn(Buffer.from(deep), 'a'.repeat(128), secret)).toEqual({ isAuthentic: false })
})

test.each(['', 'null', '7', '[]', '"text"', '{'])(
  'signed bytes that are no object (%j) have no fields',
  (body) => {
    const verdict = verifyIpn(Buffer.from(body), sign(body), secret)
    expect(verdict).toEqual({ isAuthentic: true, fields: undefined })
  },
)

test('as deep as notifications may nest it is authentic by the sorted spelling, deeper it isn’t', () => {
  const nest = (levels: number, spaces: string) =>
    `${`{"a":${spaces}`.repeat(levels)}1${'}'.repeat(levels)}`
  const verdict = (levels: number) =>
    verifyIpn(Buffer.from(nest(levels, ' ')), sign(nest(levels, '')), secret).isAuthentic
  expect([verdict(16), verdict(17)]).toEqual([true, false])
})

test('keys are sorted by their characters, whatever their order in the body', () => {
  for (const body of ['{"b":1,"a":2,"c":3,"B":4}', '{"c":3,"B":4,"b":1,"a":2}']) {
    const sorted = '{"B":4,"a":2,"b":1,"c":3}'
    expect(verifyIpn(Buffer.from(body), sign(sorted), secret).isAuthentic).toBe(true)
  }
})

test('without arrays only one spelling is authentic', () => {
  const body = '{"b":{"x":null},"a":2}'
  expect(verifyIpn(Buffer.from(body), sign('{"a":2,"b":{"x":null}}'), secret).isAuthentic).toBe(
    true,
  )
  expect(verifyIpn(Buffer.from(body), sign('{"a":2,"b":{}}'), secret).isAuthentic).toBe(false)
})

test.each(['{"a":[{"b":1}],"payment_id":1}', '{"a":{"b":[]},"c":null}', '{"a":null}', '{}'])(
  '%s is authentic by its own signature alone',
  (body) => {
    const forged = createHmac('sha512', 'other').update(body).digest('hex')
    expect(verifyIpn(Buffer.from(body), forged, secret)).toEqual({ isAuthentic: false })
    expect(verifyIpn(Buffer.from(body), sign(body), secret).isAuthentic).toBe(true)
  },
)
