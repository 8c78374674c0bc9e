import { constants, createPrivateKey, sign, X509Certificate as NodeCertificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { X509Certificate } from '@peculiar/x509'
import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset'
import type { Asset } from '@trustnxt/c2pa-ts/asset'
import { CoseAlgorithmIdentifier } from '@trustnxt/c2pa-ts/cose'
import type { Signer } from '@trustnxt/c2pa-ts/cose'
import { DataHashAssertion } from '@trustnxt/c2pa-ts/manifest'
import type { Manifest } from '@trustnxt/c2pa-ts/manifest'
import { composeManifest, readManifests } from './c2pa-manifest.ts'
import type { SignedPicture } from './c2pa-manifest.ts'
import { stampProvider } from './time-stamp.ts'
import type { AskStamp } from './time-stamp.ts'

/** The operator's credentials for signing, as text so that they can be handed to a process. */
export interface C2paCredentials {
  /**
   * PEM: the signing certificate first, then those that issued it. It must fit the C2PA profile:
   * not self-signed, key usage digitalSignature, an extended key usage such as emailProtection.
   */
  certificateChainPem: string
  /** PEM, PKCS #8: EC P-256 or P-384, RSA from 2048 bits, or Ed25519. */
  privateKeyPem: string
}

/** Signs finished pictures. What is signed may not be changed any more, metadata included. */
export interface C2paSigner {
  /** Gives a JPEG or PNG without C2PA data a manifest of how and when it was made (C2PA 2.1). */
  sign(file: Uint8Array, about: SignedPicture): Promise<Uint8Array>
}

/** What a file's C2PA data says. */
export interface C2paReading {
  /** The signature fits and nothing of the file was changed since. */
  isIntact: boolean
  /** What is wrong, in C2PA's status codes; empty when it is intact. */
  failures: string[]
  /** Subject of the signing certificate, as the file states it: anybody can make one. */
  signerName: string | undefined
  /** SHA-256 of the signing certificate (DER), hexadecimal, to compare with one's own. */
  signerFingerprint: string | undefined
}

/** Room for signatures of up to RSA 8192, and for a time-stamp with its certificates. */
const signaturePaddingBytes = 2048
const stampPaddingBytes = 12 * 1024

/**
 * Reads the operator's credentials once and for all.
 * @param options.askStamp asks a time-stamping authority; where it has no sound answer, pictures are
 *   signed without one
 * @throws Error with a sentence for the operator when they can't be used
 */
export function createC2paSigner(
  credentials: C2paCredentials,
  { now = () => new Date(), askStamp }: { now?: () => Date; askStamp?: AskStamp | undefined } = {},
): C2paSigner {
  const { key, chain } = readCredentials(credentials)
  const [certificate, ...issuers] = chain.map(({ raw }) => new X509Certificate(Buffer.from(raw)))
  const signer: Signer = {
    algorithm: algorithmOf(key),
    certificate: certificate!,
    chainCertificates: issuers,
    sign: async (payload) => signForCose(payload, key),
  }

  async function signOnce(file: Uint8Array, about: SignedPicture, ask?: AskStamp) {
    const asset = openAsset(file)
    if (asset === undefined) throw new TypeError('Only JPEG and PNG can be signed.')
    const dataHash = DataHashAssertion.create('SHA-256')
    const { store, manifest } = await composeManifest(signer, asset, {
      about,
      when: now(),
      signaturePaddingBytes: ask === undefined ? signaturePaddingBytes : stampPaddingBytes,
      open: openAsset,
    })
    manifest.addAssertion(dataHash)
    // Space first, then the hash around it, then the signature over the hash.
    await asset.ensureManifestSpace(store.measureSize())
    await dataHash.updateWithAsset(asset)
    await manifest.sign(signer, ask && stampProvider(ask))
    await asset.writeManifestJUMBF(store.getBytes())
    return await asset.getDataRange()
  }

  return {
    async sign(file, about) {
      if (askStamp === undefined) return await signOnce(file, about)
      const stamped = await signOnce(file, about, askStamp).catch(() => undefined)
      if (stamped !== undefined && (await hasSoundStamp(stamped))) return stamped
      return await signOnce(file, about)
    },
  }
}

/** Whether a time-stamp is there and fits, as every reader will look. */
async function hasSoundStamp(file: Uint8Array): Promise<boolean> {
  const asset = openAsset(file)!
  const store = readManifests(asset.getManifestJUMBF()!)
  const { statusEntries } = await store.validate(asset)
  const about = statusEntries.filter(({ code }) => code.startsWith('timeStamp.'))
  return about.length > 0 && about.every(({ success }) => success)
}

/** A signature as COSE has it (RFC 9053, section 2): r and s side by side; readers refuse DER. */
function signForCose(payload: Uint8Array, key: KeyObject): Uint8Array {
  if (key.asymmetricKeyType === 'ed25519') return sign(null, payload, key)
  if (key.asymmetricKeyType === 'rsa') {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return sign('sha256', payload, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST })
  }
  const hash = key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'sha384' : 'sha256'
  return sign(hash, payload, { key, dsaEncoding: 'ieee-p1363' })
}

