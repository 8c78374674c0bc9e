import { QRCodeSVG } from 'qrcode.react'

/** A QR code for the cameras of phones. */
export function ScanCode(props: { url: string; label: string; className: string }) {
  const { url, label } = props
  const className = `size-auto ${props.className}`
  return <QRCodeSVG level="M" marginSize={4} value={url} aria-label={label} className={className} />
}
