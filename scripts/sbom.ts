/**
 * `npm run sbom > sbom.cdx.json`: the software bill of materials of the program, without what is
 * only for building and testing, in CycloneDX 1.6 (ECMA-424). npm's own writer gives up on the
 * loose requirements of a measuring tool.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { listPackages } from './list-packages.ts'
import { projectFolder } from './project-folder.js'

const { name, version } = JSON.parse(
  await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
) as { name: string; version: string }

const components = (await listPackages())
  .filter(({ isDevelopment }) => !isDevelopment)
  .map((each) => ({
    type: 'library',
    'bom-ref': purl(each.name, each.version),
    name: each.name,
    version: each.version,
    purl: purl(each.name, each.version),
    licenses: [{ expression: each.licence }],
    ...(each.integrity === undefined ? {} : { hashes: hashesOf(each.integrity) }),
  }))

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: { type: 'application', name, version, 'bom-ref': purl(name, version) },
      },
      components,
    },
    null,
    1,
  ),
)

/** Package URL (purl specification, type npm): the scope's at sign is encoded. */
function purl(packageName: string, packageVersion: string): string {
  return `pkg:npm/${packageName.replace('@', '%40')}@${packageVersion}`
}

function hashesOf(integrity: string) {
  return integrity.split(' ').flatMap((each) => {
    const [algorithm = '', digest = ''] = each.split('-')
    const alg = { sha512: 'SHA-512', sha1: 'SHA-1', sha256: 'SHA-256' }[algorithm]
    return alg === undefined
      ? []
      : [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }]
  })
}
