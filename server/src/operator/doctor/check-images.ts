import { sql } from 'kysely'
import { findRows } from '../../platform/db/rows.ts'
import type { OperatorParts } from '../parts.ts'
import { isOwnServer } from '../../selfies/providers/image-models.ts'
import { findRetiring } from '../../selfies/providers/check-models.ts'
import { checkProvider } from '../../selfies/providers/check-providers.ts'
import { timeText } from '../tables.ts'
import { findCheck, finding, saveCheck } from './check.ts'
import type { RunningParts, Finding } from './check.ts'

/** A trial picture is waited for as long as a user would. */
const trialTimeoutMs = 90_000
const imagesCheck = 'images'

/** How image providers stand, as kept: a trial costs money, and `tryImages` alone makes one. */
export async function checkHostedImages(parts: RunningParts): Promise<Finding[]> {
  const { database, clock, images } = parts
  if (images.hostedCount === 0) return [finding('imagesEmbedded')]
  const running = sql`open_until > ${clock()}`
  const paused = await findRows(database, 'image_providers', running)
  if (paused.length > 0) {
    const list = paused.map((row) => `${row.name} (${row.last_error_kind ?? 'failing'})`).join(', ')
    return [finding('imagesPaused', { list })]
  }
  const tried = await findCheck(database, imagesCheck)
  if (tried === undefined) return [finding('imagesNotTried')]
  const values = { at: timeText(tried.checked_at), found: tried.finding }
  return [finding(tried.is_good ? 'imagesWork' : 'imagesFail', values)]
}

/** Whether an own server makes unjudged pictures: the EU bans systems that may undress people. */
export function checkFilter({ config, site }: FilterParts): Finding[] {
  const { images, safety } = config
  const own = images.chain.filter((step) => isOwnServer(images, step)).map(({ name }) => name)
  if (own.length === 0) return []
  if (safety.classifier.module !== undefined) return [finding('filterJudges')]
  const waiver = site?.values()['images.filterWaiver'] ?? ''
  if (waiver !== '') return [finding('filterWaived', { waiver })]
  return [finding('filterMissing', { list: own.join(', ') })]
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
    return [finding(at > now ? 'modelRetires' : 'modelRetired', { name, retires })]
  })
}

export async function tryImages(
  parts: Pick<OperatorParts, 'engine' | 'presets' | 'images' | 'database' | 'clock'>,
): Promise<{ isGood: boolean; finding: string }> {
  const { engine, presets, images, database, clock } = parts
  const { chain, attemptTimeoutMs, picturesMax } = images.settings
  const settings = { picturesMax, attemptTimeoutMs: Math.min(attemptTimeoutMs, trialTimeoutMs) }
  const now = () => clock().getTime()
  const checks = await Promise.all(
    chain.flatMap((step) => {
      const provider = images.find(step.name)
      const asked = { engine, presets, provider, settings, now }
      return provider === undefined ? [] : checkProvider(asked, step)
    }),
  )
  const isGood = checks.every(({ isWorking }) => isWorking)
  const found = checks
    .map(({ name, isWorking, detail }) => `${name} ${isWorking ? 'works' : `fails (${detail})`}.`)
    .join(' ')
  const check = { checked_at: clock(), is_good: isGood, finding: found }
  await saveCheck(database, { name: imagesCheck, ...check })
  return { isGood, finding: found }
}
