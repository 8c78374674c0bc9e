import fastifyHelmet from '@fastify/helmet'
import fastifyMultipart from '@fastify/multipart'
import Fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { OnEmailConfirmed } from './auth/confirm-email.ts'
import type { WelcomeUser } from './auth/register.ts'
import { authRoutes } from './auth/routes.ts'
import type { Context } from './context.ts'
import { loadPresets } from './generation/presets.ts'
import { imageWebhookRoutes } from './generation/providers/webhook-routes.ts'
import { generationRoutes } from './generation/routes.ts'
import {
  answerBrokenConnection,
  answerUnreadable,
  installErrorAnswers,
} from './http/error-answers.ts'
import { collectRoutes } from './http/known-routes.ts'
import { loggerOptions } from './http/logger.ts'
import { readWebPages, serveWebApp } from './http/web-app.ts'
import type { WebPages } from './http/web-app.ts'
import { observeRequests } from './metrics/observe-requests.ts'
import { operatorRoutes } from './operator/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { publicRoutes } from './public-routes.ts'
import { payPendingBonus, welcomeUser } from './referrals/welcome-user.ts'
import { provenanceRoutes } from './provenance/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { sharingRoutes } from './sharing/routes.ts'
import { shareCardTags } from './sharing/share-card.ts'
import { userRoutes } from './user-routes.ts'

/** A JSON body is small; only the multipart calls take more, by limits of their own. */
const bodyBytesMax = 64 * 1024
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
/** How often slow clients are looked for. */
const slowClientCheckMs = 2_000

/** The HTTP side of the program: every route, on parts that are already built. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const { config } = context
  const app = Fastify({
    logger: config.logLevel === 'silent' ? false : loggerOptions(config.logLevel),
    bodyLimit: bodyBytesMax,
    // Slow clients are cut off: two photos over a poor line fit into two minutes.
    requestTimeout: config.requestTimeoutMs,
    http: {
      headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
      connectionsCheckingInterval: slowClientCheckMs,
    },
    trustProxy: trustedProxies(config.trustProxy),
    frameworkErrors: answerUnreadable,
    clientErrorHandler: answerBrokenConnection,
    logController: new LogController({ disableRequestLogging: config.logLevel !== 'debug' }),
    genReqId: () => crypto.randomUUID(),
    // A request that came over a connection already open is still answered while the program stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  const knownRoutes = collectRoutes(app)
  app.decorate('knownRoutes', knownRoutes)
  installErrorAnswers(app, knownRoutes)
  closeConnectionsAtStop(app)
  observeRequests(app, context.metrics)
  const pages = await readWebPages()
  await installSecurityHeaders(app, context, pages)
  await app.register(fastifyMultipart)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    // Connections are given up one by one before the program closes them all.
    if (context.stopping.aborted) void reply.header('connection', 'close')
    // Answers of the API are a person's own; what may be cached says so itself.
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store')
  })

  await app.register(publicRoutes, { context, testMoney: context.payments.active.isTestMoney })
  await app.register(authRoutes, { context, ...referralActs(context) })
  await app.register(userRoutes, { context })
  const presets = await loadPresets(context.engine, config.dataFolder)
  await app.register(generationRoutes, { context, presets })
  await app.register(imageWebhookRoutes, { context })
  await app.register(orderRoutes, { context })
  await app.register(sharingRoutes, { context })
  await app.register(openApiRoutes, { context })
  await app.register(reportRoutes, { context })
  await app.register(provenanceRoutes, { context })
  await app.register(operatorRoutes, { context, presets })
  if (pages !== undefined) {
    await serveWebApp(app, {
      pages,
      headTags: async (query, path) => {
        const shareId = query.get('selfie')
        return shareId === null ? undefined : shareCardTags(context, { shareId, path })
      },
    })
  }
  return app
}

/** A number of proxies trusts that many hops from here; the hop before them is the client. */
function trustedProxies(setting: Context['config']['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** What the referral programme adds to a registration and to a confirmed e-mail. */
function referralActs({ config, signingSecret }: Context) {
  const rules = {
    bonusCredits: config.referralBonusCredits,
    perReferrerMax: config.referralsPerReferrerMax,
    perAddressPerDayMax: config.referralsPerAddressPerDay,
    perDeviceMax: config.referralsPerDeviceMax,
    afterConfirmation: config.referralBonusAfterConfirmation,
  }
  const welcome: WelcomeUser = (transaction, user) =>
    welcomeUser(transaction, user, { rules, addressSalt: signingSecret })
  const onConfirmed: OnEmailConfirmed = (transaction, user) =>
    payPendingBonus(transaction, user, rules)
  return { welcome, onConfirmed }
}

/** While the program stops, answers under way end their connection instead of keeping it alive. */
function closeConnectionsAtStop(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) void reply.header('connection', 'close')
  })
}

/**
 * Strict Content-Security-Policy with Trusted Types, and the other headers of the OWASP Secure
 * Headers list. Pictures that the browser makes itself are `blob:`.
 */
async function installSecurityHeaders(
  app: FastifyInstance,
  { config }: Context,
  pages: WebPages | undefined,
): Promise<void> {
  const isHttps = config.publicUrl.startsWith('https:')
  const policy = Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(pages?.scriptHashes ?? [])],
    'style-src': ["'self'", ...(pages?.styleHashes ?? [])],
    'img-src': ["'self'", 'blob:', 'data:'],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    ...(isHttps ? { 'upgrade-insecure-requests': [] } : {}),
  })
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
  await app.register(fastifyHelmet, {
    // Set below: helmet would put it together anew for each answer.
    contentSecurityPolicy: false,
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-site' },
  })
  app.addHook('onRequest', async (request, reply) => {
    // What is no page needs no list of what a page may load, which has kilobytes.
    const isApi = request.url.startsWith('/api/')
    void reply.header('content-security-policy', isApi ? apiPolicy : policy)
    void reply.header('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
  })
}
