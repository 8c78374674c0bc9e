declare module 'qrcode' {
  /** A QR code of `text` as an SVG document. */
  export function toString(text: string, options: { type: 'svg'; margin: number }): Promise<string>
}
