import * as argon2 from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { verifyDecoy } from './password.ts'

vi.mock(import('@node-rs/argon2'), { spy: true })

test('nobody’s password is hashed once, and each look at it costs one check', async () => {
  expect(await verifyDecoy('a guess')).toBe(false)
  vi.mocked(argon2.hash).mockClear()
  vi.mocked(argon2.verify).mockClear()
  expect(await verifyDecoy('another guess')).toBe(false)
  expect(await verifyDecoy('nobody has this password')).toBe(false)
  expect(argon2.hash).not.toHaveBeenCalled()
  expect(argon2.verify).toHaveBeenCalledTimes(2)
})
