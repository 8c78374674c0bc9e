import { createEngineHost } from '@starside/engine/engine-host.ts'
import { checkProvider } from '../generation/providers/check-providers.ts'
import { circuitState } from '../generation/providers/circuit.ts'
import { sumSpent } from '../generation/providers/grant-slots.ts'
import { openProviders } from '../generation/providers/image-models.ts'
import type { ChainStep, ImageSettings } from '../generation/providers/image-settings.ts'
import { loadPresets } from '../generation/presets.ts'
import { isPriceOld } from '../generation/vendors/models/model-card.ts'
import type { AdminCommands, AdminParts, PartsWithoutDatabase } from './admin-command.ts'

export const providerCommands: AdminCommands = {
  'providers list': {
    usage: '',
    help: 'shows the chain of image providers, their prices, their health and what was spent today',
    run: listProviders,
  },
  'providers check': {
    usage: '[NAME …]',
    help: 'has each image provider make one small picture, which a vendor charges for',
    needsDatabase: false,
    run: checkProviders,
  },
}

async function listProviders({ config, database, clock, print }: AdminParts): Promise<number> {
  const settings = config.images
  const providers = openProviders({ settings, fetch, now: Date.now })
  const health = await database.selectFrom('image_providers').selectAll().execute()
  for (const step of settings.chain) {
    const { name } = step
    const row = health.find((known) => known.name === name)
    const provider = providers.get(name)
    print(
      `${name.padEnd(44)} ${dollars(provider?.priceMicroUsd ?? 0)}${priceNote(step, config.images, clock())}`,
    )
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
  { config, print }: PartsWithoutDatabase,
  words: string[],
): Promise<number> {
  const settings = config.images
  const steps = settings.chain.filter(({ name }) => words.length === 0 || words.includes(name))
  if (steps.length === 0) {
    print(`The chain has: ${settings.chain.map(({ name }) => name).join(', ')}`)
    return 2
  }
  const providers = openProviders({ settings, fetch, now: Date.now })
  // A vendor's bytes are decoded in a process of their own here too.
  const engine = createEngineHost()
  let failures = 0
  try {
    const presets = await loadPresets(engine, config.dataFolder)
    for (const step of steps) {
      const timeoutMs = settings.attemptTimeoutMs
      const provider = providers.get(step.name)
      const parts = { engine, presets, provider, timeoutMs, now: Date.now }
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

/** Says of a price when it was read so long ago that it may have changed. */
function priceNote({ provider, model, name }: ChainStep, images: ImageSettings, now: Date): string {
  if (provider === 'compositor' || images.prices[name] !== undefined) return ''
  const card = images.models.find(provider, model)
  if (!isPriceOld(card, now)) return ''
  return `  OLD PRICE, read ${card.price?.on}: look it up, and set IMAGE_PRICES_USD`
}

function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(3)}`
}
