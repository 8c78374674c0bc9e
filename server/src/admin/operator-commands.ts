import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { hashPassword } from '../auth/password.ts'
import { createOperatorKey } from '../operator/operator-keys.ts'
import type { AdminCommands, AdminParts, PartsWithoutDatabase } from './admin-command.ts'

export const operatorCommands: AdminCommands = {
  'operator token': {
    usage: '[--name NAME] [--days DAYS]',
    help: 'makes a token that signs in to the admin page at /admin, for 7 days',
    run: makeToken,
  },
  'operator revoke': {
    usage: '',
    help: 'voids all tokens and ends all sessions of the admin page',
    run: revokeAll,
  },
  'operator password-hash': {
    usage: '',
    help: 'reads a password from the standard input and prints its ADMIN_PASSWORD_HASH',
    needsDatabase: false,
    run: printPasswordHash,
  },
}

const dayMs = 24 * 60 * 60_000
const passwordLengthMin = 12

async function makeToken(parts: AdminParts, words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      name: { type: 'string', default: 'operator' },
      days: { type: 'string', default: '7' },
    },
  })
  const days = Number(values.days)
  if (!(days > 0 && days <= 365)) {
    parts.print('--days takes a number up to 365.')
    return 2
  }
  const token = await createOperatorKey(
    { ...parts, randomBytes },
    { kind: 'token', name: values.name, lifetimeMs: days * dayMs },
  )
  parts.print(`Sign in at ${parts.config.publicUrl}/admin within ${days} days with this token:`)
  parts.print(token)
  return 0
}

async function revokeAll({ database, print }: AdminParts): Promise<number> {
  const { numDeletedRows } = await database.deleteFrom('operator_keys').executeTakeFirst()
  print(`${numDeletedRows} tokens and sessions ended.`)
  return 0
}

async function printPasswordHash({ print }: PartsWithoutDatabase): Promise<number> {
  let password = ''
  for await (const chunk of process.stdin) password += String(chunk)
  password = password.replace(/\r?\n$/, '')
  if (password.length < passwordLengthMin) {
    print(`The password needs at least ${passwordLengthMin} characters.`)
    return 2
  }
  print(await hashPassword(password))
  return 0
}
