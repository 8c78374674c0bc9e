/** Interleaved 8-bit sRGB, three channels, rows from the top. */
export interface RawPicture {
  pixels: Uint8Array
  widthPx: number
  heightPx: number
  /** Widths of a frame about the photographed part, in pixels; absent where there is none. */
  frame?: { right: number; bottom: number } | undefined
}
