import { creditsText } from '@starside/contract/fill.ts'
import { parseArgs } from 'node:util'
import { normaliseEmail } from '../auth/mailbox.ts'
import { readAccount } from '../credits/account.ts'
import { correctBalance } from '../credits/correct.ts'
import type { Database } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'

export const userCommands: AdminCommands = {
  'user find': {
    readsOnly: true,
    usage: 'EMAIL_OR_ID_OR_NAME',
    help: 'finds people by e-mail, id, referral code or a part of their name',
    run: findUsers,
  },
  'user grant': {
    usage: 'EMAIL_OR_ID CREDITS --reason TEXT',
    help: 'gives credits by a correction entry; the tier stays as it is',
    run: (parts, words) => correct(parts, words, 1),
  },
  'user take': {
    usage: 'EMAIL_OR_ID CREDITS --reason TEXT',
    help: 'takes credits by a correction entry, as far as the balance goes',
    run: (parts, words) => correct(parts, words, -1),
  },
}

const peopleMax = 50
const creditsMax = 1_000_000

interface Person {
  id: string
  email: string
  username: string
  status: string
  created_at: Date
}

async function findUsers({ database, print }: AdminParts, words: string[]): Promise<number> {
  const text = words.join(' ').trim()
  if (text === '') {
    print('Say whom: an e-mail, an id, a referral code or a part of a name.')
    return 2
  }
  const exact = await findPerson(database, text)
  const people = exact === undefined ? await findByName(database, text) : [exact]
  for (const person of people) {
    const { balance, owed, boughtTotal } = await readAccount(database, person.id)
    print(
      `${person.id}  ${person.email}  ${person.username}  ${person.status}  ` +
        `${creditsText(balance)}, ${owed > 0 ? `${owed} owed, ` : ''}${boughtTotal} bought, since ${person.created_at.toISOString()}`,
    )
  }
  if (people.length === 0) print('Nobody was found.')
  return people.length === 0 ? 1 : 0
}

async function correct(parts: AdminParts, words: string[], sign: 1 | -1): Promise<number> {
  const { database, print } = parts
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  })
  const [who = '', amountText = ''] = positionals
  const amount = Number(amountText)
  const reason = values.reason?.trim() ?? ''
  if (!Number.isInteger(amount) || amount < 1 || amount > creditsMax || reason === '') {
    print(`Say whom, how many credits (1 to ${creditsMax}) and why: WHO CREDITS --reason TEXT.`)
    return 2
  }
  const person = await findPerson(database, who)
  if (person === undefined) {
    print('Nobody was found.')
    return 1
  }
  const result = await correctBalance(database, {
    userId: person.id,
    amount: sign * amount,
    description: reason,
    reference: `operator:${crypto.randomUUID()}`,
    now: parts.clock(),
  })
  const moved = result.outcome === 'corrected' ? Math.abs(result.moved) : 0
  print(
    `${creditsText(moved)} ${sign === 1 ? 'given to' : 'taken from'} ${person.email}; ` +
      `the balance is ${result.balance}.`,
  )
  return moved === amount ? 0 : 1
}

/** Somebody by e-mail, referral code or id, whichever it is. */
async function findPerson(database: Database, text: string): Promise<Person | undefined> {
  const isId = isUuid(text.toLowerCase())
  return database
    .selectFrom('users')
    .select(['id', 'email', 'username', 'status', 'created_at'])
    .where((where) =>
      isId
        ? where('id', '=', text)
        : where.or([where('email', '=', normaliseEmail(text)), where('referral_code', '=', text)]),
    )
    .executeTakeFirst()
}

async function findByName(database: Database, text: string): Promise<Person[]> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return database
    .selectFrom('users')
    .select(['id', 'email', 'username', 'status', 'created_at'])
    .where((where) =>
      where.or([where('username', 'ilike', pattern), where('email', 'ilike', pattern)]),
    )
    .orderBy('created_at', 'desc')
    .limit(peopleMax)
    .execute()
}
