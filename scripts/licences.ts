/**
 * `npm run licences`: writes docs/licences.md from the lock file and fails on a licence that is
 * neither allowed nor excepted; `-- --check` writes nothing and also fails when the file is old.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isAllowed, licenceExceptions } from './licence-rules.ts'
import { listPackages } from './list-packages.ts'
import type { InstalledPackage } from './list-packages.ts'
import { projectFolder } from './project-folder.js'

const file = path.join(projectFolder, 'docs', 'licences.md')
const packages = await listPackages()
const refused = packages.filter(
  (each) => !isAllowed(each.licence) && exceptionFor(each) === undefined,
)
for (const { name, version, licence } of refused) {
  console.error(`${name} ${version} has the licence ${licence}, which is not on the list.`)
}
const wanted = describe(packages)
if (process.argv.includes('--check')) {
  const isOld = (await readFile(file, 'utf8').catch(() => '')) !== wanted
  if (isOld) console.error('docs/licences.md is old; `npm run licences` writes it anew.')
  process.exit(isOld || refused.length > 0 ? 1 : 0)
}
await writeFile(file, wanted)
console.log(`${packages.length} packages, ${refused.length} with a licence that is not allowed`)
process.exit(refused.length > 0 ? 1 : 0)

function exceptionFor({ name, licence }: InstalledPackage) {
  return licenceExceptions.find((rule) => rule.name.test(name) && rule.licence.test(licence))
}

function describe(all: readonly InstalledPackage[]): string {
  return `# Licences of what this project is built on

Written by \`npm run licences\` from the lock file; not edited by hand. The models inside the
\`@mediapipe\` packages are under the licence of their packages.

## Parts of the program

${listByLicence(all.filter(({ isDevelopment }) => !isDevelopment))}

## For building and testing only

${listByLicence(all.filter(({ isDevelopment }) => isDevelopment))}
`
}

/** A heading for each licence, with the reason where it is an exception, and a line for each package. */
function listByLicence(some: readonly InstalledPackage[]): string {
  const groups = Map.groupBy(some, (each) => {
    const reason = exceptionFor(each)?.reason
    return reason === undefined ? each.licence : `${each.licence}: ${reason}`
  })
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, members]) =>
      [`### ${licence}\n`, ...members.map(({ name, version }) => `- ${name}@${version}`)].join(
        '\n',
      ),
    )
    .join('\n\n')
}
