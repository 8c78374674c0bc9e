import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset'
import { CBORBox, SuperBox } from '@trustnxt/c2pa-ts/jumbf'
import { Integer, OctetString } from 'asn1js'
import { AlgorithmIdentifier, MessageImprint, TimeStampReq } from 'pkijs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { c2paFingerprint, createC2paSigner, readC2pa } from './c2pa.ts'
import type { C2paCredentials } from './c2pa.ts'
import { stampProvider } from './time-stamp.ts'
import { makeOwnCredentials } from './own-credentials.ts'
import { makeC2paCredentials } from './testing/make-c2pa-credentials.ts'
import { makeStampAuthority } from './testing/make-stamp-authority.ts'
import { readByReference } from './testing/read-by-reference.ts'
import { encodePicture } from '@starside/engine/finish/encode.ts'
import { digitalSourceType, provenanceXmp } from './provenance.ts'

/** A box as JUMBF has it (ISO/IEC 19566-5). */
function boxOf(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4)
  return Buffer.concat([head, content])
}
const description = Buffer.from(
  '6332706100110010800000aa00389b710363327061 00'.replaceAll(' ', ''),
  'hex',
)
const wrap = (content: Uint8Array) =>
  boxOf('jumb', Buffer.concat([boxOf('jumd', description), content]))

const about = { systemVersion: '1.2.3', isMarked: false }
const algorithms: Record<string, NonNullable<Parameters<typeof makeC2paCredentials>[0]>> = {
  'EC P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'EC P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  RSA: {
    name: 'RSA-PSS',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
  Ed25519: { name: 'Ed25519' },
}

let credentials: C2paCredentials & { selfSignedPem: string }
const files: Record<string, Uint8Array> = {}
beforeAll(async () => {
  credentials = await makeC2paCredentials()
  const { data, info } = await sharp(
    fileURLToPath(new URL('../../engine/fixtures/user-1.jpg', import.meta.url)),
  )
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = { pixels: data, widthPx: info.width, heightPx: info.height }
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    files[format] = await encodePicture(picture, provenanceXmp({ version: '1.2.3' }), format)
  }
})

describe('signing', () => {
  test.each(['jpeg', 'png'])(
    'a %s is intact, says who signed it and looks the same',
    async (format) => {
      const signed = await createC2paSigner(credentials).sign(files[format]!, about)
      expect(await readC2pa(signed)).toEqual({
        isIntact: true,
        failures: [],
        signerName: 'CN=Test Signer, O=Starside',
        signerFingerprint: c2paFingerprint(credentials),
      })
      const [before, after] = await Promise.all(
        [files[format]!, signed].map((file) => sharp(file).raw().toBuffer()),
      )
      expect(after!.equals(before!)).toBe(true)
      expect((await sharp(signed).metadata()).xmp?.toString()).toContain(digitalSourceType)
      expect(signed.length - files[format]!.length).toBeLessThan(6_000)
    },
  )

  test.each(Object.entries(algorithms))('works with %s keys', async (_name, algorithm) => {
    const own = await makeC2paCredentials(algorithm)
    const signed = await createC2paSigner(own).sign(files['jpeg']!, about)
    expect(await readC2pa(signed)).toMatchObject({ isIntact: true })
  })

  test('tells apart what was signed before and after the mark', async () => {
    const signer = createC2paSigner(credentials)
    const marked = await signer.sign(files['jpeg']!, { ...about, isMarked: true })
    const plain = await signer.sign(files['jpeg']!, about)
    expect(Buffer.from(marked).includes('c2pa.watermarked')).toBe(true)
    expect(Buffer.from(plain).includes('c2pa.watermarked')).toBe(false)
  })

  test('the claim names the installation', async () => {
    const signer = createC2paSigner(credentials)
    const signed = Buffer.from(
      await signer.sign(files['png']!, { ...about, systemName: 'Glitter' }),
    )
    const [named, unnamed] = ['Glitter', 'Starside'].map((name) =>
      signed.includes(`dname${String.fromCodePoint(0x60 + name.length)}${name}`),
    )
    expect([named, unnamed]).toEqual([true, false])
  })

  test('only JPEG and PNG can be signed', async () => {
    const signer = createC2paSigner(credentials)
    await expect(signer.sign(files['webp']!, about)).rejects.toThrow('Only JPEG and PNG')
  })
})

