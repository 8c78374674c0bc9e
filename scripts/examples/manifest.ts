import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../project-folder.js'

/** Which engine made the example pictures, and what they were. */
const exampleManifest = z.strictObject({
  engineVersion: z.number().int(),
  /** SHA-256 by path in the project. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/u)),
})
type ExampleManifest = z.infer<typeof exampleManifest>

const manifestFile = path.join(projectFolder, 'scripts', 'examples', 'manifest.json')

export async function readManifest(): Promise<ExampleManifest> {
  return exampleManifest.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
}

export async function writeManifest(manifest: ExampleManifest): Promise<void> {
  await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
