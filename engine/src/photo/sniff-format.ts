/** The formats that an upload may have. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** Brands of the HEIF family that hold HEVC or other pictures than AV1. */
const foreignHeifBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'jpeg', 'avci'])

/**
 * A picture's format by its first bytes alone; names and declared types are ignored.
 * @param bytes the whole upload or at least its first 512 bytes
 * @returns undefined for everything that is not accepted: SVG, HEIC, PDF, TIFF, BMP, text …
 */
export function sniffFormat(bytes: Uint8Array): PhotoFormat | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  const head = latin1(bytes, 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp'
  if (head.slice(4, 8) === 'ftyp' && isAvif(bytes)) return 'avif'
  return undefined
}

/** ISO/IEC 14496-12 `ftyp`: size, type, major brand, minor version, compatible brands. */
function isAvif(bytes: Uint8Array): boolean {
  const sizeBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const brands = [latin1(bytes, 8, 12)]
  const end = Math.min(sizeBytes, bytes.length, 512)
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin1(bytes, at, at + 4))
  if (brands.some((brand) => foreignHeifBrands.has(brand))) return false
  return brands.includes('avif') || brands.includes('avis')
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}
