import { changeSite, listSiteChanges, undoSite, unsetSite } from '../site/change-site.ts'
import type { SiteChange } from '../site/change-site.ts'
import { readSite } from '../site/site.ts'
import { isSiteKey, siteKeys, siteSettings } from '../site/site-settings.ts'
import type { SiteKey } from '../site/site-settings.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'
import { commandLine } from './run-logged.ts'

const changesMax = 20

export const settingsCommands: AdminCommands = {
  'settings list': {
    readsOnly: true,
    usage: '[KEY]',
    help: 'lists what can be changed under /admin, or the changes of one key',
    run: list,
  },
  'settings set': {
    usage: 'KEY VALUE',
    help: 'changes a setting; VALUE is JSON, or a text as it stands. All nodes know it at once',
    run: set,
  },
  'settings unset': {
    usage: 'KEY',
    help: 'puts a setting back to its default',
    run: unset,
  },
  'settings undo': {
    usage: 'KEY [VERSION]',
    help: 'puts back what a setting was before its newest change, or before that version',
    run: undo,
  },
}

async function list({ config, database, print }: AdminParts, [key]: string[]): Promise<number> {
  const { values } = await readSite(database, config.siteFallbacks, (wrong) => {
    print(`What is stored of ${wrong} is not accepted; the default holds.`)
  })
  if (key === undefined) {
    for (const each of siteKeys) print(`${each.padEnd(22)} ${JSON.stringify(values[each])}`)
    return 0
  }
  if (!isSiteKey(key)) return printUnknownKey(print, key)
  const changes = await listSiteChanges(database, { key, limit: changesMax })
  if (changes.length === 0) print(`${key} was never changed: ${JSON.stringify(values[key])}`)
  for (const change of changes) {
    print(`${change.version}  ${change.changedAt.toISOString()}  ${describeChange(change)}`)
  }
  return 0
}

async function set(parts: AdminParts, [key = '', ...words]: string[]): Promise<number> {
  const { database, print, clock } = parts
  if (!isSiteKey(key)) return printUnknownKey(print, key)
  if (words.length === 0) {
    print('Say what it shall be.')
    return 2
  }
  const parsed = parseValue(key, words.join(' '))
  if ('mistake' in parsed) {
    print(parsed.mistake)
    return 2
  }
  const changer = { operatorName: commandLine, now: clock() }
  const changes = await changeSite(database, { [key]: parsed.value }, changer)
  return printChange(print, changes?.[0])
}

/** A text is taken as JSON first, so that lists and numbers can be given. */
function parseValue(key: SiteKey, text: string): { value: unknown } | { mistake: string } {
  const { schema } = siteSettings[key]
  for (const candidate of [readJson(text), text]) {
    const parsed = schema.safeParse(candidate)
    if (parsed.success) return { value: parsed.data }
  }
  const { error } = schema.safeParse(readJson(text) ?? text)
  return { mistake: `Not accepted: ${error?.issues.map(({ message }) => message).join(' ')}` }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function unset(
  { database, print, clock }: AdminParts,
  [key = '']: string[],
): Promise<number> {
  if (!isSiteKey(key)) return printUnknownKey(print, key)
  return printChange(
    print,
    await unsetSite(database, key, { operatorName: commandLine, now: clock() }),
  )
}

/** Takes any key, also one that only a newer version knows. */
async function undo(
  { database, print, clock }: AdminParts,
  [key = '', version]: string[],
): Promise<number> {
  if (version !== undefined && !/^\d{1,18}$/.test(version)) {
    print('A version is a number, as `settings list KEY` shows.')
    return 2
  }
  const options = {
    key,
    operatorName: commandLine,
    now: clock(),
    ...(version === undefined ? {} : { version }),
  }
  return printChange(print, await undoSite(database, options))
}

function printChange(print: AdminParts['print'], change: SiteChange | undefined): number {
  print(change === undefined ? 'Nothing changed.' : describeChange(change))
  return change === undefined ? 1 : 0
}

function describeChange({ key, before, after, operatorName: who }: SiteChange): string {
  const show = (value: unknown) => (value === undefined ? '(default)' : JSON.stringify(value))
  return `${key}: ${show(before)} → ${show(after)}, by ${who}`
}

function printUnknownKey(print: AdminParts['print'], key: string): number {
  print(`There is no setting '${key}'. There are: ${siteKeys.join(', ')}.`)
  return 2
}
