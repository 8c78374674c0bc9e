import { makeC2paCredentials } from '@starside/provenance/testing/make-c2pa-credentials.ts'
import { makeStampAuthority } from '@starside/provenance/testing/make-stamp-authority.ts'
import { readByReference } from '@starside/provenance/testing/read-by-reference.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { embedMark } from '@starside/provenance/invisible-mark.ts'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { deriveMarkKey } from '../../platform/secrets/keys.ts'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'
import { readProvenanceSettings } from './provenance-settings.ts'

/*
 * Verification with the real engine: its compositor makes the picture, its own process marks it.
 */

const secret = 'a secret that only this test knows, of some length'
const { safety, publicHost } = readConfig({ NODE_ENV: 'test' })
const settingsWith = (c2pa: typeof safety.c2pa) => ({ publicHost, safety: { ...safety, c2pa } })
const fromElsewhere = { status: 200, body: { verdict: 'unknown', recognisedBy: [], madeOn: null } }

let app: TestApp
/** Of somebody who is signed in by `token`. */
let made: Selfie
beforeAll(async () => {
  app = await openTestApp({ realEngine: true, settings: { MARK_SECRET: secret } })
  made = await makeSelfie(app)
})
afterAll(() => app[Symbol.asyncDispose]())

interface Selfie {
  token: string
  createdAt: string
  imageUrl: string
  downloadUrl: string
  thumbnailUrl: string
  generationId: string
  variations: Record<string, unknown>[]
}

async function makeSelfie(program: TestApp): Promise<Selfie> {
  const { token } = await program.register()
  const { status, body } = await program.call('/api/ai?action=generate', {
    token,
    form: await generateForm({ userPhoto: await readPersonPhoto() }),
  })
  expect(status).toBe(200)
  return { token, ...body.generation }
}

async function verify(picture: Uint8Array, field = 'picture') {
  const form = new FormData()
  form.set(field, new Blob([Uint8Array.from(picture)]), 'picture')
  return app.call('/api/verify', { form })
}
const fetchPicture = async (url: string): Promise<Buffer> => (await app.call(url)).body

