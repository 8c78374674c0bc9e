/** Interleaved 8-bit sRGB, three channels, rows from the top. */
export interface RawPicture {
  pixels: Uint8Array
  widthPx: number
  heightPx: number
}
