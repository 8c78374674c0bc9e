declare module 'qrcode/lib/core/qrcode.js' {
  /** A QR code of `text`: its modules row by row, 1 for a dark one. */
  export function create(
    text: string,
    options: { errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
  ): { modules: { size: number; data: Uint8Array } }
}
