import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeyedDigest } from './keyed-digest.ts'
import type { KeyPurpose, Keys } from './keys.ts'
import { readKeptSecret, readSecrets } from './read-secrets.ts'
import { deriveKeys, deriveMarkKey } from './keys.ts'
import type { SecretSettings } from './read-secrets.ts'
import { seal, unseal } from './seal.ts'

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-secrets-'))
})
afterEach(() => rm(dataFolder, { recursive: true }))

const first = 'the first signing secret, of a good length'
const second = 'the second signing secret, of a good length'
const warnings: string[] = []

async function openKeys(settings: Partial<SecretSettings>, folder = dataFolder): Promise<Keys> {
  const none = { signingSecret: undefined, digestSecret: undefined, markSecret: undefined }
  const secrets = await readSecrets(
    { ...none, ...settings },
    {
      dataFolder: folder,
      randomBytes,
      warn: (_details, message) => warnings.push(message),
    },
  )
  return deriveKeys(secrets)
}

const purposesThatChanged = (before: Keys, after: Keys) =>
  (Object.keys(before) as KeyPurpose[]).filter((name) => !before[name].equals(after[name]))

test('every purpose has a key of its own', async () => {
  const keys = Object.values(await openKeys({ signingSecret: first })).map((key) =>
    key.toString('hex'),
  )
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true)
})

test('a new signing secret changes what is signed, and nothing that is known by a digest', async () => {
  const before = await openKeys({ signingSecret: first })
  const after = await openKeys({ signingSecret: second })
  expect(purposesThatChanged(before, after)).toEqual([
    'pictureUrls',
    'imageWebhooks',
    'paymentSandboxApi',
    'paymentSandboxIpn',
    'proofOfWork',
  ])
})

test('a new digest secret changes digests alone, a new mark secret the mark alone', async () => {
  const before = await openKeys({ signingSecret: first })
  const digest = await openKeys({ signingSecret: first, digestSecret: second })
  expect(purposesThatChanged(before, digest)).toEqual([
    'devices',
    'deviceCookies',
    'limits',
    'bonuses',
    'vouchers',
    'operatorSecrets',
    'operatorDevices',
  ])
  const mark = await openKeys({ signingSecret: first, markSecret: second })
  expect(purposesThatChanged(before, mark)).toEqual(['invisibleMark'])
})

test('nodes with the same signing secret and folders of their own agree', async () => {
  const other = await mkdtemp(join(tmpdir(), 'starside-secrets-'))
  try {
    const one = await openKeys({ signingSecret: first })
    expect(purposesThatChanged(one, await openKeys({ signingSecret: first }, other))).toEqual([])
  } finally {
    await rm(other, { recursive: true })
  }
})

test('the mark stays readable where its secret was the signing secret', async () => {
  const { invisibleMark } = await openKeys({ signingSecret: first })
  expect(invisibleMark).toEqual(deriveMarkKey(first))
  expect((await openKeys({ markSecret: first })).invisibleMark).toEqual(deriveMarkKey(first))
})

test('an installation without settings keeps its secrets for its owner alone', async () => {
  const before = await openKeys({})
  expect(purposesThatChanged(before, await openKeys({}))).toEqual([])
  expect((await readdir(dataFolder)).toSorted()).toEqual([
    'digest-secret',
    'mark-key',
    'signing-secret',
  ])
  for (const name of await readdir(dataFolder)) {
    expect((await stat(join(dataFolder, name))).mode & 0o777).toBe(0o600)
  }
})

test('the operator’s own secret is written nowhere', async () => {
  await openKeys({ signingSecret: first })
  expect((await readdir(dataFolder)).toSorted()).toEqual(['digest-secret', 'mark-key'])
  for (const name of await readdir(dataFolder)) {
    expect(await readKeptSecret(dataFolder, name, randomBytes(32))).not.toContain(first)
  }
})

test('many processes that start at once get the same secret', async () => {
  const read = () => readKeptSecret(dataFolder, 'some-secret', randomBytes(32))
  const secrets = await Promise.all(Array.from({ length: 20 }, read))
  expect(new Set(secrets).size).toBe(1)
  expect(await readdir(dataFolder)).toEqual(['some-secret'])
})

test('a damaged secret is reported, not replaced', async () => {
  await writeFile(join(dataFolder, 'signing-secret'), 'half of a sec')
  await expect(openKeys({})).rejects.toThrow(/signing-secret is damaged/)
})

test('a folder that keeps nothing is told of, and the secrets follow from the signing secret', async () => {
  const usual = await openKeys({ signingSecret: first })
  const file = join(dataFolder, 'no folder')
  await writeFile(file, '')
  await chmod(file, 0o400)
  warnings.length = 0
  const keys = await openKeys({ signingSecret: first }, file)
  expect(purposesThatChanged(usual, keys)).toEqual([])
  expect(warnings).toEqual([
    "DIGEST_SECRET is not set, and the data folder can't keep digest-secret",
    "MARK_SECRET is not set, and the data folder can't keep mark-key",
  ])
})

test('a digest needs the key and the text', () => {
  const digest = createKeyedDigest(Buffer.alloc(32, 1))
  expect(digest('203.0.113.7')).toEqual(digest('203.0.113.7'))
  expect(digest('203.0.113.7')).not.toEqual(digest('203.0.113.8'))
  expect(digest('203.0.113.7')).not.toEqual(createKeyedDigest(Buffer.alloc(32, 2))('203.0.113.7'))
})

test('what is sealed is opened with its key for whom it is, unchanged, and tells nothing', () => {
  const [key, other] = [randomBytes(32), randomBytes(32)]
  const content = Buffer.from('what nobody reads')
  const sealed = seal(content, { key, subject: 'one', randomBytes })
  expect(sealed).toHaveLength(content.length + 12 + 16)
  expect(sealed.includes(content)).toBe(false)
  expect(seal(content, { key, subject: 'one', randomBytes }).equals(sealed)).toBe(false)
  expect(unseal(sealed, { key, subject: 'one' })).toEqual(content)
  const empty = seal(Buffer.alloc(0), { key, subject: 'one', randomBytes })
  expect(unseal(empty, { key, subject: 'one' })).toEqual(Buffer.alloc(0))
  const wrong = [
    unseal(sealed, { key: other, subject: 'one' }),
    unseal(sealed, { key, subject: 'two' }),
    unseal(sealed.subarray(0, -1), { key, subject: 'one' }),
    unseal(Buffer.alloc(27), { key, subject: 'one' }),
    ...[0, 12, sealed.length - 1].map((at) => {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      return unseal(changed, { key, subject: 'one' })
    }),
  ]
  expect(wrong).toEqual(wrong.map(() => undefined))
})
