import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder, type FolderLock } from './folder-lock.ts'

let folder: string
let locks: FolderLock[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'starside-lock-'))
  locks = []
})
afterEach(async () => {
  for (const held of locks) await held.release()
  await rm(folder, { recursive: true })
})

async function lock(): Promise<FolderLock> {
  const held = await lockFolder(folder, folder)
  locks.push(held)
  return held
}

/** Ten programs at once; gives how many got the folder. The others are refused. */
async function lockTenAtOnce(): Promise<number> {
  const tried = await Promise.allSettled(Array.from({ length: 10 }, lock))
  const refused = tried.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
  for (const reason of refused) expect(reason).toMatchObject({ problem: 'data-folder-in-use' })
  return 10 - refused.length
}

test('of ten that come in the same instant one gets a folder that nobody had', async () => {
  for (let round = 0; round < 5; round += 1) {
    expect(await lockTenAtOnce()).toBe(1)
    await locks.pop()?.release()
  }
})

test.for(['holder.json', 'in-use.json', 'in-use.7.json'])(
  'of ten that come in the same instant one gets a folder whose program was killed (%s)',
  async (name) => {
    const left = path.join(folder, name)
    await writeFile(left, '{"place":"another","pid":1}')
    await utimes(left, new Date(0), new Date(0))
    expect(await lockTenAtOnce()).toBe(1)
  },
)

test('who comes while another has it gives way, and gets it once that one has ended', async () => {
  const first = await lockFolder(folder, folder)
  await expect(lock()).rejects.toThrow(`(process ${process.pid}). Stop that one first`)
  await first.describe(5433)
  await expect(lock()).rejects.toThrow('its PostgreSQL on port 5433')
  await first.release()
  await expect(lock()).resolves.toBeDefined()
})

test('an earlier version that touches its own file keeps the folder', async () => {
  await writeFile(path.join(folder, 'in-use.3.json'), '{"place":"another","pid":1}')
  await expect(lock()).rejects.toMatchObject({ problem: 'data-folder-in-use' })
  await rm(path.join(folder, 'in-use.3.json'))
  await expect(lock()).resolves.toBeDefined()
})

test('a program in another container is named by no process id', async () => {
  await lock()
  const elsewhere = '{"host":"another container","pid":7}'
  await writeFile(path.join(folder, 'holder.json'), elsewhere)
  await expect(lock()).rejects.toThrow('by another running Starside. Stop that one first')
})
