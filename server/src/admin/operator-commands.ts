import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { hashPassword } from '../auth/password.ts'
import { createOperatorToken, revokeOperatorKeys } from '../operator/operator-sessions.ts'
import {
  addOperator,
  listOperators,
  makeFirstPassword,
  operatorNamePattern,
  operatorPasswordLengthMin,
  resetOperator,
} from '../operator/operators.ts'
import { operatorRoles } from '../operator/roles.ts'
import type { AdminCommands, AdminParts, PartsWithoutDatabase } from './admin-command.ts'

export const operatorCommands: AdminCommands = {
  'operator add': {
    usage: 'NAME [--role owner|support|moderator]',
    help: 'adds an operator of the pages at /admin, by default an owner, and prints a first password',
    run: add,
  },
  'operator reset': {
    usage: 'NAME',
    help: 'gives an operator a new password, without the second factor, and opens a disabled one',
    run: reset,
  },
  'operator list': {
    readsOnly: true,
    usage: '',
    help: 'lists the operators',
    run: list,
  },
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

async function add({ database, config, print }: AdminParts, words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { role: { type: 'string', default: 'owner' } },
  })
  const name = (positionals[0] ?? '').toLowerCase()
  const role = operatorRoles.find((known) => known === values.role)
  if (!operatorNamePattern.test(name) || role === undefined) {
    print('Say a name of 2 to 80 letters, digits or . _ @ + - and, with --role, one of:')
    print(operatorRoles.join(', '))
    return 2
  }
  const password = makeFirstPassword(randomBytes)
  if (!(await addOperator(database, { name, role, password }))) {
    print(`There is an operator ${name} already. See: operator reset ${name}`)
    return 1
  }
  print(`Sign in at ${config.publicUrl}/admin as ${name} (${role}) with this password:`)
  print(password)
  return 0
}

async function reset({ database, print }: AdminParts, words: string[]): Promise<number> {
  const name = (words[0] ?? '').toLowerCase()
  const password = makeFirstPassword(randomBytes)
  if (!(await resetOperator(database, { name, password }))) {
    print('There is no such operator.')
    return 1
  }
  print(`${name} signs in with this password; the second factor is removed:`)
  print(password)
  return 0
}

async function list({ database, print }: AdminParts): Promise<number> {
  const operators = await listOperators(database)
  for (const { name, role, hasSecondFactor, isDisabled } of operators) {
    const notes = [hasSecondFactor ? 'second factor' : 'password alone', isDisabled && 'disabled']
    print(`${name.padEnd(30)} ${role.padEnd(10)} ${notes.filter(Boolean).join(', ')}`)
  }
  print(`${operators.length} operators.`)
  return 0
}

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
  const token = await createOperatorToken(
    { ...parts, randomBytes },
    { name: values.name, lifetimeMs: days * dayMs },
  )
  parts.print(`Sign in at ${parts.config.publicUrl}/admin within ${days} days with this token:`)
  parts.print(token)
  return 0
}

async function revokeAll({ database, print }: AdminParts): Promise<number> {
  print(`${await revokeOperatorKeys(database)} tokens and sessions ended.`)
  return 0
}

async function printPasswordHash({ print }: PartsWithoutDatabase): Promise<number> {
  let password = ''
  for await (const chunk of process.stdin) password += String(chunk)
  password = password.replace(/\r?\n$/, '')
  if (password.length < operatorPasswordLengthMin) {
    print(`The password needs at least ${operatorPasswordLengthMin} characters.`)
    return 2
  }
  print(await hashPassword(password))
  return 0
}
