import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '@starside/engine/engine-calls.ts'
import { HostedError } from '../vendors/hosted-error.ts'
import type { HostedProvider, ImageRequest, QueuedProvider } from '../vendors/hosted-provider.ts'
import { buildPrompt } from '../vendors/prompt/build-prompt.ts'
import { PictureError } from '@starside/engine/photo/picture-error.ts'
import { fitPhotos } from './fit-photos.ts'
import { systemVersion } from '../../settings/system-version.ts'
import type { Presets } from '../presets.ts'
import type { ChainStep } from './image-settings.ts'

/** What came of one provider's trial. */
export interface ProviderCheck {
  name: string
  isWorking: boolean
  /** Millionths of a US dollar that one picture costs. */
  priceMicroUsd: number
  tookMs: number
  /** The picture's size, or what went wrong. */
  detail: string
}

const pollIntervalMs = 1_000

/**
 * Has one provider make one small picture of two shipped, invented stars, with everything that a real
 * generation goes through: request, wait, download, inspection, finish. A hosted provider is paid for it.
 */
export async function checkProvider(
  parts: {
    engine: Engine
    presets: Presets
    /** Undefined for the compositor. */
    provider: HostedProvider | undefined
    timeoutMs: number
    now: () => number
  },
  step: ChainStep,
): Promise<ProviderCheck> {
  const { provider, now } = parts
  const startedAt = now()
  const report = (isWorking: boolean, detail: string): ProviderCheck => ({
    name: step.name,
    isWorking,
    priceMicroUsd: provider?.priceMicroUsd ?? 0,
    tookMs: now() - startedAt,
    detail,
  })
  try {
    const { widthPx, heightPx } = await makePicture(parts, step)
    return report(true, `${widthPx}×${heightPx} pixels, both faces found`)
  } catch (error) {
    if (error instanceof HostedError) return report(false, `${error.kind}: ${error.message}`)
    if (error instanceof PictureError) return report(false, `unusable picture: ${error.fault}`)
    throw error
  }
}

async function makePicture(
  parts: Parameters<typeof checkProvider>[0],
  step: ChainStep,
): Promise<{ widthPx: number; heightPx: number }> {
  const { engine, presets, provider } = parts
  const [userPhoto, starPhoto] = await Promise.all([
    presets.readPortrait('henrik-solmark'),
    presets.readPortrait('elena-vassandri'),
  ])
  const finish = { watermarkText: 'check', systemVersion }
  if (provider === undefined) {
    return await engine.makeSelfie({
      userPhoto,
      stars: [{ photo: await presets.readPhoto('elena-vassandri') }],
      ...finish,
      aspect: '4:5',
      resolution: 'standard',
    })
  }
  const lengthMax = provider.promptLengthMax
  const { text: prompt } = buildPrompt({ scene: 'studio', words: undefined, lengthMax })
  const request = await fitPhotos(engine, provider, {
    prompt,
    userPhoto,
    starPhotos: [starPhoto],
    aspect: '4:5',
  })
  const signal = AbortSignal.timeout(parts.timeoutMs)
  const bytes = await askFor(provider, request, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw new HostedError('timeout', `no picture within ${parts.timeoutMs / 1000} s`)
  })
  const { name, model } = { name: provider.name, model: step.model }
  return await engine.finishProviderPicture({
    bytes,
    headCount: 2,
    mayHaveOthers: false,
    ...finish,
    provider: name,
    model,
  })
}

async function askFor(
  provider: HostedProvider,
  request: ImageRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (provider.kind === 'direct') return await provider.generate(request, signal)
  const startWithinMs = 60_000
  const submission = await provider.submit(request, {
    webhookUrl: undefined,
    startWithinMs,
    signal,
  })
  const url = await pollToEnd(provider, submission, signal)
  return await provider.download(url, signal)
}

async function pollToEnd(
  provider: QueuedProvider,
  submission: Parameters<QueuedProvider['poll']>[0],
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const status = await provider.poll(submission, signal)
    if (status.state === 'picture') return status.url
    if (status.state === 'failed') throw status.error
    await wait(pollIntervalMs, undefined, { signal })
  }
}
