import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

/** A file of the build in its brotli form (RFC 7932). */
export interface PackedAsset {
  body: Buffer
  type: string
  /** The name holds a hash of the content, so it serves as a strong validator. */
  etag: string
}

/** Types of what the build packs. */
const typeByExtension: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Reads the brotli form of every hashed asset, less than a megabyte in all, so that none is looked
 * up and opened at each request. Keys are the names that browsers ask for.
 */
export async function readPackedAssets(folder: string): Promise<Map<string, PackedAsset>> {
  const assets = new Map<string, PackedAsset>()
  for (const file of await readdir(folder).catch(() => [])) {
    if (!file.endsWith('.br')) continue
    const name = file.slice(0, -'.br'.length)
    const type = typeByExtension[path.extname(name)]
    if (type === undefined) continue
    assets.set(name, { body: await readFile(path.join(folder, file)), type, etag: `"${file}"` })
  }
  return assets
}
