import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '@starside/engine/engine-calls.ts'
import { collectPictures } from '../../vendors/download-picture.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import type { HostedProvider, ImageRequest } from '../../vendors/hosted-provider.ts'
import { buildPrompt } from '../../vendors/prompt/build-prompt.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import { fitPhotos } from './prepare-request.ts'
import { systemVersion } from '../../platform/settings/system-version.ts'
import type { Presets } from '../../stars/presets.ts'
import type { ImageSettings, ChainStep } from './image-settings.ts'
import { pictureCountOf, requestPriceOf } from '../../vendors/models/model-description.ts'

/** What came of one provider's trial. */
export interface ProviderCheck {
  name: string
  isWorking: boolean
  /** Millionths of a US dollar that its request cost. */
  priceMicroUsd: number
  tookMs: number
  /** The picture's size, or what went wrong. */
  detail: string
}

const pollIntervalMs = 1_000

/** Makes a small picture of shipped stars by one provider, as for users; hosted ones cost money. */
export async function checkProvider(
  parts: {
    engine: Engine
    presets: Presets
    /** Undefined for the compositor. */
    provider: HostedProvider | undefined
    settings: Pick<ImageSettings, 'picturesMax' | 'attemptTimeoutMs'>
    now: () => number
  },
  step: ChainStep,
): Promise<ProviderCheck> {
  const { provider, now } = parts
  const startedAt = now()
  const report = (isWorking: boolean, detail: string): ProviderCheck => ({
    name: step.name,
    isWorking,
    priceMicroUsd: provider === undefined ? 0 : requestPriceOf(provider, parts.settings),
    tookMs: now() - startedAt,
    detail,
  })
  try {
    return report(true, await makePictures(parts, step))
  } catch (error) {
    if (error instanceof HostedError) return report(false, `${error.kind}: ${error.message}`)
    if (error instanceof PictureError) return report(false, `unusable picture: ${error.fault}`)
    throw error
  }
}

/** Answers what came, in words. */
async function makePictures(parts: Parameters<typeof checkProvider>[0], step: ChainStep) {
  const { engine, presets, provider, settings } = parts
  const [userPhoto, starPhoto] = await Promise.all([
    presets.readPortrait('henrik-solmark'),
    presets.readPortrait('elena-vassandri'),
  ])
  const finish = { watermarkText: 'check', systemVersion }
  if (provider === undefined) {
    const stars = [{ photo: await presets.readPhoto('elena-vassandri') }]
    const selfie = { userPhoto, stars, aspect: '4:5', resolution: 'standard' } as const
    return describePicture(await engine.makeSelfie({ ...selfie, ...finish }))
  }
  const lengthMax = provider.promptLengthMax
  const request = await fitPhotos(engine, provider, {
    prompt: buildPrompt({ scene: 'studio', words: undefined, lengthMax }),
    userPhoto,
    starPhotos: [starPhoto],
    aspect: '4:5',
    count: pictureCountOf(provider, settings),
  })
  const timeoutMs = settings.attemptTimeoutMs
  const signal = AbortSignal.timeout(timeoutMs)
  const pictures = await askFor(provider, request, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw new HostedError('timeout', `no picture within ${timeoutMs / 1000} s`)
  })
  const about = { headCount: 2, mayHaveOthers: false, provider: provider.name, model: step.model }
  const found: string[] = []
  for (const bytes of pictures) {
    found.push(describePicture(await engine.finishProviderPicture({ bytes, ...about, ...finish })))
  }
  return found.join('; ')
}

function describePicture({ widthPx, heightPx }: { widthPx: number; heightPx: number }): string {
  return `${widthPx}×${heightPx} pixels, both faces found`
}

async function askFor(provider: HostedProvider, request: ImageRequest, signal: AbortSignal) {
  if (provider.kind === 'direct') return await provider.generate(request, signal)
  const terms = { webhookUrl: undefined, startWithinMs: 60_000, signal }
  const submission = await provider.submit(request, terms)
  let status = await provider.poll(submission, signal)
  while (status.state === 'queued' || status.state === 'working') {
    await wait(pollIntervalMs, undefined, { signal })
    status = await provider.poll(submission, signal)
  }
  if (status.state === 'failed') throw status.error
  const wanted = status.urls.slice(0, request.count)
  return await collectPictures(wanted, (url) => provider.download(url, signal))
}
