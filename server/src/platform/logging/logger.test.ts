import pino from 'pino'
import { expect, test } from 'vitest'
import { loggerOptions } from './logger.ts'

function logged(err: unknown): Record<string, unknown> {
  const lines: string[] = []
  const log = pino(loggerOptions('info'), { write: (line) => void lines.push(line) })
  log.error({ err }, 'it failed')
  return JSON.parse(lines.join('')).err
}

test('an error is logged by its sentence and code, without what a library hangs on it', () => {
  const error = Object.assign(new Error('duplicate key', { cause: new Error('a second one') }), {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (email)=(ada@example.com) already exists.',
    client: { secretKey: 1234567 },
  })
  const { stack, ...told } = logged(error)
  expect(told).toEqual({
    type: 'Error',
    message: 'duplicate key: a second one',
    code: '23505',
    constraint: 'users_email_key',
  })
  expect(stack).toMatch(/logger\.test\.ts[^]*caused by/)
  expect(logged(new AggregateError([error], 'all failed'))).toMatchObject({
    message: 'all failed',
    errors: [told],
  })
})

test('what a line names as secret or as somebody’s is struck out', () => {
  const lines: string[] = []
  const log = pino(loggerOptions('info'), { write: (line) => void lines.push(line) })
  const secrets = { password: 'a', token: 'b', email: 'c', url: 'd', headers: { cookie: 'e' } }
  log.info(secrets, 'it was sent')
  const struckOut = Object.keys(secrets).map((name) => [name, '[Redacted]'])
  expect(JSON.parse(lines.join(''))).toMatchObject(Object.fromEntries(struckOut))
})

test('what was thrown without being an error is logged as its text', () => {
  expect(logged('out of paper')).toEqual({ message: 'out of paper' })
})
