import fastifyMultipart from '@fastify/multipart'
import Fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { OnEmailConfirmed } from '../accounts/auth/confirm-email.ts'
import { mailboxOf } from '../accounts/auth/mailbox.ts'
import type { WelcomeUser } from '../accounts/auth/register.ts'
import { authRoutes } from '../accounts/auth/routes.ts'
import type { Config } from '../config.ts'
import type { WebPages } from '../platform/http/web-app.ts'
import { readWebPages, serveWebApp } from '../platform/http/web-app.ts'
import type { DiskWatch } from '../platform/storage/disk-watch.ts'
import { createDiskWatch } from '../platform/storage/disk-watch.ts'
import type { People } from '../stars/person-files.ts'
import { loadPeople } from '../stars/person-files.ts'
import type { Context } from './context.ts'
import { imageWebhookRoutes } from '../selfies/providers/image-webhooks.ts'
import { generationRoutes } from '../selfies/routes.ts'
import { closeConnectionsAtStop, discardUnreadBodies } from '../platform/http/close-connections.ts'
import {
  answerBrokenConnection,
  answerUnreadable,
  installErrorAnswers,
} from '../platform/http/error-answers.ts'
import { collectRoutes } from '../platform/http/known-routes.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import { loggerOptions } from '../platform/logging/logger.ts'
import { installStandardHeaders } from '../platform/http/standard-headers.ts'
import { observeRequests } from '../platform/metrics/observe-requests.ts'
import { fillLegalPage, legalRoutes } from '../shop/legal/legal-html.ts'
import { eventRoutes } from '../events/routes.ts'
import { noteRequests } from '../operator/note-requests.ts'
import { operatorRoutes } from '../operator/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { orderRoutes } from '../payments/routes.ts'
import { installedAppRoutes } from './service/installed-app-routes.ts'
import { publicRoutes, readPublicSettings } from './service/public-routes.ts'
import { brandPage, brandRoutes } from '../platform/site/brand-page.ts'
import { payPendingBonus, welcomeUser } from '../accounts/referrals/welcome-user.ts'
import { provenanceRoutes } from '../trust/provenance/routes.ts'
import { reportRoutes } from '../trust/reports/routes.ts'
import { sharingRoutes } from '../selfies/sharing/routes.ts'
import { createKeyedDigest } from '../platform/secrets/keyed-digest.ts'
import { shareCardTags } from '../selfies/sharing/share-card.ts'
import { traceRequests } from '../platform/tracing/trace-requests.ts'
import { userRoutes } from '../trust/user/routes.ts'

/** A JSON body is small; only the multipart calls take more, by limits of their own. */
const bodyBytesMax = 64 * 1024
/** In request times, how long a connection may stand still: more than `generate` waits. */
const idleTimeoutFactor = 1.5
const slowClientCheckMs = 2_000

/** The HTTP side of the program: every route, on parts that are already built. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const { config } = context
  const app = Fastify({
    ...serverLimits(config),
    logger: config.logLevel === 'silent' ? false : loggerOptions(config.logLevel),
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
  const disk = createDiskWatch(config.dataFolder)
  installErrorAnswers(app, knownRoutes, { onDiskFull: () => disk.noteFull() })
  closeConnectionsAtStop(app, context.stopping)
  discardUnreadBodies(app)
  if (config.tracing !== undefined) {
    traceRequests(app, { believesCallers: config.trustProxy !== false })
  }
  observeRequests(app, context.metrics)
  noteRequests(app, context)
  const pages = await readWebPages()
  installStandardHeaders(app, { isHttps: config.publicUrl.startsWith('https:'), pages })
  await registerFeatures(app, context, disk)
  if (pages !== undefined) await servePages(app, context, pages)
  return app
}

/** Slow clients are cut off: two photos over a poor line fit into two minutes. */
function serverLimits({ requestTimeoutMs, headersTimeoutMs }: Config) {
  return {
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: Math.round(idleTimeoutFactor * requestTimeoutMs),
    http: {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      connectionsCheckingInterval: slowClientCheckMs,
    },
  }
}

async function registerFeatures(
  app: FastifyInstance,
  context: Context,
  disk: DiskWatch,
): Promise<void> {
  await app.register(publicRoutes, { context, disk })
  await app.register(brandRoutes, context)
  await app.register(installedAppRoutes, context)
  await app.register(authRoutes, { context, ...referralActs(context) })
  await app.register(userRoutes, { context })
  await app.register(legalRoutes, { context })
  await app.register(photoRoutes, { context, people: await loadPeople() })
  await app.register(imageWebhookRoutes, { context })
  await app.register(orderRoutes, { context })
  await app.register(sharingRoutes, { context })
  await app.register(eventRoutes, { context })
  await app.register(openApiRoutes, { context })
  await app.register(reportRoutes, { context })
  await app.register(operatorRoutes, { context })
}

/** The built interface, filled in with what operators have set. */
function servePages(app: FastifyInstance, context: Context, pages: WebPages): Promise<void> {
  return serveWebApp(app, {
    pages,
    fillPage: (html, page) => fillLegalPage(context.legalTexts, html, page),
    version: () => `${context.site.version()} ${context.legalTexts.versions()}`,
    brandPage: (page) =>
      brandPage(page, { values: context.site.values(), settings: readPublicSettings(context) }),
    headTags: ({ query, language, address }) =>
      shareCardTags(context, {
        shareId: query.get('selfie'),
        referralCode: query.get('ref'),
        sharedIn: query.get('lang'),
        language,
        network: callerNetwork(address),
      }),
  })
}

/** Routes that take photos. Only they pay for what a multipart form needs around each request. */
async function photoRoutes(
  scope: FastifyInstance,
  options: { context: Context; people: People },
): Promise<void> {
  await scope.register(fastifyMultipart)
  await scope.register(generationRoutes, options)
  await scope.register(provenanceRoutes, { context: options.context })
}

/** A number of proxies trusts that many hops from here; the hop before them is the client. */
function trustedProxies(setting: Context['config']['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** What the referral programme adds to a registration and to a confirmed e-mail. */
function referralActs({ config, keys, site }: Pick<Context, 'config' | 'keys' | 'site'>) {
  const { referrals: rules } = config
  const digest = createKeyedDigest(keys.bonuses)
  const welcome: WelcomeUser = (transaction, user) =>
    welcomeUser(
      transaction,
      { ...user, mailbox: mailboxOf(user.email) },
      { rules, digest, siteName: site.values()['brand.name'] },
    )
  const onConfirmed: OnEmailConfirmed = (transaction, user) =>
    payPendingBonus(transaction, user, rules)
  return { welcome, onConfirmed }
}
