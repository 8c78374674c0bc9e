import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from './project-folder.js'

/** One installed package of somebody else's. */
export interface InstalledPackage {
  name: string
  version: string
  /** SPDX expression as the package states it, or `UNKNOWN`. */
  licence: string
  /** True when it is only needed to build and test. */
  isDevelopment: boolean
}

interface LockEntry {
  version?: string
  license?: unknown
  dev?: boolean
  link?: boolean
}

/** Everything that the lock file names for any platform, by name and version, each once. */
export async function listPackages(folder = projectFolder): Promise<InstalledPackage[]> {
  const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  const found = new Map<string, InstalledPackage>()
  for (const [place, entry] of Object.entries(lock.packages)) {
    const name = place.split('node_modules/').at(-1) ?? ''
    const isOurs = !place.includes('node_modules/') || entry.link === true
    if (isOurs || entry.version === undefined) continue
    const key = `${name}@${entry.version}`
    const known = found.get(key)
    found.set(key, {
      name,
      version: entry.version,
      licence: known?.licence ?? (await readLicence(folder, place, entry)),
      isDevelopment: (known?.isDevelopment ?? true) && entry.dev === true,
    })
  }
  return [...found.values()].toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.version, b.version),
  )
}

async function readLicence(folder: string, place: string, entry: LockEntry): Promise<string> {
  const stated = textOf(entry.license)
  if (stated !== undefined) return stated
  // Some packages state it in forms that the lock file leaves out.
  const text = await readFile(path.join(folder, place, 'package.json'), 'utf8').catch(() => '{}')
  const { license, licenses } = JSON.parse(text) as { license?: unknown; licenses?: unknown }
  return textOf(license) ?? textOf(licenses) ?? 'UNKNOWN'
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? 'UNKNOWN').join(' OR ')
  if (typeof value === 'object' && value !== null && 'type' in value) return textOf(value.type)
  return undefined
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
