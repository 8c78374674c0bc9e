import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { environmentSchema } from '@starside/server/settings/environment-schema.ts'
import { projectFolder } from './project-folder.js'

/** A package of package-lock.json, as far as machines are concerned. */
interface LockedPackage {
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const deploy = path.join(projectFolder, 'deploy')
const read = (file: string) => readFile(path.join(deploy, file), 'utf8')
const readYaml = async (file: string): Promise<unknown> => parseYaml(await read(file))

/** A service of a compose file, as far as the templates use it. */
const service = z.strictObject({
  image: z.string().optional(),
  build: z
    .strictObject({ context: z.string(), dockerfile: z.string(), target: z.string() })
    .optional(),
  restart: z.enum(['always', 'unless-stopped', 'on-failure']).optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  user: z.string().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+[sm]$/)
    .optional(),
  ports: z.array(z.string()).optional(),
  expose: z.array(z.string()).optional(),
  environment: z
    .union([z.array(z.string()), z.record(z.string(), z.union([z.string(), z.number(), z.null()]))])
    .optional(),
  volumes: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
    })
    .optional(),
})
type Service = z.output<typeof service>

const volumes = z.record(z.string(), z.unknown()).optional()
const compose = z.strictObject({
  name: z.string().optional(),
  version: z.string().optional(),
  services: z.record(z.string(), service),
  volumes,
})

/** The names that a service sets. */
function namesOf({ environment = {} }: Service): string[] {
  const entries = Array.isArray(environment) ? environment : Object.keys(environment)
  return entries.map((entry) => entry.split('=')[0] ?? '')
}

/** Platforms put names of their own beside ours. */
const platformNames = /^(?:SERVICE_URL_STARSIDE_3000|APP_HOST|APP_PORT|PROXY_AUTH_ADD)$/

function expectKnownSettings(services: Record<string, Service>) {
  const names = Object.values(services).flatMap(namesOf)
  const unknown = names.filter((name) => !(name in environmentSchema.shape))
  expect(unknown.filter((name) => !platformNames.test(name))).toEqual([])
}

test.for([
  'compose.small.yaml',
  'coolify/starside.yaml',
  'dokploy/docker-compose.yml',
  'umbrel/starside/docker-compose.yml',
])('%s is a compose file whose settings exist and whose data lies in a volume', async (file) => {
  const { services } = compose.parse(await readYaml(file))
  expectKnownSettings(services)
  const mounts = Object.values(services).flatMap((one) => one.volumes ?? [])
  expect(mounts.some((mount) => mount.endsWith(':/data'))).toBe(true)
})

