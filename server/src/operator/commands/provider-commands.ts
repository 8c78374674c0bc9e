import { sql } from 'kysely'
import { createEngineHost } from '@starside/engine/engine-host.ts'
import { findRows } from '../../platform/db/rows.ts'
import { checkModels, findRetiring } from '../../selfies/providers/check-models.ts'
import { checkProvider } from '../../selfies/providers/check-providers.ts'
import { circuitState } from '../../selfies/providers/circuit.ts'
import { describeCosts, dollars, priceWarning } from '../../selfies/providers/describe-costs.ts'
import { sumSpent } from '../../selfies/providers/grant-slots.ts'
import { openProviders } from '../../selfies/providers/image-models.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import { loadPresets } from '../../stars/presets.ts'
import { commandsOf, endWith } from './operator-command.ts'
import type { GivenWords, OperatorParts, PartsWithoutDatabase } from './operator-command.ts'

const listTimeoutMs = 10_000

export const providerCommands = commandsOf({
  'providers list': { run: listProviders },
  'providers check': { needsDatabase: false, run: checkProviders },
})

async function listProviders({ config, database, clock, print }: OperatorParts): Promise<number> {
  const settings = config.images
  const providers = openProviders({ settings, fetch, now: Date.now })
  const health = await findRows(database, 'image_providers', sql`true`)
  for (const step of settings.chain) {
    const { name } = step
    const row = health.find((known) => known.name === cardName(step))
    const provider = providers.get(name)
    print(`${name.padEnd(44)} ${dollars(provider?.priceMicroUsd ?? 0)}`)
    for (const warning of priceWarning(settings, step, clock())) print(`    ${warning}`)
    if (provider === undefined) continue
    print(
      `    circuit ${circuitState(row, settings, clock())}, ${row?.failures_in_row ?? 0} failures in a row`,
    )
    if (row?.last_error_at != null) {
      print(`    last failure ${row.last_error_at.toISOString()}: ${row.last_error_detail ?? ''}`)
    }
  }
  const cap = settings.dailySpendMaxMicroUsd
  const spent = dollars(await sumSpent(database, clock()))
  print(`Spent today (UTC): ${spent}${cap === undefined ? ', no cap' : ` of ${dollars(cap)}`}`)
  return 0
}

async function checkProviders(
  { config, print, clock }: PartsWithoutDatabase,
  { places: words, flags }: GivenWords,
): Promise<number> {
  if (flags.has('all')) return await checkAll({ config, print, clock })
  const settings = config.images
  const steps = settings.chain.filter(({ name }) => words.length === 0 || words.includes(name))
  if (steps.length === 0)
    return endWith(print, 2, `The chain has: ${settings.chain.map(({ name }) => name).join(', ')}`)
  const providers = openProviders({ settings, fetch, now: Date.now })
  for (const line of describeCosts(settings, providers, clock())) print(line)
  const find = (name: string) => providers.get(name)
  for (const { name, retires } of await findRetiring({ settings, find }, listTimeoutMs)) {
    print(`RETIRES  ${name}  ${retires}`)
  }
  // A vendor's bytes are decoded in a process of their own here too.
  const engine = createEngineHost()
  let failures = 0
  try {
    const presets = await loadPresets(engine, config.dataFolder)
    for (const step of steps) {
      const provider = providers.get(step.name)
      const parts = { engine, presets, provider, settings, now: Date.now }
      const check = await checkProvider(parts, step)
      failures += check.isWorking ? 0 : 1
      const word = check.isWorking ? 'works' : 'FAILS'
      const seconds = (check.tookMs / 1000).toFixed(1)
      print(
        `${word}  ${check.name}  ${dollars(check.priceMicroUsd)}  ${seconds} s  ${check.detail}`,
      )
    }
  } finally {
    await engine.close()
  }
  print(failures === 0 ? 'Every provider works.' : `${failures} of ${steps.length} fail.`)
  return failures === 0 ? 0 : 1
}

/** Asks every known model; the status says whether those of the chain answer. */
async function checkAll({ config, print, clock }: PartsWithoutDatabase): Promise<number> {
  const { images: settings } = config
  const inChain = new Set(settings.chain.map(cardName))
  let failures = 0
  const now = () => clock().getTime()
  await checkModels({ settings, fetch, now }, ({ name, state, detail }) => {
    print(`${state.padEnd(10)}  ${name}  ${detail}`)
    if (inChain.has(name) && state !== 'answers') failures += 1
  })
  print('Nothing was charged: no picture was made.')
  return failures === 0 ? 0 : 1
}
