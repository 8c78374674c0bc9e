import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { receiptQueue } from '../../payments/payments.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Act, ActOutcome } from '../act.ts'
import { takeCredits } from '../acts/user-acts.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { actCommands, runAct } from './act-commands.ts'
import type { OperatorCommands, OperatorParts } from './operator-command.ts'
import { listCommands } from './list-commands.ts'
import { runWords } from '../../testing/call-command.ts'

let app: TestApp
let person: { email: string; userId: string }
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  const email = 'logged@example.test'
  person = { email, ...(await app.register({ email })) }
})
afterAll(() => app[Symbol.asyncDispose]())

const commands: OperatorCommands = { ...actCommands, ...listCommands }
const parts = () => {
  const { config, database, clock } = app.context
  return { config, database, databaseUrl: app.databaseUrl, clock, print() {} }
}

type Run = (parts: OperatorParts, words: string[]) => Promise<number | undefined>

/** The rows that a command leaves in the operators' log. */
async function logOf(
  name: string,
  words: string[],
  run: Run = (...given) => runWords(commands[name], ...given),
) {
  const { database } = app.context
  await database.deleteFrom('operator_log').execute()
  await run(parts(), words).catch(() => undefined)
  return database
    .selectFrom('operator_log')
    .select(['operator_name', 'act', 'subject', 'reason', 'outcome'])
    .execute()
}

const row = (values: object) => [{ operator_name: 'command line', ...values }]

test('what a command changes is logged with its reason, and a person by the account', async () => {
  const { email, userId: subject } = person
  const [act, reason] = ['user grant', 'a lost picture']
  const rows = await logOf(act, [email, '5', '--reason', reason])
  expect(rows).toEqual(row({ act, subject, reason, outcome: 'done' }))
  const suspension = await logOf('user suspend', ['--reason', 'spam', email])
  expect(suspension).toEqual(row({ act: 'user suspend', subject, reason: 'spam', outcome: 'done' }))
  const again = await logOf('user suspend', ['--reason', 'spam', email.toUpperCase()])
  expect(again).toEqual(row({ act: 'user suspend', subject, reason: 'spam', outcome: 'refused' }))
})

test.each([
  ['orders settle', ['order_t_1', '--reason', 'it came'], 'it came'],
  ['orders refund', ['order_t_1', '--reason', 'it came'], 'it came'],
  ['flag resolve', ['12345', '--reason', 'looked at'], 'looked at'],
  ['reports resolve', ['1', '--outcome', 'kept', '--note', 'harmless'], 'harmless'],
  ['picture remove', ['1', '--reason', 'a face'], 'a face'],
  ['voucher void', ['NO-SUCH'], ''],
])('%s of nothing there is leaves a row that says so', async (act, words, reason) => {
  const subject = words[0]
  expect(await logOf(act, words)).toEqual(row({ act, subject, reason, outcome: 'refused' }))
})

const noWords = { places: [], texts: {}, flags: new Set<string>() }

test('a command that breaks leaves a row that says so', async () => {
  const run = () => Promise.reject(new Error('the connection was lost'))
  const rows = await logOf('user take', [], (opened) =>
    runAct({ ...takeCredits, run }, opened, noWords),
  )
  expect(rows).toEqual(row({ act: 'user take', subject: '', reason: '', outcome: 'failed' }))
})

test('a command ends with 0 where all is done, 1 where less is or nothing was, 2 for wrong words', async () => {
  const printed: string[] = []
  const opened = { ...parts(), print: (line: string) => void printed.push(line) }
  const end = (outcome: ActOutcome) =>
    runAct({ ...takeCredits, run: () => Promise.resolve(outcome) }, opened, noWords)
  const problems = { id: 'Who?', reason: 'Why?' }
  expect([
    await end({ done: '5 taken.' }),
    await end({ done: '3 taken.', isPartial: true }),
    await end({ done: 'Made.', shownOnce: { text: 'a key\n', note: 'Once.' } }),
    await end({
      done: 'Made.',
      shownOnce: { text: 'a,b\n', note: '', file: { name: 'codes.csv', codes: ['a'] } },
    }),
    await end({ refused: 'Nobody has this address.' }),
    await end({ refused: 'Nothing was changed.', problems }),
  ]).toEqual([0, 1, 0, 0, 1, 2])
  expect(printed).toEqual([
    '5 taken.',
    '3 taken.',
    'Made.',
    'a key',
    'a,b',
    'Nobody has this address.',
    `${takeCredits.fields['id']?.place}: Who?`,
    '--reason: Why?',
  ])
})

test('a command that gave the program work keeps no connection that would hold it', async () => {
  const stop = vi.spyOn(PgBoss.prototype, 'stop')
  onTestFinished(() => stop.mockRestore())
  const run: Act['run'] = async ({ jobs, database }) => {
    await inTransaction(database, (transaction) =>
      jobs.enqueue(transaction, receiptQueue.name, { orderId: 'order_t_1' }),
    )
    return { done: 'Sent.' }
  }
  expect(await runAct({ ...takeCredits, run }, parts(), noWords)).toBe(0)
  expect(stop).toHaveBeenCalledOnce()
})

test('a command that only reads leaves none', async () => {
  for (const [name, words] of [
    ['orders list', []],
    ['orders list', ['--flagged']],
    ['reports list', []],
    ['user find', [person.email]],
  ] as const) {
    expect([name, await logOf(name, [...words])]).toEqual([name, []])
  }
})