/** SHA-256 of the signing certificate, as `C2paReading.signerFingerprint` has it. */
export function c2paFingerprint(credentials: C2paCredentials): string {
  return fingerprintOf(readCredentials(credentials).chain[0]!)
}

/**
 * Reads and checks the C2PA data of a file. Whether its signer is to be trusted is not looked up:
 * compare the fingerprint.
 * @param file untrusted bytes
 * @returns undefined when there is none
 */
export async function readC2pa(file: Uint8Array): Promise<C2paReading | undefined> {
  try {
    const asset = openAsset(file)
    const jumbf = asset?.getManifestJUMBF()
    if (asset === undefined || jumbf === undefined) return undefined
    const store = readManifests(jumbf)
    const active = store.getActiveManifest()
    const result = await store.validate(asset)
    const wrong = result.statusEntries.filter(({ success }) => !success)
    const failures: string[] = wrong.map(({ code }) => code)
    if (leavesRoom(active, jumbf)) failures.push('assertion.dataHash.mismatch')
    const signed = active?.signature?.signatureData.certificate
    const certificate = signed && new NodeCertificate(Buffer.from(signed.rawData))
    return {
      isIntact: result.isValid && failures.length === 0,
      failures,
      signerName: certificate?.subject.replaceAll('\n', ', '),
      signerFingerprint: certificate && fingerprintOf(certificate),
    }
  } catch {
    // Broken or hostile data is as good as damaged data.
    const failures = ['claim.cbor.invalid']
    return { isIntact: false, failures, signerName: undefined, signerFingerprint: undefined }
  }
}

/** What a container puts around a manifest: length, type and check sum, or marker, length and number. */
const overheadBytes = 12
/** A JPEG takes a manifest in pieces of so many bytes, of which each but the first has more around it. */
const furtherPiece = { manifestBytes: 65_515, overheadBytes: 20 }

/**
 * Whether the hash leaves out more of the file than its manifest: beside one whose padding was taken away is
 * room for another picture, which would stand under the signature (C2PA 2.1, section 15.12.1).
 */
function leavesRoom(manifest: Manifest | undefined, jumbf: Uint8Array): boolean {
  const bindings = manifest?.assertions?.getHardBindings() ?? []
  const leftOutBytes = bindings
    .flatMap((binding) => (binding instanceof DataHashAssertion ? binding.exclusions : []))
    .reduce((sum, { length }) => sum + length, 0)
  const furtherPieces = Math.floor(jumbf.length / furtherPiece.manifestBytes)
  return leftOutBytes > jumbf.length + overheadBytes + furtherPieces * furtherPiece.overheadBytes
}

function openAsset(file: Uint8Array): Asset | undefined {
  if (JPEG.canRead(file)) return new JPEG(file)
  if (PNG.canRead(file)) return new PNG(file)
  return undefined
}

function readCredentials(credentials: C2paCredentials) {
  const key = readKey(credentials.privateKeyPem)
  const pattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu
  const blocks = credentials.certificateChainPem.match(pattern) ?? []
  const chain = blocks.map((block) => new NodeCertificate(block))
  const [certificate] = chain
  if (certificate === undefined) throw new Error('The C2PA certificate chain holds no certificate.')
  if (!certificate.checkPrivateKey(key)) {
    throw new Error('The C2PA private key does not belong to the first certificate.')
  }
  if (certificate.verify(certificate.publicKey)) {
    throw new Error('The C2PA signing certificate is self-signed; readers would refuse it.')
  }
  if (certificate.ca) throw new Error('The C2PA signing certificate is one of an authority.')
  return { key, chain }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // Without the cause, which could quote the key.
    throw new Error('The C2PA private key can’t be read: PEM, PKCS #8, not encrypted is needed.')
  }
}

function algorithmOf(key: KeyObject): CoseAlgorithmIdentifier {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ed25519') return CoseAlgorithmIdentifier.Ed25519
  if (key.asymmetricKeyType === 'rsa') return CoseAlgorithmIdentifier.PS256
  if (namedCurve === 'prime256v1') return CoseAlgorithmIdentifier.ES256
  if (namedCurve === 'secp384r1') return CoseAlgorithmIdentifier.ES384
  // Not P-521: the library checks its signatures with the wrong hash.
  throw new Error('The C2PA private key must be EC P-256 or P-384, RSA or Ed25519.')
}

function fingerprintOf(certificate: NodeCertificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase()
}
