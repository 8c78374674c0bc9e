/** `node scripts/make-icons.ts`: icons in pixels of web/public/favicon.svg, when that changed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { projectFolder } from './project-folder.js'

const folder = path.join(projectFolder, 'web/public')
const icon = await readFile(path.join(folder, 'favicon.svg'), 'utf8')
/** What is drawn on the icon's ground: everything after the first rectangle. */
const shapes = icon.slice(icon.indexOf('<g '), icon.lastIndexOf('</svg>'))
const size = 32

/** The shapes on a ground without corners, drawn smaller so that a platform may cut its own shape. */
function onGround(scale: number): string {
  const margin = (size * (1 - scale)) / 2
  return inSvg(
    `<rect width="${size}" height="${size}" fill="#0f0d0c"/><g transform="translate(${margin} ${margin}) scale(${scale})">${shapes}</g>`,
  )
}

/** The shapes alone in one colour, which the platform paints over. */
function inOneColour(): string {
  return inSvg(shapes.replaceAll(/#[0-9a-f]{6}/giu, '#ffffff'))
}

function inSvg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${content}</svg>`
}

async function toPng(svg: string, sizePx: number): Promise<Buffer> {
  return await sharp(Buffer.from(svg), { density: (72 * sizePx) / size })
    .resize(sizePx, sizePx)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/** An ICO file with one PNG inside (Microsoft, "ICO file format": header, one entry, picture). */
function toIco(png: Buffer, sizePx: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(sizePx, 6)
  head.writeUInt8(sizePx, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

// The middle circle of 80 % is always shown (W3C, Web Application Manifest, "maskable").
const maskable = onGround(0.68)
const files: [file: string, svg: string, sizePx: number][] = [
  ['icons/any-192.png', icon, 192],
  ['icons/any-512.png', icon, 512],
  ['icons/maskable-192.png', maskable, 192],
  ['icons/maskable-512.png', maskable, 512],
  ['icons/monochrome-512.png', inOneColour(), 512],
  ['icons/apple-touch-icon.png', onGround(0.86), 180],
]
await mkdir(path.join(folder, 'icons'), { recursive: true })
for (const [file, svg, sizePx] of files) {
  await writeFile(path.join(folder, file), await toPng(svg, sizePx))
}
await writeFile(path.join(folder, 'favicon.ico'), toIco(await toPng(icon, 32), 32))
