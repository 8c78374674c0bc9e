import argon2 from '@node-rs/argon2'
import { afterEach, expect, test, vi } from 'vitest'
import { verifyDecoy } from './password.ts'

afterEach(() => vi.restoreAllMocks())

test('nobody’s password is hashed once, and each look at it costs one check', async () => {
  expect(await verifyDecoy('a guess')).toBe(false)
  const [hash, verify] = [vi.spyOn(argon2, 'hash'), vi.spyOn(argon2, 'verify')]
  expect(await verifyDecoy('another guess')).toBe(false)
  expect(await verifyDecoy('nobody has this password')).toBe(false)
  expect(hash).not.toHaveBeenCalled()
  expect(verify).toHaveBeenCalledTimes(2)
})