test('Coolify finds the fields of its service templates in the head of the file', async () => {
  const text = await read('coolify/starside.yaml')
  const head = [...text.matchAll(/^# (\w+): \S/gm)].map(([, name]) => name)
  expect(head).toEqual(['documentation', 'slogan', 'category', 'tags', 'logo', 'port'])
})

test('the Dokploy template names a service and port of its compose file, and sets what that takes', async () => {
  const template = z.strictObject({
    variables: z.record(z.string(), z.string()),
    config: z.strictObject({
      mounts: z.array(z.never()),
      env: z.array(z.string().regex(/^\w+=/)),
      domains: z.array(
        z.strictObject({ serviceName: z.string(), port: z.number(), host: z.string() }),
      ),
    }),
  })
  const { config } = template.parse(parseToml(await read('dokploy/template.toml')))
  const text = await read('dokploy/docker-compose.yml')
  const { services } = compose.parse(parseYaml(text))
  expect(config.domains.map(({ serviceName }) => serviceName)).toEqual(Object.keys(services))
  expect(services['starside']?.expose).toEqual(config.domains.map(({ port }) => String(port)))
  const taken = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
  expect(config.env.map((entry) => entry.split('=')[0])).toEqual(taken)
  const links = z.strictObject({ github: z.url(), website: z.url(), docs: z.url() })
  z.strictObject({
    id: z.literal('starside'),
    name: z.string(),
    version: z.string(),
    description: z.string(),
    logo: z.string(),
    links,
    tags: z.array(z.string()),
  }).parse(JSON.parse(await read('dokploy/meta.json')))
})

test('the CapRover app asks for every variable that it uses, and for no other', async () => {
  const text = await read('caprover/starside.yml')
  const app = z.strictObject({
    captainVersion: z.literal(4),
    services: z.record(
      z.literal('$$cap_appname'),
      service.extend({ caproverExtra: z.strictObject({ containerHttpPort: z.string() }) }),
    ),
    caproverOneClickApp: z.strictObject({
      variables: z.array(
        z.strictObject({
          id: z.string().regex(/^\$\$cap_\w+$/),
          label: z.string(),
          defaultValue: z.string().optional(),
          description: z.string(),
          validRegex: z.string().optional(),
        }),
      ),
      instructions: z.strictObject({ start: z.string(), end: z.string() }),
      displayName: z.string(),
      isOfficial: z.boolean(),
      // Its own rule: below 200 characters.
      description: z.string().max(200),
      documentation: z.string(),
    }),
  })
  const { services, caproverOneClickApp } = app.parse(parseYaml(text))
  expectKnownSettings(services)
  const builtIn = ['$$cap_appname', '$$cap_root_domain']
  const used = new Set(JSON.stringify(services).match(/\$\$cap_\w+/g))
  const asked = caproverOneClickApp.variables.map(({ id }) => id)
  expect([...used].filter((name) => !builtIn.includes(name)).toSorted()).toEqual(asked.toSorted())
})

test('the Umbrel app has the fields of a manifest, and its proxy leads to its service', async () => {
  const manifest = z.strictObject({
    manifestVersion: z.literal(1),
    id: z.string().regex(/^[a-z-]+$/),
    category: z.enum(['files', 'media', 'networking', 'social', 'automation', 'finance', 'ai']),
    name: z.string(),
    version: z.string(),
    tagline: z.string(),
    description: z.string(),
    releaseNotes: z.string(),
    developer: z.string(),
    website: z.url(),
    dependencies: z.array(z.string()),
    repo: z.url(),
    support: z.url(),
    port: z.number(),
    gallery: z.array(z.string()),
    path: z.string(),
    defaultUsername: z.string(),
    defaultPassword: z.string(),
    submitter: z.string(),
    submission: z.url(),
  })
  const { id } = manifest.parse(await readYaml('umbrel/starside/umbrel-app.yml'))
  const { services } = compose.parse(await readYaml('umbrel/starside/docker-compose.yml'))
  const { environment } = services['app_proxy'] ?? {}
  expect(environment).toMatchObject({ APP_HOST: `${id}_web_1`, APP_PORT: 3000 })
  expect(Object.keys(services)).toEqual(['app_proxy', 'web'])
})

const analyse = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

test.skipIf(analyse('--version').status !== 0)(
  'the systemd unit is valid, and its exposure is 3.0 at most',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'starside-unit-'))
    try {
      const file = path.join(folder, 'starside.service')
      // The one thing that a machine without Starside lacks is its program.
      const unit = await read('systemd/starside.service')
      await writeFile(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
      const verified = analyse('verify', file)
      expect(`${verified.status} ${verified.stderr}`).toBe('0 ')
      const options = ['--offline=true', '--threshold=30', '--no-pager']
      const { stdout } = await promisify(execFile)('systemd-analyze', [
        'security',
        ...options,
        file,
      ])
      expect(stdout).toMatch(/Overall exposure level for starside\.service: [0-2]\.\d/)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

test('every native package of the images is there for amd64 and for arm64', async () => {
  const lock = JSON.parse(
    await readFile(path.join(projectFolder, 'package-lock.json'), 'utf8'),
  ) as {
    packages: Record<string, LockedPackage>
  }
  // Those that a Debian image takes: with the library of GNU, or without one.
  const fits = ({ os, libc }: LockedPackage) => os?.includes('linux') && !libc?.includes('musl')
  const native = Object.entries(lock.packages).filter(([, entry]) => fits(entry))
  const names = (cpu: string) =>
    native.filter(([, entry]) => entry.cpu?.includes(cpu)).map(([name]) => name)
  expect(names('x64').length).toBeGreaterThan(3)
  expect(names('arm64')).toEqual(names('x64').map((name) => name.replace('x64', 'arm64')))
  expect(await read('Dockerfile')).not.toMatch(/x64|amd64|x86/)
})