describe('reading', () => {
  test('a change of one byte of the picture is reported', async () => {
    for (const format of ['jpeg', 'png']) {
      const signed = await createC2paSigner(credentials).sign(files[format]!, about)
      const changed = Buffer.from(signed)
      changed[changed.length - 2_000]! ^= 1
      const reading = await readC2pa(changed)
      expect(reading?.isIntact).toBe(false)
      expect(reading?.failures).toContain('assertion.dataHash.mismatch')
    }
  })

  test('a changed claim is reported', async () => {
    const signed = Buffer.from(await createC2paSigner(credentials).sign(files['jpeg']!, about))
    const at = signed.indexOf('1.2.3', signed.indexOf('claim_generator_info'))
    signed.write('9', at)
    expect((await readC2pa(signed))?.failures).toContain('claimSignature.mismatch')
  })

  test.each(['jpeg', 'png'] as const)(
    'another picture in the room of the padding of a %s’s manifest is reported',
    async (format) => {
      const signed = await createC2paSigner(credentials).sign(files[format]!, about)
      const asset = format === 'jpeg' ? new JPEG(signed) : new PNG(signed)
      const { start, length } = asset.getHashExclusionRange()
      const manifest = withoutPadding(Buffer.from(asset.getManifestJUMBF()!))
      const red = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      const picture = await red.toFormat(format).toBuffer()
      const pieces =
        format === 'jpeg'
          ? [segment(0xeb, Buffer.from('4a50021100000001', 'hex'), manifest), picture.subarray(2)]
          : // Signature and header are the signed file's own, so only the rows are another's.
            [chunk('caBX', manifest), picture.subarray(33, -12)]
      const room = length - Buffer.concat(pieces).length
      const filling =
        format === 'jpeg'
          ? segment(0xfe, Buffer.alloc(room - 4))
          : chunk('teXt', Buffer.alloc(room - 12))
      const forged = Buffer.concat([
        signed.subarray(0, start),
        pieces[0]!,
        filling,
        pieces[1]!,
        signed.subarray(start + length),
      ])
      expect(await readC2pa(forged)).toMatchObject({
        isIntact: false,
        failures: ['assertion.dataHash.mismatch'],
        signerFingerprint: c2paFingerprint(credentials),
      })
      if (format === 'jpeg') expect(await sharp(forged).metadata()).toMatchObject({ width: 8 })
    },
  )

  test('forty bytes beside a manifest are as much too many', async () => {
    const signed = await createC2paSigner(credentials).sign(files['jpeg']!, about)
    const asset = new JPEG(signed)
    const { start, length } = asset.getHashExclusionRange()
    const manifest = withoutPadding(Buffer.from(asset.getManifestJUMBF()!), 40)
    const forged = Buffer.concat([
      signed.subarray(0, start),
      segment(0xeb, Buffer.from('4a50021100000001', 'hex'), manifest),
      segment(0xfe, Buffer.alloc(36)),
      signed.subarray(start + length),
    ])
    expect((await readC2pa(forged))?.failures).toEqual(['assertion.dataHash.mismatch'])
  })

  test('a manifest in several pieces is intact', async () => {
    const systemName = 'x'.repeat(200_000)
    for (const format of ['jpeg', 'png']) {
      const signer = createC2paSigner(credentials)
      const signed = await signer.sign(files[format]!, { ...about, systemName })
      expect(await readC2pa(signed)).toMatchObject({ isIntact: true, failures: [] })
    }
  })

  test('a manifest that is larger than any is not looked into', async () => {
    const systemName = 'x'.repeat(700_000)
    for (const format of ['jpeg', 'png']) {
      const signed = await createC2paSigner(credentials).sign(files[format]!, {
        ...about,
        systemName,
      })
      expect(await readC2pa(signed)).toEqual(unreadable)
    }
  })

  test('what a claim names again and again is not hashed once', async () => {
    const png = new PNG(await createC2paSigner(credentials).sign(files['png']!, about))
    const store = SuperBox.fromBuffer(new Uint8Array(png.getManifestJUMBF()!))
    const claim = boxesOf(store).find(
      (box) => box instanceof CBORBox && JSON.stringify(box.content).includes('created_assertions'),
    ) as CBORBox
    const { created_assertions: named, ...rest } = claim.content as { created_assertions: object[] }
    claim.content = { ...rest, created_assertions: [...named, named[0]] }
    claim.generateRawContent()
    for (const box of boxesOf(store)) if (box instanceof SuperBox) box.rawContent = undefined
    store.rawContent = undefined
    const manifest = store.toBuffer(false)
    await png.ensureManifestSpace(manifest.length)
    await png.writeManifestJUMBF(manifest)
    expect(await readC2pa(await png.getDataRange())).toEqual(unreadable)
  })

  test.each([
    ['deeper', (inner: Buffer) => Array(2_000).fill(0).reduce(wrap, inner)],
    ['more', (inner: Buffer) => wrap(Buffer.concat(Array<Buffer>(2_000).fill(inner)))],
  ])('boxes that are %s than any manifest’s are not looked into', async (_how, build) => {
    const png = new PNG(await createC2paSigner(credentials).sign(files['png']!, about))
    const manifest = new Uint8Array(build(boxOf('cbor', Buffer.of(0))))
    await png.ensureManifestSpace(manifest.length)
    await png.writeManifestJUMBF(manifest)
    const read = vi.spyOn(SuperBox, 'fromBuffer')
    expect(await readC2pa(await png.getDataRange())).toEqual(unreadable)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  test('a file without C2PA data has none, and rubbish in its place is not intact', async () => {
    for (const file of Object.values(files)) expect(await readC2pa(file)).toBeUndefined()
    expect(await readC2pa(Buffer.from('no picture'))).toBeUndefined()
    const signed = Buffer.from(await createC2paSigner(credentials).sign(files['png']!, about))
    const at = signed.indexOf('caBX') + 4
    signed.fill(0x41, at + 8, at + 900)
    expect(await readC2pa(signed)).toMatchObject({ isIntact: false })
  })
})

describe('credentials that can’t be used are told', () => {
  test.each<[string, (good: typeof credentials) => C2paCredentials]>([
    ['holds no certificate', (good) => ({ ...good, certificateChainPem: 'nothing' })],
    ['can’t be read', (good) => ({ ...good, privateKeyPem: 'nothing' })],
    [
      'does not belong to the first certificate',
      (good) => ({
        ...good,
        privateKeyPem: generateKeyPairSync('ed25519')
          .privateKey.export({ format: 'pem', type: 'pkcs8' })
          .toString(),
      }),
    ],
  ])('%s', (sentence, spoil) => {
    expect(() => createC2paSigner(spoil(credentials))).toThrow(sentence)
  })

  test('a key of a kind that no reader agrees on', async () => {
    const own = await makeC2paCredentials({ name: 'ECDSA', namedCurve: 'P-521' })
    expect(() => createC2paSigner(own)).toThrow('must be EC P-256 or P-384, RSA or Ed25519')
  })

  test('a message never quotes the key', () => {
    const secret = 'MC4CAQAwBQYDK2VwBCIEIsecretsecret'
    const spoiled = { ...credentials, privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${secret}` }
    try {
      createC2paSigner(spoiled)
      expect.unreachable()
    } catch (error) {
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret)
    }
  })
})

describe('the reference implementation (c2pa-rs), which shares no code with ours,', () => {
  const marked = { ...about, isMarked: true }

  test.each(Object.entries(algorithms))('trusts what %s keys sign', async (_name, algorithm) => {
    const own = await makeC2paCredentials(algorithm)
    const signed = await createC2paSigner(own).sign(files['jpeg']!, marked)
    expect(await readByReference('image/jpeg', signed, own.selfSignedPem)).toEqual({
      state: 'Trusted',
      failures: [],
      actions: [
        expect.objectContaining({
          action: 'c2pa.created',
          digitalSourceType,
          softwareAgent: expect.objectContaining({ name: 'Starside', version: '1.2.3' }),
        }),
        expect.objectContaining({ action: 'c2pa.watermarked.unbound' }),
      ],
      ingredients: [],
      signedAt: undefined,
    })
  })

  test('reads when each action was done', async () => {
    const now = () => new Date('2026-11-24T10:00:00Z')
    const signed = await createC2paSigner(credentials, { now }).sign(files['jpeg']!, marked)
    const { actions } = await readByReference('image/jpeg', signed)
    expect(actions.map(({ when }) => when)).toEqual(Array(2).fill('2026-11-24T10:00:00.000Z'))
    // As a date and not as text alone (RFC 8949, section 3.4.1).
    const date = Buffer.concat([Buffer.from('c07818', 'hex'), Buffer.from(now().toISOString())])
    expect(Buffer.from(signed).indexOf(date)).not.toBe(Buffer.from(signed).lastIndexOf(date))
  })

  test('finds what our own certificate signs valid, not trusted, the same at every start', async () => {
    const secret = Buffer.alloc(32, 7)
    const [own, again, other] = [
      await makeOwnCredentials(secret, 'selfie.example'),
      await makeOwnCredentials(secret, 'selfie.example'),
      await makeOwnCredentials(Buffer.alloc(32, 8), 'selfie.example'),
    ]
    expect(again).toEqual(own)
    expect(c2paFingerprint(other)).not.toBe(c2paFingerprint(own))
    const certificate = new X509Certificate(own.certificateChainPem)
    expect(certificate.verify(certificate.publicKey), 'issued by its own key').toBe(false)
    for (const format of ['jpeg', 'png']) {
      const signed = await createC2paSigner(own).sign(files[format]!, marked)
      const { raw: issuer } = new X509Certificate(
        own.certificateChainPem.split(/(?<=END CERTIFICATE-----)/)[1]!,
      )
      expect(Buffer.from(signed).includes(issuer), 'who issued it').toBe(true)
      expect(
        await readByReference(`image/${format}`, signed, credentials.selfSignedPem),
      ).toMatchObject({ state: 'Valid', failures: ['signingCredential.untrusted'] })
      expect((await readC2pa(signed))?.signerName).toContain('CN=selfie.example')
    }
  })

  test('reads a vendor’s own manifest as ingredient, through every further file', async () => {
    const vendor = createC2paSigner(await makeC2paCredentials())
    const source = await vendor.sign(files['png']!, { ...about, systemName: 'A vendor' })
    const signer = createC2paSigner(credentials)
    const jpeg = await signer.sign(files['jpeg']!, { ...marked, source })
    const png = await signer.sign(files['png']!, { ...marked, source: jpeg })
    const [first, second] = [
      await readByReference('image/jpeg', jpeg, credentials.selfSignedPem),
      await readByReference('image/png', png, credentials.selfSignedPem),
    ]
    expect(first).toMatchObject({ state: 'Valid', ingredients: ['A vendor'] })
    // Whether a vendor is trusted wasn't looked up.
    expect(Buffer.from(jpeg).includes('signingCredential.')).toBe(false)
    expect(second).toMatchObject({ state: 'Valid', ingredients: ['A vendor', 'Starside'] })
  })

  test('is told what was wrong with the picture of a vendor', async () => {
    const source = await createC2paSigner(credentials).sign(files['png']!, about)
    source[source.length - 2_000]! ^= 1
    const signed = await createC2paSigner(credentials).sign(files['jpeg']!, { ...marked, source })
    expect(Buffer.from(signed).includes('assertion.dataHash.mismatch')).toBe(true)
  })

  test('finds nothing of a manifest that is damaged, or of a file without one', async () => {
    const source = Buffer.from(await createC2paSigner(credentials).sign(files['png']!, about))
    source.fill(0x41, source.indexOf('caBX') + 12, source.indexOf('caBX') + 900)
    for (const each of [source, files['webp']!, Buffer.from('no picture')]) {
      const signed = await createC2paSigner(credentials).sign(files['jpeg']!, {
        ...marked,
        source: each,
      })
      expect(await readByReference('image/jpeg', signed, credentials.selfSignedPem)).toMatchObject({
        state: 'Trusted',
        ingredients: [],
      })
    }
  })

  test('trusts a PNG, and not one of somebody else’s authority', async () => {
    const signed = await createC2paSigner(credentials).sign(files['png']!, marked)
    const read = async (anchors: string) => readByReference('image/png', signed, anchors)
    expect((await read(credentials.selfSignedPem)).state).toBe('Trusted')
    const { selfSignedPem } = await makeC2paCredentials()
    expect(await read(selfSignedPem)).toMatchObject({
      state: 'Valid',
      failures: ['signingCredential.untrusted'],
    })
  })

  test('sees a change of one byte', async () => {
    const signed = Buffer.from(await createC2paSigner(credentials).sign(files['jpeg']!, marked))
    signed[signed.length - 2_000]! ^= 1
    expect(await readByReference('image/jpeg', signed, credentials.selfSignedPem)).toMatchObject({
      state: 'Invalid',
      failures: ['assertion.dataHash.mismatch'],
    })
  })
})

/** What an authority is asked where the library has drawn such a nonce. */
async function askedFor(nonce: Uint8Array): Promise<Uint8Array<ArrayBuffer>[]> {
  const asked: Uint8Array<ArrayBuffer>[] = []
  const provider = stampProvider(async (request) => void asked.push(Uint8Array.from(request)))
  const hashedMessage = new OctetString({ valueHex: new Uint8Array(32) })
  const hashAlgorithm = new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1' })
  await provider.getSignedTimestamp(
    new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({ hashAlgorithm, hashedMessage }),
      nonce: new Integer({ valueHex: nonce }),
    }),
  )
  return asked
}

describe('a time-stamp', () => {
  test('is read by the reference implementation', async () => {
    const askStamp = await makeStampAuthority()
    const signed = await createC2paSigner(credentials, { askStamp }).sign(files['jpeg']!, about)
    const reading = await readByReference('image/jpeg', signed, credentials.selfSignedPem)
    expect(reading.state).toBe('Trusted')
    expect(Math.abs(Date.parse(reading.signedAt ?? '') - Date.now())).toBeLessThan(600_000)
  })

  test.each([
    [0x00, 0x41],
    [0xff, 0xac],
    [0x12, 0x34],
  ])(
    'is asked for with an integer as DER writes it, whatever is drawn: %i %i',
    async (...drawn) => {
      const [request] = await askedFor(Uint8Array.from([...drawn, 0x56]))
      const bytes = new Uint8Array(TimeStampReq.fromBER(request!).nonce!.valueBlock.valueHexView)
      expect([...bytes]).toEqual([
        expect.toSatisfy((first) => first > 0 && first < 0x80),
        drawn[1],
        0x56,
      ])
    },
  )

  test.each<[string, () => Promise<Uint8Array | undefined>]>([
    ['no answer', async () => undefined],
    ['nothing', async () => new Uint8Array()],
    ['a page', async () => Buffer.from('<!doctype html>')],
    ['a failure', () => Promise.reject(new Error('reset'))],
    ['too much', async () => Buffer.alloc(100_000, 0x30)],
    [
      'a stamp of something else',
      async () => {
        const authority = await makeStampAuthority()
        let kept: Uint8Array | undefined
        const askStamp = async (request: Uint8Array) => (kept = await authority(request))
        await createC2paSigner(credentials, { askStamp }).sign(files['png']!, about)
        return kept
      },
    ],
  ])('that is %s leaves the picture signed without one', async (_name, askStamp) => {
    const signed = await createC2paSigner(credentials, { askStamp }).sign(files['jpeg']!, about)
    expect(await readByReference('image/jpeg', signed, credentials.selfSignedPem)).toMatchObject({
      state: 'Trusted',
      failures: [],
      signedAt: undefined,
    })
    const plain = await createC2paSigner(credentials).sign(files['jpeg']!, about)
    expect(Math.abs(signed.length - plain.length), 'no room for a stamp is kept').toBeLessThan(100)
  })
})

const unreadable = {
  isIntact: false,
  failures: ['claim.cbor.invalid'],
  signerName: undefined,
  signerFingerprint: undefined,
}

/** All boxes within a box. */
function boxesOf(box: SuperBox): SuperBox['contentBoxes'] {
  return box.contentBoxes.flatMap((each) => [
    each,
    ...(each instanceof SuperBox ? boxesOf(each) : []),
  ])
}

/** A manifest whose signature has lost zeros beside it, by default all, which nothing signs. */
function withoutPadding(jumbf: Buffer, lostBytes?: number): Buffer {
  const at = jumbf.lastIndexOf('cpad') + 4
  // CBOR's head of a byte string of 256 bytes or more, then that of an empty one (RFC 8949, section 3.1).
  const paddingBytes = jumbf.readUInt16BE(at + 1)
  const head = Buffer.from([0x59, 0, 0])
  if (lostBytes !== undefined) head.writeUInt16BE(paddingBytes - lostBytes, 1)
  const bytes = lostBytes ?? 2 + paddingBytes
  const shorter = Buffer.concat([
    jumbf.subarray(0, at),
    lostBytes === undefined ? Buffer.from([0x40]) : head,
    jumbf.subarray(at + 3 + (lostBytes ?? paddingBytes)),
  ])
  const shortenBoxes = (from: number, to: number): void => {
    for (let box = from; box < to; box += jumbf.readUInt32BE(box)) {
      const end = box + jumbf.readUInt32BE(box)
      if (at < box || at >= end) continue
      shorter.writeUInt32BE(end - box - bytes, box)
      if (jumbf.toString('latin1', box + 4, box + 8) === 'jumb') shortenBoxes(box + 8, end)
    }
  }
  shortenBoxes(0, jumbf.length)
  return shorter
}

/** A JPEG's segment. */
function segment(marker: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** A PNG's chunk. */
function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

const hasExiftool = (() => {
  try {
    execFileSync('exiftool', ['-ver'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasExiftool)('an independent reader (exiftool) reads the claim', async () => {
  const signed = await createC2paSigner(credentials).sign(files['jpeg']!, about)
  const fields = ['-JUMBF:ActionsAction', '-JUMBF:ActionsDigitalSourceType']
  const output = execFileSync('exiftool', ['-s3', ...fields, '-'], { input: signed }).toString()
  expect(output.trim().split('\n')).toEqual(['c2pa.created', digitalSourceType])
})
