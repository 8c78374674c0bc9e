import { createHash, createPrivateKey, sign } from 'node:crypto'
import { Integer, Null, ObjectIdentifier, OctetString } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import type { AskStamp } from '../time-stamp.ts'
import { makeC2paCredentials } from './make-c2pa-credentials.ts'

const sha256 = new AlgorithmIdentifier({
  algorithmId: '2.16.840.1.101.3.4.2.1',
  algorithmParams: new Null(),
})
const ecdsaWithSha256 = new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' })
const tstInfoType = '1.2.840.113549.1.9.16.1.4'
const contentTypeAttribute = '1.2.840.113549.1.9.3'
const digestAttribute = '1.2.840.113549.1.9.4'
/** timeStamping (RFC 3161, section 2.3). */
const stampUsage = '1.3.6.1.5.5.7.3.8'

/** A time-stamping authority (RFC 3161) within this process, with the time of its clock. */
export async function makeStampAuthority(): Promise<AskStamp> {
  const credentials = await makeC2paCredentials(undefined, stampUsage)
  const chain = (credentials.certificateChainPem.match(/-----BEGIN[^-]+-----([^-]+)/g) ?? []).map(
    (pem) => Certificate.fromBER(Buffer.from(pem.replace(/-----BEGIN[^-]+-----/, ''), 'base64')),
  )
  const key = createPrivateKey(credentials.privateKeyPem)
  return async (request) => {
    const { messageImprint, nonce } = TimeStampReq.fromBER(Uint8Array.from(request))
    const info = new TSTInfo({
      version: 1,
      policy: '1.2.3.4.1',
      messageImprint,
      serialNumber: new Integer({ value: 1 }),
      // Whole seconds, as DER has no zeros at the end of a fraction.
      genTime: new Date(Math.floor(Date.now() / 1_000) * 1_000),
      ...(nonce === undefined ? {} : { nonce }),
    })
    const content = Buffer.from(info.toSchema().toBER())
    const encapContentInfo = new EncapsulatedContentInfo({ eContentType: tstInfoType })
    // By its constructor the text would be in pieces, which DER doesn't have.
    encapContentInfo.eContent = new OctetString({ valueHex: content })
    const attribute = (type: string, value: ObjectIdentifier | OctetString) =>
      new Attribute({ type, values: [value] })
    const signedAttrs = new SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        attribute(contentTypeAttribute, new ObjectIdentifier({ value: tstInfoType })),
        attribute(
          digestAttribute,
          new OctetString({ valueHex: createHash('sha256').update(content).digest() }),
        ),
      ],
    })
    // What is signed is the set of attributes, not the field that has it (RFC 5652, section 5.4).
    const toBeSigned = Buffer.from(signedAttrs.toSchema().toBER())
    toBeSigned[0] = 0x31
    const signer = new SignerInfo({
      version: 1,
      sid: new IssuerAndSerialNumber({
        issuer: chain[0]!.issuer,
        serialNumber: chain[0]!.serialNumber,
      }),
      digestAlgorithm: sha256,
      signedAttrs,
      signatureAlgorithm: ecdsaWithSha256,
      signature: new OctetString({ valueHex: sign('sha256', toBeSigned, key) }),
    })
    const signed = new SignedData({
      version: 3,
      digestAlgorithms: [sha256],
      encapContentInfo,
      certificates: chain,
      signerInfos: [signer],
    })
    const answer = new TimeStampResp({
      status: new PKIStatusInfo({ status: 0 }),
      timeStampToken: new ContentInfo({
        contentType: ContentInfo.SIGNED_DATA,
        content: signed.toSchema(true),
      }),
    })
    return new Uint8Array(answer.toSchema().toBER())
  }
}
