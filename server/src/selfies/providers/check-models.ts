import { HostedError } from '../../vendors/hosted-error.ts'
import { cardName, isPriceOld, priceMicroUsdOf } from '../../vendors/models/model-description.ts'
import type { ModelDescription } from '../../vendors/models/model-description.ts'
import { openCard } from './image-models.ts'
import type { ImageModels, OpenParts } from './image-models.ts'
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
    const { state, problem, retires } = await checkModel(parts, card)
    const detail = [...describe({ ...card, retires }, parts.now()), ...problem].join('  ')
    report({ name: cardName(card), state, detail })
  }
}

async function checkModel(
  parts: OpenParts,
  card: ModelDescription,
): Promise<{ state: ModelCheck['state']; problem: string[]; retires: string | undefined }> {
  const provider = openCard(card, parts)
  const { retires } = card
  if (provider === undefined) {
    return { state: 'not set up', problem: [`needs ${card.needs}`], retires }
  }
  try {
    const announced = await provider.probe(AbortSignal.timeout(probeTimeoutMs))
    return { state: 'answers', problem: [], retires: announced ?? retires }
  } catch (error) {
    const problem = error instanceof HostedError ? `${error.kind}: ${error.message}` : 'no answer'
    return { state: 'fails', problem: [problem], retires }
  } finally {
    if (provider.kind === 'queued') provider.close?.()
  }
}

function describe(card: ModelDescription, now: number): string[] {
  return [
    dollars(priceMicroUsdOf(card)),
    ...(isPriceOld(card, new Date(now)) ? [`OLD PRICE of ${card.price?.on}`] : []),
    card.seen === undefined ? 'NOT VERIFIED' : `seen ${card.seen.on}`,
    ...(card.retires === undefined ? [] : [`RETIRES ${card.retires}`]),
  ]
}

/** When the chain's models end, by what is known and vendors' lists; a late list says nothing. */
export async function findRetiring(
  { settings, find }: Pick<ImageModels, 'settings' | 'find'>,
  timeoutMs: number,
): Promise<{ name: string; retires: string }[]> {
  const found = await Promise.all(
    settings.chain.map(async ({ name, provider, model }) => {
      const hosted = find(name)
      if (hosted === undefined || provider === 'compositor') return []
      const asked =
        hosted.kind === 'direct' ? hosted.probe(AbortSignal.timeout(timeoutMs)) : undefined
      const announced = await asked?.catch(() => undefined)
      const retires = announced ?? settings.models.find(provider, model).retires
      return retires === undefined ? [] : [{ name, retires }]
    }),
  )
  return found.flat()
}
