import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFolder, type FolderClaim } from './folder-claim.ts'

let folder: string
let waits: number
let claims: FolderClaim[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'starside-claim-'))
  waits = 0
  claims = []
})
afterEach(async () => {
  for (const claim of claims) await claim.end()
  await rm(folder, { recursive: true })
})

/** Claims the folder as a program of that place; others are watched for `watchedMs`. */
async function claimAt(place: string, watchedMs = 8000): Promise<FolderClaim | undefined> {
  const claim = await claimFolder(folder, {
    claimant: { place, pid: process.pid },
    hasEnded: () => true,
    onWait: () => (waits += 1),
    staleAfterMs: watchedMs,
  })
  if (claim !== undefined) claims.push(claim)
  return claim
}

/** Ten programs of ten places at once; gives how many got the folder. */
async function claimTenAtOnce(): Promise<number> {
  const tried = await Promise.all(Array.from({ length: 10 }, (_, place) => claimAt(`at ${place}`)))
  return tried.filter((claim) => claim !== undefined).length
}

test('of ten that come in the same instant one gets a folder that nobody had', async () => {
  for (let round = 0; round < 5; round += 1) {
    expect(await claimTenAtOnce()).toBe(1)
    await claims.pop()?.end()
    expect(await readdir(folder)).toEqual([])
  }
})

test.for(['in-use.json', 'in-use.7.json'])(
  'of ten that come in the same instant one gets a folder whose program was killed (%s)',
  async (name) => {
    await writeFile(path.join(folder, name), '{"place":"another","pid":1}')
    expect(await claimTenAtOnce()).toBe(1)
    expect(await readdir(folder)).toHaveLength(1)
  },
)

test('who looked before another came and created its claim after gives way', async () => {
  await writeFile(path.join(folder, 'in-use.7.json'), '{"place":"killed","pid":1}')
  const slow = claimAt('a slow place')
  const quick = await claimAt('a quick place', 200)
  await quick?.end()
  // What the slow one has seen is gone by now, and the numbers begin anew.
  expect(await claimAt('a third place')).toBeDefined()
  expect(await slow).toBeUndefined()
  expect(await readdir(folder)).toEqual(['in-use.1.json'])
})

test('a claim that beats is kept, one that was ended is free at once', async () => {
  const first = await claimAt('one place')
  expect(await claimAt('another place')).toBeUndefined()
  waits = 0
  await first?.end()
  expect(await claimAt('another place')).toBeDefined()
  expect(waits).toBe(0)
})

test('what a program of the same place left when it was killed is no obstacle', async () => {
  await writeFile(path.join(folder, 'in-use.1.json'), '{"place":"here","pid":1}')
  expect(await claimAt('here')).toBeDefined()
  expect(waits).toBe(0)
})
