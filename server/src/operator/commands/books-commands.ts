import { auditAtProvider } from '../../payments/audit-orders.ts'
import { openProviders } from '../../payments/payments.ts'
import { checkInputs, summariseInputChecks } from '../../selfies/check-inputs.ts'
import { auditAll } from '../audit-all.ts'
import { commandsOf, endWith, openStoreOf, readKeysOf } from './operator-command.ts'
import type { GivenWords, OperatorParts } from './operator-command.ts'
import { fromNow } from '../../platform/clock.ts'

export const booksCommands = commandsOf({ audit: { run: audit } })

const daysMax = 3_650

async function audit(parts: OperatorParts, { texts, flags }: GivenWords): Promise<number> {
  const { database, print } = parts
  const days = Number(texts['days'] ?? '30')
  if (!(days > 0 && days <= daysMax))
    return endWith(print, 2, `--days takes a number up to ${daysMax}.`)
  const { entries, userAccounts, heldCredits, findings } = await auditAll(database)
  print(`${entries} ledger entries, ${userAccounts} accounts, ${heldCredits} credits held`)
  return printFindings(print, [
    ...findings,
    ...(flags.has('provider') ? await askProvider(parts, days) : []),
    ...(await auditInputs(parts)),
  ])
}

/** Prints what an audit found; the status is 0 where that is nothing. */
export function printFindings(print: OperatorParts['print'], findings: readonly string[]): number {
  for (const finding of findings) print(`  ${finding}`)
  if (findings.length === 0) return endWith(print, 0, 'The books are sound.')
  return endWith(print, 1, `${findings.length} findings.`)
}

async function auditInputs(parts: OperatorParts): Promise<string[]> {
  const { config, database, clock, print } = parts
  const store = await openStoreOf(parts)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const { inputs, layers, overdue } = await checkInputs({ config, database, store, clock, log })
  const { checks, failed } = await summariseInputChecks({ database }, clock())
  print(`${inputs} uploaded photos, ${layers} files of layers made of such`)
  print(`${checks} checks of their age in 30 days, ${failed} failed`)
  return overdue.map((key) => `${key} was kept longer than promised; it is deleted now.`)
}

async function askProvider(parts: OperatorParts, days: number): Promise<string[]> {
  const { config, database, clock, print } = parts
  const providers = await openProviders({
    settings: config.payments,
    publicUrl: config.publicUrl,
    localUrl: () => config.publicUrl,
    keys: await readKeysOf(parts),
    fetch,
    now: () => clock().getTime(),
  })
  try {
    const { checked, findings } = await auditAtProvider(database, {
      findProvider: providers.find,
      since: fromNow({ clock }, -days * 24 * 60 * 60_000),
      signal: new AbortController().signal,
    })
    print(`${checked} payments were read at the provider`)
    return findings
  } finally {
    await providers.close()
  }
}
