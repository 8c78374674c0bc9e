import { create } from 'qrcode/lib/core/qrcode.js'

/** White around a code, in its own squares, as ISO/IEC 18004 asks. */
const marginSquares = 4

/** A QR code of an address, black on white in every theme. */
export function QrCode(props: { address: string; label: string; className?: string }) {
  const { address, label, className = '' } = props
  const { size, data } = create(address, { errorCorrectionLevel: 'M' }).modules
  const whole = size + 2 * marginSquares
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-marginSquares} ${-marginSquares} ${whole} ${whole}`}
      shapeRendering="crispEdges"
      className={`block aspect-square bg-[#fff] text-[#000] ${className}`}
    >
      <path fill="currentColor" d={pathOf(data, size)} />
    </svg>
  )
}

/** One square for each dark module; the rows of `size` modules follow each other in `data`. */
function pathOf(data: Uint8Array, size: number): string {
  let path = ''
  data.forEach((isDark, at) => {
    if (isDark) path += `M${at % size} ${Math.floor(at / size)}h1v1h-1z`
  })
  return path
}
