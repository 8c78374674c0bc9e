import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { fillShop } from '../../testing/fill-shop.ts'
import type { FilledShop } from '../../testing/fill-shop.ts'
import { callCommand } from '../../testing/call-command.ts'
import { booksCommands } from './books-commands.ts'
import { listCommands } from './list-commands.ts'
import type { OperatorCommands } from './operator-command.ts'
import { providerCommands } from './provider-commands.ts'

let app: TestApp
let shop: FilledShop
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  shop = await fillShop(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** What commands are called with, names of the shop's ids in capitals. */
const calls: Record<string, string[][]> = {
  'orders list': [
    [],
    ['--flagged'],
    ['--status', 'completed'],
    ['--status', 'none'],
    ['--email', ' BUYER-LATE@example.test'],
    ['--limit', '2'],
    ['--limit', '0'],
    ['--limit', '1000'],
    ['--limit', '1001'],
    ['--flagged', '--status', 'completed'],
  ],
  'orders show': [
    ...['PAID', 'UNDERPAID', 'SECOND', 'WAITING', 'LATE', 'ORPHAN', 'DECIDED'].map((name) => [
      `ORDER ${name}`,
    ]),
    ['order_none_000000'],
    [],
  ],
  'user find': [['ADA@example.test'], ['USER BOB'], ['code-cyd'], ['buyer'], ['nobody'], []],
  'reports list': [[], ['--all']],
  'reports show': [['REPORT LATE'], ['REPORT OPEN'], ['REPORT KEPT'], ['none'], []],
  'settings list': [['legal.operator'], ['brand.shareTags'], ['brand.name'], ['none']],
  audit: [[], ['--days', '0'], ['--days', '3650'], ['--days', '3651'], ['--days', 'x']],
  'providers list': [[]],
}
const commands: OperatorCommands = { ...listCommands, ...booksCommands, ...providerCommands }

async function run(name: string, words: readonly string[]): Promise<string> {
  const given = words.map((word) =>
    Object.entries(shop.ids).reduce(
      (text, [id, value]) => (text === id.toUpperCase() ? value : text),
      word,
    ),
  )
  const { status, lines } = await callCommand(app, commands, { name, words: given })
  return `$ ${[name, ...words].join(' ')}\n${shop.name(lines.join('\n'))}\n(${status})\n`
}

test.each(Object.keys(calls))('%s prints of a filled shop what it is asked for', async (name) => {
  const texts: string[] = []
  for (const words of calls[name] ?? []) texts.push(await run(name, words))
  const file = `testing/${name.replaceAll(' ', '-')}.txt`
  await expect(texts.join('\n')).toMatchFileSnapshot(file)
})
