import { HostedError } from '../../vendors/hosted-error.ts'
import { cardName, isPriceOld, priceMicroUsdOf } from '../../vendors/models/model-description.ts'
import type { ModelDescription } from '../../vendors/models/model-description.ts'
import { openCard } from './image-models.ts'
import type { OpenParts } from './image-models.ts'
import { dollars } from './describe-costs.ts'

/** Whether a known model answers; asking costs nothing, as no picture is made. */
export interface ModelCheck {
  name: string
  state: 'answers' | 'fails' | 'not set up'
  /** Price, its age, where the model was seen, and what went wrong. */
  detail: string
}

const probeTimeoutMs = 20_000

/** Asks every known model whose vendor is set up, one after the other. */
export async function checkModels(
  parts: OpenParts,
  report: (check: ModelCheck) => void,
): Promise<void> {
  for (const card of parts.settings.models.all) {
    const { state, problem } = await checkModel(parts, card)
    const detail = [...describe(card, parts.now()), ...problem].join('  ')
    report({ name: cardName(card), state, detail })
  }
}

async function checkModel(
  parts: OpenParts,
  card: ModelDescription,
): Promise<{ state: ModelCheck['state']; problem: string[] }> {
  const provider = openCard(card, parts)
  if (provider === undefined) return { state: 'not set up', problem: [`needs ${card.needs}`] }
  try {
    await provider.probe(AbortSignal.timeout(probeTimeoutMs))
    return { state: 'answers', problem: [] }
  } catch (error) {
    const problem = error instanceof HostedError ? `${error.kind}: ${error.message}` : 'no answer'
    return { state: 'fails', problem: [problem] }
  } finally {
    if (provider.kind === 'queued') provider.close?.()
  }
}

function describe(card: ModelDescription, now: number): string[] {
  return [
    dollars(priceMicroUsdOf(card)),
    ...(isPriceOld(card, new Date(now)) ? [`OLD PRICE of ${card.price?.on}`] : []),
    card.seen === undefined ? 'NOT VERIFIED' : `seen ${card.seen.on}`,
  ]
}
