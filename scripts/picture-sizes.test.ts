import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'

const bytesMax = 6_000_000
/** The places of selfies, which are taken from files: up to six views of each. */
const sceneBytesMax = 700_000
const isPicture = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/u

test('all pictures of the repository together stay below 6 MB, and those of scenes below 700 kB', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' })
    .split('\0')
    .filter((file) => isPicture.test(file))
    .map((file) => ({ file, bytes: statSync(path.join(projectFolder, file)).size }))
  const isScene = ({ file }: { file: string }) => file.startsWith('engine/scenes/')
  const sum = (some: typeof files) => some.reduce((total, { bytes }) => total + bytes, 0)
  const total = sum(files.filter((each) => !isScene(each)))
  const largest = files.toSorted((one, other) => other.bytes - one.bytes).slice(0, 10)
  expect(total, JSON.stringify(largest)).toBeLessThanOrEqual(bytesMax)
  expect(sum(files.filter(isScene))).toBeLessThanOrEqual(sceneBytesMax)
})