describe('a picture made here', () => {
  test('is recognised by mark, looks and metadata as it was downloaded', async () => {
    for (const url of [made.imageUrl, made.downloadUrl]) {
      const { body } = await verify(await fetchPicture(url))
      expect(body).toEqual({
        success: true,
        verdict: 'made_here',
        recognisedBy: ['mark', 'fingerprint', 'metadata'],
        madeOn: made.createdAt.slice(0, 10),
        removed: false,
        metadata: {
          digitalSourceType:
            'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
          system: 'Starside',
          systemVersion: expect.any(String),
          contentCredentials: true,
        },
      })
    }
  })

  test('is recognised by its mark when everything else was taken off', async () => {
    const jpeg = await fetchPicture(made.imageUrl)
    const { width } = await sharp(jpeg).metadata()
    const copies = [
      sharp(jpeg).jpeg({ quality: 60 }),
      sharp(jpeg)
        .resize(Math.round(width / 2))
        .jpeg({ quality: 80 }),
      sharp(jpeg).webp({ quality: 80 }),
    ]
    for (const copy of copies) {
      const { body } = await verify(await copy.toBuffer())
      expect(body).toMatchObject({ verdict: 'made_here', metadata: { system: null } })
      expect(body.recognisedBy).toEqual(['mark', 'fingerprint'])
    }
  })

  test('is recognised by its looks where the mark is gone', async () => {
    const small = sharp(await fetchPicture(made.imageUrl))
      .resize(320)
      .greyscale()
      .jpeg({ quality: 30 })
    const { body } = await verify(await small.toBuffer())
    expect(body.verdict).toBe('made_here')
    expect(body.recognisedBy).toContain('fingerprint')
  })

  test('is recognised by its mark after its owner has deleted the account', async () => {
    const person = { email: 'leaver@example.test', password: 'correct horse', username: 'Leaver' }
    const { body } = await app.call('/api/auth?action=register', { json: person })
    const answer = await app.call('/api/ai?action=generate', {
      token: body.token,
      form: await generateForm({ presetId: 'mina-asakuri' }),
    })
    const picture = await fetchPicture(answer.body.generation.imageUrl)
    await app.call('/api/user?action=delete-account', {
      token: body.token,
      json: { password: person.password },
    })
    expect((await verify(picture)).body).toMatchObject({
      verdict: 'made_here',
      recognisedBy: ['mark', 'metadata'],
      madeOn: null,
    })
  })

  test('carries XMP that exiftool reads, where that is installed', async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'starside-xmp-'))
    try {
      for (const [name, url] of [
        ['picture.jpg', made.imageUrl],
        ['picture.png', made.downloadUrl],
        ['thumbnail.jpg', made.thumbnailUrl],
      ] as const) {
        await writeFile(join(folder, name), await fetchPicture(url))
        const read = spawnSync('exiftool', [
          '-s3',
          '-XMP-iptcExt:DigitalSourceType',
          join(folder, name),
        ])
        if (read.error !== undefined) skip('exiftool is not installed')
        expect(read.stdout.toString()).toContain('omposite')
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a picture from elsewhere', () => {
  test('is unknown', async () => {
    expect(await verify(await readPersonPhoto('mina-asakuri'))).toMatchObject(fromElsewhere)
  })

  test('that claims to be from here is not believed', async () => {
    const xmp = (await sharp(await fetchPicture(made.imageUrl)).metadata()).xmp?.toString() ?? ''
    const forged = await sharp(await readPersonPhoto('mina-asakuri'))
      .withXmp(xmp)
      .jpeg()
      .toBuffer()
    expect((await verify(forged)).body).toMatchObject({
      verdict: 'claims_to_be',
      recognisedBy: ['metadata'],
    })
  })

  test('marked with another key is unknown, with ours it is known', async () => {
    const { data, info } = await sharp(await readPersonPhoto('henrik-solmark'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const picture = { pixels: data, widthPx: info.width, heightPx: info.height }
    const verifyMarkedBy = async (markSecret: string) => {
      const { markKey } = await readProvenanceSettings(
        settingsWith(undefined),
        deriveMarkKey(markSecret),
      )
      const mark = { id: '0123456789abcdef', key: markKey ?? new Uint8Array() }
      const marked = await embedMark(picture, mark, (copy) => Promise.resolve(copy))
      const { widthPx: width, heightPx: height } = marked
      const raw = { raw: { width, height, channels: 3 as const } }
      const { body } = await verify(await sharp(marked.pixels, raw).jpeg().toBuffer())
      return body
    }
    expect(await verifyMarkedBy('another secret of another installation')).toMatchObject({
      verdict: 'unknown',
      recognisedBy: [],
    })
    expect(await verifyMarkedBy(secret)).toMatchObject({
      verdict: 'made_here',
      recognisedBy: ['mark'],
      madeOn: null,
    })
  })
})

describe('bad uploads to the verification', () => {
  test.for([
    ['text', Buffer.from('hello'), 415, 'photo_format'],
    ['nothing', Buffer.alloc(0), 400, 'photo_empty'],
    ['too much', Buffer.alloc(15 * 1024 * 1024 + 1), 413, 'photo_too_large'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 415, 'photo_format'],
  ] as const)('%s', async ([, bytes, status, code]) => {
    expect(await verify(bytes)).toMatchObject({ status, body: { code } })
  })

  test('a field of another name, and no form at all', async () => {
    expect((await verify(await readPersonPhoto(), 'file')).body.code).toBe('invalid_request')
    expect((await app.call('/api/verify', { json: {} })).body.code).toBe('unsupported_media_type')
  })
})

test('the addresses of one IPv6 customer wait as one caller, who is refused the sixth picture', async () => {
  await using shop = await openTestApp({ worker: false, settings: { TRUST_PROXY: '1' } })
  const examined = Promise.withResolvers<never>()
  vi.spyOn(shop.context.engine, 'examine').mockReturnValue(examined.promise)
  const answers = ['1', '2', '3', '4', '5', '6'].map((host) => {
    const form = new FormData()
    form.set('picture', new Blob(['a picture']), 'picture')
    const headers = { 'x-forwarded-for': `2001:db8:55:1::${host}` }
    return shop.call('/api/verify', { form, headers })
  })
  const first = await Promise.race(answers)
  examined.reject(new PhotoError('photo_format'))
  expect(first).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 415)).toHaveLength(5)
})

/** Shares a selfie, and fetches every file that leaves: shown, small, downloaded, shared, card. */
async function walk(
  program: TestApp,
  { token, generationId, imageUrl, downloadUrl, thumbnailUrl, variations }: Selfie,
): Promise<{ mediaType: string; file: Buffer; path: string }[]> {
  const shared = await program.call(`/api/generations/${generationId}/share`, {
    method: 'POST',
    token,
  })
  const shareId = new URL(shared.body.generation.shareUrl).searchParams.get('selfie')
  const small = variations
    .flatMap((each) => Object.values(each))
    .filter((value) => typeof value === 'string' && value.startsWith('/api/pictures/'))
    .map(String)
  const paths: string[] = [
    imageUrl,
    downloadUrl,
    thumbnailUrl,
    ...small,
    `/api/shares/${shareId}/picture.jpg`,
    `/api/shares/${shareId}/card.jpg`,
  ]
  expect(small.length).toBeGreaterThan(3)
  const files = []
  for (const path of paths) {
    const answer = await program.call(path)
    expect(answer.status, path).toBe(200)
    files.push({ path, mediaType: answer.headers.get('content-type') ?? '', file: answer.body })
  }
  return files
}

describe('every file that leaves', () => {
  test('is valid, not trusted, to the reference reader of C2PA where nothing is set', async () => {
    for (const { path, mediaType, file } of await walk(app, made)) {
      expect(await readByReference(mediaType, file), path).toMatchObject({
        state: 'Valid',
        failures: path.includes('picture.png')
          ? ['signingCredential.untrusted', 'signingCredential.untrusted']
          : ['signingCredential.untrusted'],
        actions: expect.arrayContaining([
          expect.objectContaining({ action: 'c2pa.created', when: expect.any(String) }),
        ]),
      })
    }
  })

  test('is trusted where an operator has set a certificate, and bears the time of an authority', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'starside-c2pa-'))
    const authority = await makeStampAuthority()
    const stamps = createServer((request, response) => {
      void buffer(request)
        .then(authority)
        .then((answer) => response.end(answer))
    })
    // However long a slow machine takes, the authority is waited for, and its connections stay.
    stamps.keepAliveTimeout = 0
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
    await new Promise<void>((resolve) => stamps.listen(0, '127.0.0.1', resolve))
    try {
      const credentials = await makeC2paCredentials()
      const certificateFile = join(folder, 'chain.pem')
      const keyFile = join(folder, 'key.pem')
      await writeFile(certificateFile, credentials.certificateChainPem)
      await writeFile(keyFile, credentials.privateKeyPem)
      const { port } = stamps.address() as AddressInfo
      await using signing = await openTestApp({
        realEngine: true,
        settings: {
          C2PA_CERTIFICATE_FILE: certificateFile,
          C2PA_KEY_FILE: keyFile,
          C2PA_TIME_STAMP_URL: `http://127.0.0.1:${port}/tsr`,
        },
      })
      for (const { path, mediaType, file } of await walk(signing, await makeSelfie(signing))) {
        const reading = await readByReference(mediaType, file, credentials.selfSignedPem)
        expect(reading, path).toMatchObject({ state: 'Trusted', signedAt: expect.any(String) })
      }
    } finally {
      limit.mockRestore()
      stamps.closeAllConnections()
      stamps.close()
      await rm(folder, { recursive: true })
    }
  })
})

test('a certificate that cannot be used stops the start with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-c2pa-'))
  try {
    const certificateFile = join(folder, 'certificate.pem')
    await writeFile(certificateFile, 'no certificate')
    const wrong = settingsWith({ certificateFile, keyFile: certificateFile })
    await expect(readProvenanceSettings(wrong, Buffer.alloc(32))).rejects.toThrow(/^C2PA: /)
    const missing = settingsWith({ certificateFile, keyFile: join(folder, 'none') })
    await expect(readProvenanceSettings(missing, Buffer.alloc(32))).rejects.toThrow(
      /^C2PA_KEY_FILE can't be read/,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
