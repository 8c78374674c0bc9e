const heicBrands = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'hevm', 'hevs'])
const avifBrands = new Set(['avif', 'avis'])
/** As many bytes of a file as {@link isHeic} looks at. */
export const fileHeadBytes = 64

/**
 * True when the first bytes of a file are those of a HEIC picture: an ISO base media file
 * (ISO/IEC 14496-12, `ftyp` box) with one of the HEVC brands of ISO/IEC 23008-12, or the general
 * `mif1`/`msf1` without an AVIF brand beside it. File names and types are not trusted.
 */
export function isHeic(head: Uint8Array): boolean {
  if (head.length < 12 || ascii(head, 4) !== 'ftyp') return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const boxEnd = Math.min(head.length, view.getUint32(0))
  const brands = [ascii(head, 8)]
  for (let at = 16; at + 4 <= boxEnd; at += 4) brands.push(ascii(head, at))
  if (brands.some((brand) => avifBrands.has(brand))) return false
  return brands.some((brand) => heicBrands.has(brand) || brand === 'mif1' || brand === 'msf1')
}

function ascii(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
