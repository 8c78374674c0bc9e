import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import './hash-cheaply.ts'
import { createApp } from '../app/app.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../app/context.ts'
import type { Context } from '../app/context.ts'
import { assertDeclaredAnswer } from './assert-declared-answer.ts'
import { openTestDatabase } from './open-test-database.ts'
import { createScriptedEngine } from './scripted-engine.ts'
import type { ScriptedEngine } from './scripted-engine.ts'
import { workOnGenerations } from '../selfies/jobs.ts'
import { listen } from '../platform/http/listen.ts'
import { workOnStars } from '../stars/jobs.ts'
import type { Mail } from '../platform/mail/mailer.ts'

export interface TestApp {
  /** Where it listens, without a slash at the end. */
  url: string
  databaseUrl: string
  context: Context
  engine: ScriptedEngine
  /** Mails that were sent, oldest first. */
  mails: Mail[]
  /** How many connections the server holds a descriptor for. */
  countConnections(): Promise<number>
  /** Moves the program's clock on. */
  passTime(ms: number): void
  /**
   * Lets the program's clock stand still, so that nothing is late however slow the machine is; what it
   * returns lets it go on.
   */
  stopTime(): () => void
  /**
   * One call of the API; the answer's status, headers and parsed body. Throws when a successful
   * answer is not as its route declares.
   */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** Registers somebody new and answers their token and id. */
  register(overrides?: Record<string, unknown>): Promise<{ token: string; userId: string }>
  [Symbol.asyncDispose](): Promise<void>
}

export interface CallOptions {
  method?: string
  token?: string | undefined
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  body: any
}

/**
 * The whole program over real HTTP on a real PostgreSQL and a real folder; only the picture provider
 * is scripted, so that a test decides when it succeeds, fails or dies.
 */
export async function openTestApp(
  options: {
    settings?: Record<string, string>
    worker?: boolean
    /** With the real engine in its own process instead of the scripted one. */
    realEngine?: boolean
  } = {},
): Promise<TestApp> {
  const db = await openTestDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'starside-app-'))
  const engine = createScriptedEngine()
  const mails: Mail[] = []
  let passedMs = 0
  let stoppedAtMs: number | undefined
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataFolder,
    PUBLIC_URL: 'https://selfie.example',
    REGISTRATIONS_PER_ADDRESS_PER_DAY: '100000',
    REFERRALS_PER_ADDRESS_PER_DAY: '100000',
    RATE_LIMITS: 'off',
    LIKENESS_CHECK: 'off',
    ENGINE_NICENESS: '0',
    ...options.settings,
  })
  const context = await createContext(config, {
    databaseUrl: db.url,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    overrides: {
      ...(options.realEngine === true ? {} : { engine }),
      clock: () => new Date((stoppedAtMs ?? Date.now()) + passedMs),
      mailer: {
        isSetUp: true,
        async send(mail) {
          mails.push(mail)
        },
      },
    },
  })
  // Whoever asks for a connection gets one in their turn, however slow the machine is.
  context.pool.options.connectionTimeoutMillis = 0
  // What is done at each full minute would come at any moment of a test; whoever needs it does it.
  context.jobs.schedule = async () => undefined
  if (options.worker !== false) {
    await workOnGenerations(context)
    await workOnStars(context)
  }
  const app = await createApp(context)
  const url = await listen(app, { port: 0, host: '127.0.0.1' })
  const call: TestApp['call'] = (path, request = {}) => callApi(url, path, request)

  return {
    url,
    databaseUrl: db.url,
    context,
    engine,
    mails,
    countConnections: promisify(app.server.getConnections.bind(app.server)),
    passTime: (ms) => (passedMs += ms),
    stopTime() {
      stoppedAtMs = Date.now()
      return () => (stoppedAtMs = undefined)
    },
    call,
    async register(overrides = {}) {
      const { body } = await call('/api/auth?action=register', {
        json: { ...newPerson(), ...overrides },
      })
      const answer = body as { token: string; user: { userId: string } }
      return { token: answer.token, userId: answer.user.userId }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await context.close()
      await db[Symbol.asyncDispose]()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

async function callApi(url: string, path: string, request: CallOptions): Promise<Answer> {
  const method = request.method ?? (request.json || request.form ? 'POST' : 'GET')
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
      ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.json === undefined ? {} : { body: JSON.stringify(request.json) }),
    ...(request.form === undefined ? {} : { body: request.form }),
    redirect: 'manual',
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const body: unknown = isJson ? await response.json() : Buffer.from(await response.arrayBuffer())
  if (isJson) assertDeclaredAnswer({ method, path }, { status: response.status, body })
  return { status: response.status, headers: response.headers, body }
}

let people = 0

/** What a registration form sends, for somebody who isn't there yet. */
export function newPerson() {
  people += 1
  return {
    email: `person${people}-${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse',
    username: `Person ${people}`,
  }
}
