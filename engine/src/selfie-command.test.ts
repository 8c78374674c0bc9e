import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readArguments, UsageError } from './selfie-arguments.ts'

const command = fileURLToPath(new URL('selfie-command.ts', import.meta.url))
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'starside-selfie-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function selfie(...args: string[]) {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder })
  const ended = once(child, 'close')
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code: child.exitCode, out, error }
}

describe('npm run selfie', () => {
  test('--help tells every option and succeeds', async () => {
    const { code, out } = await selfie('--help')
    expect(code).toBe(0)
    const options = ['--output', '--scene', '--aspect', '--high', '--prompt', '--no-watermark']
    for (const option of options) expect(out).toContain(option)
  })

  test('called the wrong way it says so and how to learn the right one', async () => {
    const { code, error } = await selfie('me.jpg')
    expect(code).toBe(2)
    expect(error).toMatch(/^Two photos are needed: [^\n]*\nSee: npm run selfie -- --help\n$/)
  })

  test.each([
    [['me.jpg'], 'Two photos are needed'],
    [['a', 'b', 'c', '-o', 'x.jpg'], 'Two photos are needed'],
    [['a', 'b'], '-o'],
    [['a', 'b', '-o', 'x.jpg', '--scene', 'moon'], '--scene must be one of own, sunny-street'],
    [['a', 'b', '-o', 'x.jpg', '--aspect', '3:2'], '--aspect must be one of 4:5'],
    [['a', 'b', '-o', 'x.jpg', '--wings'], '--wings'],
  ])('called as %j it explains itself', (args, sentence) => {
    const call = () => readArguments(args)
    expect(call).toThrow(UsageError)
    expect(call).toThrow(sentence)
  })

  test('a line with two photos and a place is enough, and each option says what it says', () => {
    const least = {
      userFile: 'me.jpg',
      starFile: 'star.jpg',
      outputFile: 'out.jpg',
      scene: undefined,
      backgroundFile: undefined,
      aspect: '4:5',
      resolution: 'standard',
      prompt: undefined,
      watermark: 'localhost',
    }
    const line = ['me.jpg', 'star.jpg', '-o', 'out.jpg']
    expect(readArguments(line)).toEqual(least)
    const more = ['--scene', 'cafe', '--background', 'sea.jpg', '--aspect', '9:16', '--high']
    const words = ['--prompt', 'at dusk', '--watermark', 'selfie.example']
    expect(readArguments([...line, ...more, ...words])).toEqual({
      ...least,
      scene: 'cafe',
      backgroundFile: 'sea.jpg',
      aspect: '9:16',
      resolution: 'high',
      prompt: 'at dusk',
      watermark: 'selfie.example',
    })
    expect(readArguments([...line, '--no-watermark'])?.watermark).toBeUndefined()
    for (const help of ['--help', '-h']) expect(readArguments([help])).toBeUndefined()
  })

  test('makes a JPEG, or a PNG where the name says so', async () => {
    const photos = [fixture('user-1.jpg'), fixture('star-olmira.jpg')]
    const jpeg = await selfie(...photos, '-o', 'out.jpg', '--aspect', '1:1')
    expect(jpeg).toMatchObject({ code: 0, out: 'out.jpg\n' })
    const png = await selfie(...photos, '-o', 'out.png', '--no-watermark', '--scene', 'studio')
    expect(png).toMatchObject({ code: 0, out: 'out.png\n' })
    const [first, second] = await Promise.all(
      ['out.jpg', 'out.png'].map((name) => sharp(path.join(folder, name)).metadata()),
    )
    expect(first).toMatchObject({ format: 'jpeg' })
    expect(first?.width).toBe(first?.height)
    expect(second).toMatchObject({ format: 'png', width: 1024, height: 1280 })
    expect(second?.xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
  })

  test('names the photo that can’t be used', async () => {
    await writeFile(path.join(folder, 'letter.jpg'), 'Dear reader')
    const { code, error } = await selfie(fixture('user-1.jpg'), 'letter.jpg', '-o', 'out.jpg')
    expect(code).toBe(3)
    expect(error).toContain('letter.jpg: this is no JPEG, PNG, WebP, AVIF or GIF')
    const photos = [fixture('user-1.jpg'), fixture('star-olmira.jpg')]
    const behind = await selfie(...photos, '-o', 'out.jpg', '--background', 'letter.jpg')
    expect([behind.code, behind.error]).toEqual([3, error])
  })

  test('a file that isn’t there is reported', async () => {
    const { code, error } = await selfie('nobody.jpg', fixture('star-zuvia.jpg'), '-o', 'out.jpg')
    expect(code).toBe(1)
    expect(error).toContain('nobody.jpg')
  })
})
