import { createPrivateKey, hkdfSync } from 'node:crypto'
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
import type { C2paCredentials } from './c2pa.ts'

/** What PKCS #8 has in front of the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const signingAlgorithm = { name: 'Ed25519' }
/** Fixed, as the same secret makes the same certificate on every node and at every start. */
const validity = { notBefore: new Date('2026-01-01'), notAfter: new Date('2056-01-01') }
/** emailProtection, which the C2PA profile takes. */
const keyUsage = '1.3.6.1.5.5.7.3.4'

/**
 * A certificate of one's own, which follows from a secret alone: nothing is stored, and all nodes sign with
 * the same one. Readers find what it signs valid, and its signer unknown: C2PA's trust list has no
 * certificate that somebody made alone. It is issued by an authority of its own, as readers refuse one that
 * is self-signed.
 * @param host whom the certificate names, such as `selfie.example`
 */
export async function makeOwnCredentials(
  secret: Uint8Array,
  host: string,
): Promise<C2paCredentials> {
  cryptoProvider.set(crypto)
  const authorityKeys = await deriveKeys(secret, 'C2PA authority')
  const keys = await deriveKeys(secret, 'C2PA signer')
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: [{ CN: [`${host} authority`] }, { O: ['Self-made'] }],
    ...validity,
    signingAlgorithm,
    keys: authorityKeys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })
  const certificate = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: [{ CN: [host] }, { O: ['Self-made'] }],
    issuer: authority.subjectName,
    ...validity,
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([keyUsage], true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })
  return {
    certificateChainPem: `${certificate.toString('pem')}\n${authority.toString('pem')}\n`,
    privateKeyPem: keys.pem,
  }
}

async function deriveKeys(secret: Uint8Array, purpose: string) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const pkcs8 = Buffer.concat([pkcs8Prefix, seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x = '', d = '' } = key.export({ format: 'jwk' })
  const make = (jwk: JsonWebKey, usage: KeyUsage) =>
    crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', ...jwk }, 'Ed25519', true, [usage])
  return {
    privateKey: await make({ x, d }, 'sign'),
    publicKey: await make({ x }, 'verify'),
    pem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
