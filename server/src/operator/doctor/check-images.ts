import type { OperatorParts } from '../parts.ts'
import { isOwnServer } from '../../selfies/providers/image-models.ts'
import { findRetiring } from '../../selfies/providers/check-models.ts'
import { checkProvider } from '../../selfies/providers/check-providers.ts'
import { findCheck, saveCheck, ok, problem, warning } from './check.ts'
import type { RunningParts, Finding } from './check.ts'

/** A trial picture is waited for as long as a user would. */
const trialTimeoutMs = 90_000
const imagesCheck = 'images'
const mend = 'Try them.'

/**
 * How the image providers stand: paused, as the last trial found them, or embedded. A trial costs
 * money, so that it is made by `tryImages` alone and its result is kept.
 */
export async function checkHostedImages(parts: RunningParts): Promise<Finding[]> {
  const { database, clock, images } = parts
  if (images.hostedCount === 0) {
    return [ok('The embedded compositor makes the pictures; it needs no account.')]
  }
  const rows = await database
    .selectFrom('image_providers')
    .select(['name', 'open_until', 'last_error_kind'])
    .execute()
  const paused = rows.filter(({ open_until }) => open_until !== null && open_until > clock())
  if (paused.length > 0) {
    const list = paused.map((row) => `${row.name} (${row.last_error_kind ?? 'failing'})`).join(', ')
    return [problem(`Paused after failures: ${list}.`, mend)]
  }
  const tried = await findCheck(database, imagesCheck)
  if (tried === undefined) return [warning('Nobody has tried them yet.', mend)]
  const at = tried.checked_at.toISOString().slice(0, 16).replace('T', ' ')
  const text = `Tried ${at}: ${tried.finding}`
  return [tried.is_good ? ok(text) : problem(text, mend)]
}

/**
 * Whether a server of the operator's own makes pictures that nothing judges: it has no vendor's rules, and the
 * European Union bans systems that undress people without safeguards.
 */
export function checkFilter({ config, site }: FilterParts): Finding[] {
  const { images, safety } = config
  const own = images.chain.filter((step) => isOwnServer(images, step)).map(({ name }) => name)
  if (own.length === 0) return []
  if (safety.classifier.module !== undefined) return [ok('Every picture is judged.')]
  const waiver = site?.values()['images.filterWaiver'] ?? ''
  if (waiver !== '') return [warning(`Waived: ${waiver}`, 'Set MODERATION_CLASSIFIER.')]
  return [
    problem(
      `${own.join(', ')} is not asked for pictures, as nothing judges what it makes.`,
      'Set MODERATION_CLASSIFIER, or say why there need be none: `npm run admin -- settings set images.filterWaiver REASON`.',
    ),
  ]
}
type FilterParts = Pick<RunningParts, 'config'> & Partial<Pick<RunningParts, 'site'>>

const listTimeoutMs = 5_000
const retiringSoonMs = 30 * 24 * 60 * 60_000

export async function checkRetiringModels({ images, clock }: RunningParts): Promise<Finding[]> {
  const now = clock().getTime()
  const found = await findRetiring(images, listTimeoutMs)
  return found.flatMap(({ name, retires }) => {
    const at = Date.parse(retires)
    if (at - now > retiringSoonMs) return []
    const level = at > now ? warning : problem
    return [
      level(`Its vendor shuts ${name} down on ${retires}.`, 'Name another in IMAGE_PROVIDERS.'),
    ]
  })
}

export async function tryImages({
  engine,
  presets,
  images,
  database,
  clock,
}: Pick<OperatorParts, 'engine' | 'presets' | 'images' | 'database' | 'clock'>): Promise<{
  isGood: boolean
  finding: string
}> {
  const { chain, attemptTimeoutMs, picturesMax } = images.settings
  const settings = { picturesMax, attemptTimeoutMs: Math.min(attemptTimeoutMs, trialTimeoutMs) }
  const now = () => clock().getTime()
  const checks = await Promise.all(
    chain
      .map((step) => ({ step, provider: images.find(step.name) }))
      .filter(({ provider }) => provider !== undefined)
      .map(({ step, provider }) =>
        checkProvider({ engine, presets, provider, settings, now }, step),
      ),
  )
  const isGood = checks.every(({ isWorking }) => isWorking)
  const finding = checks
    .map(({ name, isWorking, detail }) => `${name} ${isWorking ? 'works' : `fails (${detail})`}.`)
    .join(' ')
  await saveCheck(database, { name: imagesCheck, at: clock(), isGood, finding })
  return { isGood, finding }
}
