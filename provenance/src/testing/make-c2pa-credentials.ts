import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { C2paCredentials } from '../c2pa.ts'

type KeyAlgorithm = EcKeyGenParams | RsaHashedKeyGenParams | { name: 'Ed25519' }

const authorityAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000
/** Which the C2PA profile takes. */
const emailProtection = '1.3.6.1.5.5.7.3.4'

/** Makes credentials for tests: an authority, and a signing certificate issued by it. */
export async function makeC2paCredentials(
  algorithm: KeyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' },
  extendedKeyUsage = emailProtection,
): Promise<C2paCredentials & { selfSignedPem: string }> {
  cryptoProvider.set(crypto)
  const usages: KeyUsage[] = ['sign', 'verify']
  const authorityKeys = await crypto.subtle.generateKey(authorityAlgorithm, true, usages)
  const keys = await makeKeys(algorithm, usages)
  const validity = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 365 * dayMs),
  }
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Test Authority, O=Starside',
    ...validity,
    signingAlgorithm: authorityAlgorithm,
    keys: authorityKeys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })
  const certificate = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=Test Signer, O=Starside',
    issuer: authority.subject,
    ...validity,
    signingAlgorithm: authorityAlgorithm,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([extendedKeyUsage], true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    certificateChainPem: `${certificate.toString('pem')}\n${authority.toString('pem')}\n`,
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64')}\n-----END PRIVATE KEY-----\n`,
    selfSignedPem: authority.toString('pem'),
  }
}

async function makeKeys(algorithm: KeyAlgorithm, usages: KeyUsage[]): Promise<CryptoKeyPair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, usages)
  if (!('privateKey' in keys)) throw new TypeError('The algorithm gives no key pair.')
  return keys
}
