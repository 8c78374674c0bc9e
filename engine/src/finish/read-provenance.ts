import sharp from 'sharp'
import { decodeUpload } from '../photo/normalise.ts'
import type { DecodedPhoto } from '../photo/normalise.ts'
import type { C2paReading } from '@starside/provenance/c2pa.ts'
import { detectMark } from '@starside/provenance/invisible-mark.ts'
import type { RawPicture } from './raw-picture.ts'
import { readXmpProvenance } from '@starside/provenance/read-xmp.ts'
import type { XmpProvenance } from '@starside/provenance/read-xmp.ts'

/** What a file says about where it comes from. */
export interface PictureProvenance {
  /** The id of the invisible mark: proof that the picture was made with this key. */
  markId: string | undefined
  /** What the file says in its metadata; a hint, no proof. */
  xmp: XmpProvenance
  /** The C2PA data of a JPEG or PNG; undefined where there is none. */
  c2pa:
    | (C2paReading & { /** Intact, and signed with the own certificate: proof. */ isOurs: boolean })
    | undefined
}

/** A thumbnail may be asked about, too. */
const sidePxMin = 32

/**
 * Finds out whether a file was made here.
 * @param upload untrusted bytes, bounded like every upload
 * @param options.markKey without it no mark is looked for
 * @param options.ownFingerprint SHA-256 of the own signing certificate
 * @throws PhotoError as `normalisePhoto` does
 */
export async function readProvenance(
  upload: Uint8Array,
  options: {
    signal?: AbortSignal | undefined
    markKey?: Uint8Array | undefined
    ownFingerprint?: string | undefined
  } = {},
): Promise<PictureProvenance> {
  const { signal, markKey, ownFingerprint } = options
  const picture = await withoutAlpha(await decodeUpload(upload, { signal, sidePxMin }))
  const markId = markKey === undefined ? undefined : await detectMark(picture, markKey)
  signal?.throwIfAborted()
  const { xmp } = await sharp(upload).metadata()
  // A large library that most pictures have no need of.
  const { readC2pa } = await import('@starside/provenance/c2pa.ts')
  const c2pa = await readC2pa(upload)
  return {
    markId,
    xmp: readXmpProvenance(xmp?.toString('utf8') ?? ''),
    c2pa: c2pa && {
      ...c2pa,
      isOurs:
        c2pa.isIntact && ownFingerprint !== undefined && c2pa.signerFingerprint === ownFingerprint,
    },
  }
}

async function withoutAlpha(decoded: DecodedPhoto): Promise<RawPicture> {
  const { pixels, widthPx, heightPx, channels } = decoded
  const raw = { width: widthPx, height: heightPx, channels }
  return { pixels: await sharp(pixels, { raw }).removeAlpha().raw().toBuffer(), widthPx, heightPx }
}
