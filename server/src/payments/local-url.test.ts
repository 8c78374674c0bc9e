import { expect, test } from 'vitest'
import { localUrlOf } from './routes.ts'

test.each([
  ['127.0.0.1', 'IPv4', 'http://127.0.0.1:3000'],
  ['192.168.1.5', 'IPv4', 'http://192.168.1.5:3000'],
  ['0.0.0.0', 'IPv4', 'http://127.0.0.1:3000'],
  ['::', 'IPv6', 'http://127.0.0.1:3000'],
  ['::1', 'IPv6', 'http://[::1]:3000'],
])('who listens at %s is called at %s %s', (address, family, url) => {
  expect(localUrlOf({ address, family, port: 3000 })).toBe(url)
})
