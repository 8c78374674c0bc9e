import { setImmediate as nextTurn } from 'node:timers/promises'
import argon2 from '@node-rs/argon2'
import { afterEach, expect, test, vi } from 'vitest'
import { hashPassword, verifyDecoy, verifyPassword } from './password.ts'

afterEach(() => vi.restoreAllMocks())

test('nobody’s password is hashed once, and each look at it costs one check', async () => {
  expect(await verifyDecoy('a guess')).toBe(false)
  const [hash, verify] = [vi.spyOn(argon2, 'hash'), vi.spyOn(argon2, 'verify')]
  expect(await verifyDecoy('another guess')).toBe(false)
  expect(await verifyDecoy('nobody has this password')).toBe(false)
  expect(hash).not.toHaveBeenCalled()
  expect(verify).toHaveBeenCalledTimes(2)
})

test('two passwords are hashed at once, which leaves threads for everything else', async () => {
  const hash = await hashPassword('a password')
  let running = 0
  let most = 0
  vi.spyOn(argon2, 'verify').mockImplementation(async () => {
    running += 1
    most = Math.max(most, running)
    await nextTurn()
    running -= 1
    return true
  })
  await Promise.all(Array.from({ length: 5 }, () => verifyPassword(hash, 'a password')))
  expect([most, running]).toEqual([2, 0])
})

test('a password is the same however its accents are typed', async () => {
  const hash = await hashPassword('contrasen\u0303a')
  expect(await verifyPassword(hash, 'contrase\u00f1a')).toBe(true)
  expect(await verifyPassword(hash, 'contrasen\u0303a')).toBe(true)
  expect(await verifyPassword(hash, 'contrasena')).toBe(false)
})
