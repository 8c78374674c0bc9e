import { X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { expect, test, vi } from 'vitest'
import { readManifests } from './c2pa-manifest.ts'
import { c2paFingerprint, createC2paSigner } from './c2pa.ts'
import { openProvenance } from './open-provenance.ts'
import { makeOwnCredentials } from './own-credentials.ts'
import { insertPngXmp, provenanceXmp } from './provenance.ts'
import { readXmpProvenance } from './read-xmp.ts'
import { makeC2paCredentials } from './testing/make-c2pa-credentials.ts'
import { stampProvider } from './time-stamp.ts'

const key = (length: number) => new Uint8Array(length).fill(7)

test('the key of the mark needs sixteen bytes, and files stay unsigned without host or key', async () => {
  await expect(openProvenance({ markKey: key(15) })).rejects.toThrow('at least 16 bytes')
  const unsigned = { signer: undefined, ownFingerprint: undefined }
  expect(await openProvenance({ markKey: key(16) })).toEqual({ ...unsigned, markKey: key(16) })
  expect(await openProvenance({ ownHost: 'selfie.example' })).toEqual({
    ...unsigned,
    markKey: undefined,
  })
  expect(await openProvenance()).toEqual({ ...unsigned, markKey: undefined })
  const own = await openProvenance({ ownHost: 'selfie.example', markKey: key(16) })
  expect(own.signer).toBeDefined()
  expect(own.ownFingerprint).toMatch(/^[0-9a-f]{64}$/)
  const c2pa = await makeC2paCredentials()
  const bought = await openProvenance({ c2pa, ownHost: 'selfie.example', markKey: key(16) })
  expect(bought.ownFingerprint, 'the operator’s go first').toBe(c2paFingerprint(c2pa))
})

test.each([
  [true, 1],
  [false, 0],
])('an authority is asked for a stamp only where that is wished for: %s', async (wished, times) => {
  const ask = vi.fn(async () => undefined)
  const settings = { ownHost: 'selfie.example', markKey: key(16), hasTimeStamps: wished }
  const { signer } = await openProvenance(settings, ask)
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await signer?.sign(png, { systemVersion: '1', isMarked: false })
  expect(ask).toHaveBeenCalledTimes(times)
})

test('an authority without an answer gives no stamp', async () => {
  const request = { toSchema: () => ({ toBER: () => new ArrayBuffer(3) }) }
  const asked: Uint8Array[] = []
  const provider = stampProvider(async (bytes) => void asked.push(bytes))
  expect(await provider.getSignedTimestamp(request as never)).toBeUndefined()
  expect(asked).toEqual([new Uint8Array(3)])
})

test('a certificate of one’s own names its host, signs pictures only, and follows from all of the secret', async () => {
  const read = async (secret: Uint8Array, host = 'selfie.example') => {
    const { certificateChainPem, privateKeyPem } = await makeOwnCredentials(secret, host)
    const [signer = '', authority = ''] = certificateChainPem.split(
      /(?<=END CERTIFICATE-----\n)\n?/,
    )
    const chain = [new X509Certificate(signer), new X509Certificate(authority)] as const
    return { chain, privateKeyPem }
  }
  const { chain, privateKeyPem } = await read(key(32))
  const [own, authority] = chain
  expect([own.ca, authority.ca]).toEqual([false, true])
  expect(own.subject).toContain('CN=selfie.example\n')
  expect([own.checkIssued(authority), own.verify(authority.publicKey)]).toEqual([true, true])
  expect(own.keyUsage).toEqual(['1.3.6.1.5.5.7.3.4'])
  const limits = chain.map(({ raw }) => {
    const parsed = new ParsedCertificate(new Uint8Array(raw))
    const { ca } = parsed.getExtension(BasicConstraintsExtension) ?? {}
    return [ca, parsed.getExtension(KeyUsagesExtension)?.usages]
  })
  expect(limits).toEqual([
    [false, KeyUsageFlags.digitalSignature],
    [true, KeyUsageFlags.keyCertSign],
  ])
  const pem = (certificate: X509Certificate) =>
    certificate.publicKey.export({ format: 'pem', type: 'spki' })
  expect(pem(own), 'two keys').not.toBe(pem(authority))
  for (const certificate of chain) {
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.parse('2026-02-01'))
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.parse('2050-01-01'))
  }
  const again = await read(key(32))
  expect([again.privateKeyPem, again.chain[0].fingerprint256]).toEqual([
    privateKeyPem,
    own.fingerprint256,
  ])
  const another = key(32)
  another[31] = 8
  expect((await read(another)).privateKeyPem, 'the last byte counts').not.toBe(privateKeyPem)
})

