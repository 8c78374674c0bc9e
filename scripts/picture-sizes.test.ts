import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'

const bytesMax = 6_000_000
const isPicture = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/u

test('all pictures of the repository together stay below 6 MB', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' })
    .split('\0')
    .filter((file) => isPicture.test(file))
    .map((file) => ({ file, bytes: statSync(path.join(projectFolder, file)).size }))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = files.toSorted((one, other) => other.bytes - one.bytes).slice(0, 10)
  expect(total, JSON.stringify(largest)).toBeLessThanOrEqual(bytesMax)
})
