import { startComfyuiServer } from './vendors/comfyui-server.ts'
import type { ComfyuiServer } from './vendors/comfyui-server.ts'
import { startFalServer } from './vendors/fal-server.ts'
import type { FalServer } from './vendors/fal-server.ts'
import type { DialectName } from './vendors/direct-dialects.ts'
import { startDirectServer } from './vendors/direct-server.ts'
import type { DirectServer } from './vendors/direct-server.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../platform/db/tables.d.ts'
import { changeSite } from '../platform/site/change-site.ts'
import { slotsTopic } from '../selfies/providers/attempts.ts'
import { generateForm } from './generate-form.ts'
import { openTestApp } from './open-test-app.ts'
import type { Answer, TestApp } from './open-test-app.ts'
import { signIn } from './sign-in.ts'
import { createTestJpeg } from './test-photo.ts'

/** Where the program under test says it is; the stand-in's webhooks are led to where it really is. */
const publicUrl = 'https://selfie.example'

export interface HostedApp {
  app: TestApp
  fal: FalServer
  comfyui: ComfyuiServer
  /** Those that answer with the picture, by what they speak. */
  direct: Record<DialectName, DirectServer>
  /** Somebody new with credits, signed in. */
  signIn(credits?: number): Promise<{ token: string; userId: string }>
  generate(token: string, options?: GenerateOptions): Promise<Answer>
  balance(token: string): Promise<number>
  /** The orders' rows, oldest first. */
  attempts(): Promise<AttemptRow[]>
  lastAttempt(): Promise<AttemptRow>
  /** Has every open order asked after now, whatever its time. */
  pollNow(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface GenerateOptions {
  form?: Parameters<typeof generateForm>[0]
  /** Answers at once instead of waiting for the picture. */
  isAsync?: boolean
}

/** The program with stand-ins of all image vendors. */
export async function openHostedApp(options: {
  chain: string
  settings?: Record<string, string>
  realEngine?: boolean
  /** False leaves what would be done in the background to the test. */
  worker?: boolean
  /** Why servers of one's own, as all stand-ins are, may be asked without a picture filter. */
  filterWaiver?: string
}): Promise<HostedApp> {
  const place = { url: '', now: () => Date.now() }
  const fal = await startFalServer({
    apiKey: 'fal-key',
    now: () => place.now(),
    retryDelaysMs: [],
    fetch: (url, init) => fetch(url.replace(publicUrl, place.url), init),
  })
  const direct = await startDirect()
  const comfyui = await startComfyuiServer()
  const app = await openTestApp({
    realEngine: options.realEngine === true,
    worker: options.worker !== false,
    settings: {
      ...settingsOf(fal, direct),
      COMFYUI_BASE_URL: comfyui.url,
      IMAGE_PROVIDERS: options.chain,
      ...options.settings,
    },
  })
  const { filterWaiver = 'Stand-ins make squares.' } = options
  const by = { operatorName: 'test', now: app.context.clock() }
  await changeSite(app.context.database, { 'images.filterWaiver': filterWaiver }, by)
  await app.context.site.refresh()
  place.url = app.url
  place.now = () => app.context.clock().getTime()
  const smallPhoto = await createTestJpeg({ red: 90, green: 90, blue: 200, widthPx: 320 })
  const { database } = app.context
  return {
    app,
    fal,
    direct,
    comfyui,
    signIn: (credits = 1) => signIn(app.context, credits),
    async generate(token, { form = {}, isAsync = false } = {}) {
      return app.call('/api/ai?action=generate', {
        token,
        form: await generateForm({ userPhoto: smallPhoto, ...form }),
        headers: isAsync ? { prefer: 'respond-async' } : {},
      })
    },
    async balance(token) {
      const { body } = await app.call('/api/user?action=profile', { token })
      return body.user.creditsBalance
    },
    attempts: () => listAttempts(app),
    async lastAttempt() {
      const last = (await listAttempts(app)).at(-1)
      if (last === undefined) throw new Error('nothing was ordered')
      return last
    },
    async pollNow() {
      await database
        .updateTable('generation_attempts')
        .set({ next_look_at: app.context.clock() })
        .where('state', '=', 'submitted')
        .execute()
      await app.context.notifications.publish(slotsTopic)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await fal.close()
      await comfyui.close()
      await Promise.all(Object.values(direct).map((service) => service.close()))
    },
  }
}

type AttemptRow = Selectable<Tables['generation_attempts']>

function listAttempts(app: TestApp): Promise<AttemptRow[]> {
  return app.context.database
    .selectFrom('generation_attempts')
    .selectAll()
    .orderBy('created_at')
    .orderBy('chain_position')
    .execute()
}

async function startDirect(): Promise<HostedApp['direct']> {
  const start = (dialect: DialectName) => startDirectServer({ apiKey: `${dialect}-key`, dialect })
  const [openai, sdcpp, google] = await Promise.all([
    start('openai'),
    start('sdcpp'),
    start('google'),
  ])
  return { openai, sdcpp, google }
}

function settingsOf(
  fal: FalServer,
  { openai, sdcpp, google }: HostedApp['direct'],
): Record<string, string> {
  return {
    PUBLIC_URL: publicUrl,
    IMAGE_POLL_INTERVAL_MS: '50',
    FAL_KEY: 'fal-key',
    FAL_QUEUE_URL: fal.url,
    FAL_KEY_SET_URL: `${fal.url}/.well-known/jwks.json`,
    OPENAI_API_KEY: 'openai-key',
    OPENAI_BASE_URL: openai.url,
    SDCPP_BASE_URL: sdcpp.url,
    GOOGLE_API_KEY: 'google-key',
    GOOGLE_BASE_URL: google.url,
  }
}