test.each([
  ['an attribute', `Iptc4xmpExt:AISystemUsed="Starside"`, 'Starside'],
  ['one with blanks', `Iptc4xmpExt:AISystemUsed = ' Starside '`, 'Starside'],
  ['an element', `<Iptc4xmpExt:AISystemUsed>Star</Iptc4xmpExt:AISystemUsed>`, 'Star'],
  ['named characters', `Iptc4xmpExt:AISystemUsed="A &amp; B &lt;&gt;&apos;"`, `A & B <>'`],
  ['numbered ones', `Iptc4xmpExt:AISystemUsed="&#65;&#128512;"`, 'A😀'],
  ['none of that number', `Iptc4xmpExt:AISystemUsed="&#0;&#1114112;"`, '&#0;&#1114112;'],
  ['none of that name', `Iptc4xmpExt:AISystemUsed="&nbsp;"`, '&nbsp;'],
  ['more than a name has', `Iptc4xmpExt:AISystemUsed="${'x'.repeat(301)}"`, undefined],
  ['another namespace', `other:AISystemUsed="Starside"`, undefined],
])('XMP with %s: %s is read as %s', (_what, packet, name) => {
  expect(readXmpProvenance(packet).systemName).toBe(name)
})

test('of a packet no more is read than any needs', () => {
  const attribute = 'Iptc4xmpExt:AISystemUsed="Starside"'
  const packet = (before: number) => ' '.repeat(before) + attribute
  expect(readXmpProvenance(packet(199_900)).systemName).toBe('Starside')
  expect(readXmpProvenance(packet(200_000)).systemName).toBeUndefined()
})

test('what is written of a picture is read again, whatever its installation is called', () => {
  const name = `Ann & "Bo" <Selfies>'s`
  const packet = provenanceXmp({ name, version: '1.2.3 "<&>"' })
  expect(readXmpProvenance(packet)).toMatchObject({
    systemName: name,
    systemVersion: '1.2.3 "<&>"',
  })
  expect(provenanceXmp({ name: 'Glitter', version: '1.2.3' })).toContain(
    'xmp:CreatorTool="Glitter 1.2.3"',
  )
  expect(readXmpProvenance(provenanceXmp({ version: '1' })).systemName).toBe('Starside')
})

test('XMP stands in a PNG right behind its header, and all else after it', () => {
  const png = Uint8Array.from({ length: 60 }, (_, n) => n)
  const made = Buffer.from(insertPngXmp(png, '<x/>'))
  expect(made.subarray(0, 33)).toEqual(Buffer.from(png.subarray(0, 33)))
  const length = made.readUInt32BE(33)
  expect(made.subarray(37, 41).toString()).toBe('iTXt')
  expect(made.subarray(41, 41 + length).toString()).toBe('XML:com.adobe.xmp\0\0\0\0\0<x/>')
  expect(made.readUInt32BE(41 + length)).toBe(crc32(made.subarray(37, 41 + length)))
  expect(made.subarray(33 + 12 + length)).toEqual(Buffer.from(png.subarray(33)))
})

test('manifests larger than a vendor’s and ours together are not looked into', () => {
  expect(() => readManifests(new Uint8Array(640 * 1024 + 1))).toThrow('no manifest is as large')
  expect(() => readManifests(new Uint8Array(640 * 1024))).not.toThrow('no manifest is as large')
})

test.each([
  ['is self-signed', false, true],
  ['is one of an authority', true, false],
])('a signing certificate that %s can’t be used', async (sentence, isAuthority, isSelfSigned) => {
  const makeKeys = () => crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const [keys, issuerKeys] = await Promise.all([makeKeys(), makeKeys()])
  const usage = isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature
  const certificate = await X509CertificateGenerator.create({
    serialNumber: '01',
    subject: 'CN=Signer',
    issuer: isSelfSigned ? 'CN=Signer' : 'CN=Issuer',
    notBefore: new Date('2026-01-01'),
    notAfter: new Date('2056-01-01'),
    signingAlgorithm: { name: 'Ed25519' },
    publicKey: keys.publicKey,
    signingKey: (isSelfSigned ? keys : issuerKeys).privateKey,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      new KeyUsagesExtension(usage, true),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const head = 'PRIVATE KEY-----'
  const credentials = {
    certificateChainPem: certificate.toString('pem'),
    privateKeyPem: `-----BEGIN ${head}\n${pkcs8.toString('base64')}\n-----END ${head}\n`,
  }
  expect(() => createC2paSigner(credentials)).toThrow(sentence)
})
