import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { countingWrongTokens } from './anonymous-limits.ts'
import type { AnonymousLimits } from './anonymous-limits.ts'

async function counted(act: () => Promise<void>) {
  const addresses: string[] = []
  const limits = {
    countWrongToken: async (address: string) => void addresses.push(address),
  } as Partial<AnonymousLimits> as AnonymousLimits
  const request = { ip: '10.0.0.1' } as FastifyRequest
  const outcome = await countingWrongTokens(limits, request, act).then(
    () => 'done',
    (error: unknown) => String(error),
  )
  return { addresses, outcome }
}
const fail = (code: ErrorCode) => () => Promise.reject(new AppError(code))

test('tokens of mails that open nothing are counted by address, other failures aren’t', async () => {
  for (const code of ['reset_token_invalid', 'confirmation_token_invalid'] as const) {
    const { addresses, outcome } = await counted(fail(code))
    expect([addresses, outcome]).toEqual([['10.0.0.1'], String(new AppError(code))])
  }
  for (const act of [fail('password_too_short'), () => Promise.reject(new TypeError('a bug'))]) {
    const { addresses, outcome } = await counted(act)
    expect(addresses).toEqual([])
    expect(outcome).not.toBe('done')
  }
  expect(await counted(async () => {})).toEqual({ addresses: [], outcome: 'done' })
})
