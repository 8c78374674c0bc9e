import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { minimalEnvironment } from './engine-child.ts'
import { EngineCrashedError } from './engine-crashed-error.ts'
import { createEngineHost } from './engine-host.ts'
import { processFlags } from './process-settings.ts'
import type { EngineHost, EngineHostOptions } from './engine-host.ts'
import type { StandInCommand } from './testing/engine-stand-in.ts'
import type { EngineStage, SelfieInput } from './engine-calls.ts'
import type { NormalisedPhoto } from './image-provider.ts'

const standIn = new URL('testing/engine-stand-in.ts', import.meta.url)
const photo: NormalisedPhoto = {
  bytes: new Uint8Array([1, 2, 3]),
  mediaType: 'image/jpeg',
  widthPx: 1,
  heightPx: 1,
  hasMatte: false,
}

const hosts: EngineHost[] = []
function openHost(options: EngineHostOptions = {}): EngineHost {
  const host = createEngineHost({ processFile: standIn, ...options })
  hosts.push(host)
  return host
}
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(async (host) => await host.close()))
})

const asBytes = (what: StandInCommand): Uint8Array => Buffer.from(JSON.stringify(what))

async function askJson(host: EngineHost, what: StandInCommand): Promise<Record<string, unknown>> {
  const { bytes } = await host.normalise(asBytes(what))
  return JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
}

/** A selfie that takes `durationMs`. */
function selfieRequest(durationMs: number): SelfieInput {
  return {
    userPhoto: photo,
    stars: [{ photo }],
    prompt: String(durationMs),
    aspect: '4:5',
    resolution: 'standard',
    watermarkText: 'starside.example',
    systemVersion: '1',
  }
}

/** False for a process that ended, also when nobody has collected it yet. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a hosted provider’s picture that can’t be used is reported as such', async () => {
  const host = openHost()
  const marks = { watermarkText: 'w', systemVersion: '1', provider: 'fal', model: 'm' }
  const about = { bytes: new Uint8Array([1]), headCount: 2, mayHaveOthers: false, ...marks }
  await expect(host.finishProviderPicture(about)).rejects.toMatchObject({
    name: 'PictureError',
    fault: 'faces_missing',
  })
})

describe('calls', () => {
  test('go to another process and come back, bytes and all', async () => {
    const host = openHost()
    const upload = asBytes({ act: 'echo' })
    const { bytes, ...rest } = await host.normalise(upload)
    expect(Buffer.from(bytes).equals(upload)).toBe(true)
    expect(rest).toEqual({ mediaType: 'image/jpeg', widthPx: 1, heightPx: 1, hasMatte: false })
    expect(host.pid).not.toBe(process.pid)
  })

  test('start the process only when there is one, and never two', async () => {
    const host = openHost()
    expect(host.pid).toBeUndefined()
    const made = await Promise.all(
      Array.from({ length: 3 }, async () => await host.makeSelfie(selfieRequest(1))),
    )
    expect(new Set(made.map(({ heightPx }) => heightPx))).toEqual(new Set([host.pid]))
  })

  test('twenty at once are all answered, two pictures at a time and in order', async () => {
    const host = openHost()
    await host.start()
    const answered: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { widthPx } = await host.makeSelfie(selfieRequest(20))
        answered.push(i)
        expect(widthPx).toBe(i)
      }),
    )
    expect(answered.length).toBe(20)
    expect(await askJson(host, { act: 'report-counts' })).toMatchObject({
      started: 20,
      runningMost: 2,
    })
  })

  test('reading a photo, and what is shown while somebody drags, do not wait for pictures', async () => {
    const host = openHost()
    // They last until the host is closed.
    const pictures = [1, 2, 3].map(async () => await host.makeSelfie(selfieRequest(600_000)))
    const settled = Promise.race(pictures).then(() => 'picture')
    expect(await Promise.race([host.normalise(asBytes({ act: 'echo' })), settled])).toMatchObject({
      widthPx: 1,
    })
    const preview = host.previewVariation({} as never).catch(() => 'answered')
    expect(await Promise.race([preview, settled])).toBe('answered')
    void Promise.allSettled(pictures)
  })

  test('as many readings run at once as are allowed, whatever holds for pictures', async () => {
    const host = openHost({ generationsMax: 1, readingsMax: 2 })
    const hang = () => host.normalise(asBytes({ act: 'hang' }))
    const report = () => askJson(host, { act: 'report-counts' }).then(() => 'read')
    const pictures: Promise<unknown>[] = []
    const isReadBeforeAPicture = (durationMs: number) => {
      const picture = host.makeSelfie(selfieRequest(durationMs))
      pictures.push(picture)
      return Promise.race([report(), picture.then(() => 'picture')])
    }
    // They last until the host is closed.
    const hanging = [hang()]
    expect(await isReadBeforeAPicture(5_000)).toBe('read')
    hanging.push(hang())
    expect(await isReadBeforeAPicture(1)).toBe('picture')
    void Promise.allSettled([...hanging, ...pictures])
  })

  test('stages are passed on', async () => {
    const stages: EngineStage[] = []
    const host = openHost()
    await host.makeSelfie(selfieRequest(1), { onStage: (stage) => stages.push(stage) })
    expect(stages).toEqual(['faces', 'blend'])
  })

  test('a refused photo keeps its code and whose it was', async () => {
    const host = openHost()
    await expect(host.normalise(asBytes({ act: 'refuse' }))).rejects.toMatchObject({
      name: 'PhotoError',
      code: 'photo_blurred',
      photo: 'star',
    })
    await expect(host.inspect({ photo })).rejects.toMatchObject({ code: 'face_cut', photo: 'user' })
  })

  test('any other failure keeps its name and words, and the process', async () => {
    const host = openHost()
    await host.start()
    const { pid } = host
    const failure = host.normalise(asBytes({ act: 'fail' }))
    await expect(failure).rejects.toMatchObject({
      name: 'RangeError',
      message: 'the stand-in failed',
    })
    expect(host.pid).toBe(pid)
  })
})

describe('aborting', () => {
  test('rejects at once with the signal’s reason and stops the work', async () => {
    const host = openHost()
    const controller = new AbortController()
    const reason = new Error('the person left')
    const selfie = host.makeSelfie(selfieRequest(60_000), {
      signal: controller.signal,
      onStage: () => controller.abort(reason),
    })
    await expect(selfie).rejects.toBe(reason)
    await expect
      .poll(() => askJson(host, { act: 'report-counts' }))
      .toMatchObject({ running: 0, aborted: 1 })
  })

  test('a call that still waits is never begun', async () => {
    const host = openHost({ generationsMax: 1 })
    const first = host.makeSelfie(selfieRequest(300))
    const controller = new AbortController()
    const second = host.makeSelfie(selfieRequest(1), { signal: controller.signal })
    const third = host.makeSelfie(selfieRequest(1))
    controller.abort(new Error('changed my mind'))
    await expect(second).rejects.toThrow('changed my mind')
    await first
    expect((await third).widthPx).toBe(1)
    expect(await askJson(host, { act: 'report-counts' })).toMatchObject({ started: 2 })
  })
})

describe('losing the process', () => {
  test('a kill rejects the calls under way; waiting and later calls are served', async () => {
    const crashes: EngineCrashedError[] = []
    const host = openHost({ generationsMax: 1, onCrash: (error) => crashes.push(error) })
    await host.start()
    const { pid } = host
    const lost = host.normalise(asBytes({ act: 'hang' }))
    const alsoLost = host.makeSelfie(selfieRequest(60_000), {
      // Of both stages the second may be told when the process is gone already.
      onStage: (stage) => void (stage === 'faces' && process.kill(pid!, 'SIGKILL')),
    })
    const waiting = host.makeSelfie(selfieRequest(1))
    const [one, other] = await Promise.allSettled([lost, alsoLost])
    expect(one).toMatchObject({ reason: { name: 'EngineCrashedError', reason: 'exit' } })
    expect(other).toMatchObject({ reason: expect.any(EngineCrashedError) })
    await expect(waiting).resolves.toMatchObject({ provider: 'stand-in' })
    await expect(host.normalise(asBytes({ act: 'echo' }))).resolves.toMatchObject({ widthPx: 1 })
    expect(crashes.map(({ reason }) => reason)).toEqual(['exit'])
  })

  test('an exit tells the operator the last words', async () => {
    const host = openHost()
    const call = host.normalise(asBytes({ act: 'exit' }))
    await expect(call).rejects.toThrow(/ended with 7\. last words/)
  })

  test('a call over its time limit loses the process, the next one has a new one', async () => {
    const host = openHost({ timeLimitsMs: { normalise: 1_500 } })
    await host.start()
    const { pid } = host
    const beside = host.makeSelfie(selfieRequest(60_000))
    const slow = host.normalise(asBytes({ act: 'hang' }))
    const ends = [{ reason: { reason: 'time_limit' } }, { reason: { reason: 'exit' } }]
    expect(await Promise.allSettled([slow, beside])).toMatchObject(ends)
    // A call with the usual limit.
    await host.toPng(photo.bytes)
    expect(host.pid).not.toBe(pid)
    await expect.poll(() => isRunning(pid!)).toBe(false)
  })

  test('too much memory loses the process', async () => {
    const host = openHost({ memoryLimitBytes: 300 * 1024 * 1024 })
    await expect(host.normalise(asBytes({ act: 'bloat' }))).rejects.toMatchObject({
      reason: 'memory_limit',
    })
    await expect(host.normalise(asBytes({ act: 'echo' }))).resolves.toBeTruthy()
  })

  test('a process that has grown is replaced between calls, and never under one', async () => {
    const first = openHost()
    await first.start()
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(first.pid)])
    const memoryLimitBytes = 1.3 * 1_024 * Number(stdout)
    const host = openHost({ memoryLimitBytes })
    const abort = new AbortController()
    const making = host.makeSelfie(selfieRequest(600_000), { signal: abort.signal })
    await host.start()
    const { pid } = host
    // It reports its memory four times a second.
    await host.normalise(asBytes({ act: 'echo', afterMs: 600 }))
    expect(host.pid).toBe(pid)
    abort.abort()
    await expect(making).rejects.toThrow()
    await expect
      .poll(() => host.normalise(asBytes({ act: 'echo' })).then(() => host.pid))
      .not.toBe(pid)
    await expect.poll(() => isRunning(pid!)).toBe(false)
  })

  test('a process that can’t start rejects its calls', async () => {
    const host = openHost({ processFile: new URL('no-such-process.ts', import.meta.url) })
    await expect(host.normalise(asBytes({ act: 'echo' }))).rejects.toMatchObject({
      reason: 'start',
    })
  })

  test('a process that never takes calls is given up in time, and one that is closed is no crash', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-idle-'))
    const file = path.join(folder, 'idle.ts')
    await writeFile(file, 'setInterval(() => {}, 1_000)\n')
    const crashes: string[] = []
    const host = openHost({
      processFile: pathToFileURL(file),
      startLimitMs: 500,
      onCrash: ({ reason }) => crashes.push(reason),
    })
    await expect(host.start()).rejects.toMatchObject({ reason: 'start' })
    expect([crashes, host.pid]).toEqual([['start'], undefined])
    const starting = expect(host.start()).rejects.toMatchObject({ reason: 'closed' })
    const { pid } = host
    await host.close()
    await starting
    expect([crashes, isRunning(pid!)]).toEqual([['start'], false])
    await rm(folder, { recursive: true })
  })

  test('without a limit of its own a process may take three quarters of the machine’s memory', async () => {
    vi.spyOn(os, 'totalmem').mockReturnValue(300 * 1024 * 1024)
    const host = openHost()
    vi.restoreAllMocks()
    await expect(host.normalise(asBytes({ act: 'bloat' }))).rejects.toMatchObject({
      reason: 'memory_limit',
    })
  })

  test('forgetting photos starts no process', async () => {
    const host = openHost()
    await host.forgetPhotos({ account: 'ann' })
    expect(host.pid).toBeUndefined()
  })

  test('the process ends when its host is killed', async () => {
    const script = `
      import { createEngineHost } from ${JSON.stringify(new URL('engine-host.ts', import.meta.url).href)}
      const host = createEngineHost({ processFile: new URL(${JSON.stringify(standIn.href)}) })
      await host.start()
      console.log(host.pid)
    `
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

describe('closing', () => {
  test('rejects what is under way or waits, ends the process and stays closed', async () => {
    const host = openHost({ generationsMax: 1 })
    const calls = [1, 2].map(async () => await host.makeSelfie(selfieRequest(60_000)))
    await host.start()
    const pid = host.pid!
    const settled = Promise.allSettled(calls)
    await host.close()
    for (const { status } of await settled) expect(status).toBe('rejected')
    expect(isRunning(pid)).toBe(false)
    await expect(host.normalise(asBytes({ act: 'echo' }))).rejects.toMatchObject({
      reason: 'closed',
    })
    await host.close()
  })

  test('a process that doesn’t end when it is asked to is given two seconds', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-deaf-'))
    const file = path.join(folder, 'deaf.mjs')
    await writeFile(file, `process.on('message', () => process.send({ type: 'ready' }))\n`)
    const host = openHost({ processFile: pathToFileURL(file) })
    await host.start()
    const pid = host.pid!
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const closed = host.close()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(isRunning(pid)).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    await closed
    expect(isRunning(pid)).toBe(false)
    await rm(folder, { recursive: true })
  })

  test('an idle process ends by itself', async () => {
    const host = openHost()
    await host.start()
    const pid = host.pid!
    await host.close()
    expect(isRunning(pid)).toBe(false)
  })
})

describe('the process', () => {
  test('knows no secret of this one', async () => {
    vi.stubEnv('SESSION_SECRET', 'do-not-tell')
    try {
      const environment = await askJson(openHost(), { act: 'report-environment' })
      expect(environment).toHaveProperty('MALLOC_ARENA_MAX')
      expect(JSON.stringify(environment)).not.toContain('do-not-tell')
      const allowed = Object.keys(minimalEnvironment(process.env))
      const names = Object.keys(environment).filter((name) => !name.startsWith('NODE_CHANNEL'))
      expect(names.filter((name) => !allowed.includes(name))).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('reads real photos at low priority, and survives a terminal’s Ctrl-C', async () => {
    const host = createEngineHost()
    hosts.push(host)
    const upload = readFileSync(new URL('../fixtures/user-4.jpg', import.meta.url))
    const read = await host.normalise(upload)
    expect(read).toMatchObject({ widthPx: 900, heightPx: 1200, mediaType: 'image/jpeg' })
    await expect(host.normalise(Buffer.from('<svg/>'))).rejects.toMatchObject({
      code: 'photo_format',
    })
    const png = await host.toPng(read.bytes)
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG')
    const { pid } = host
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`) : [pid]
    for (const thread of threads) {
      expect(os.getPriority(Number(thread))).toBeGreaterThanOrEqual(10)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal)
    await host.toPng(read.bytes)
    expect(host.pid).toBe(pid)
    if (process.platform === 'linux') {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      expect(line).toEqual(expect.arrayContaining([...processFlags]))
    }
  })

  test('learns at the start how to mark pictures and whether to give way, and reads marks', async () => {
    const host = createEngineHost({
      niceness: 0,
      provenance: { markKey: Buffer.from('0123456789abcdef') },
    })
    hosts.push(host)
    const [userPhoto, starPhoto] = await Promise.all(
      ['user-1.jpg', 'star-olmira.jpg'].map(
        async (name) =>
          await host.normalise(readFileSync(new URL(`../fixtures/${name}`, import.meta.url))),
      ),
    )
    const { watermarked } = await host.makeSelfie({
      ...selfieRequest(0),
      userPhoto: userPhoto!,
      stars: [{ photo: starPhoto! }],
      prompt: undefined,
      markId: '00112233445566ff',
    })
    expect(os.getPriority(host.pid)).toBe(os.getPriority())
    const { markId, xmp } = (await host.examine(watermarked)).provenance
    expect(markId).toBe('00112233445566ff')
    expect(xmp.systemName).toBe('Starside')
  })

  test('tells the operator at the start which setting can’t be used', async () => {
    const c2pa = { certificateChainPem: '', privateKeyPem: 'no key' }
    const host = createEngineHost({ provenance: { c2pa } })
    hosts.push(host)
    await expect(host.start()).rejects.toMatchObject({
      reason: 'start',
      message: expect.stringContaining('The C2PA private key can’t be read') as string,
    })
  })

  test('a host that is never asked leaves nothing running', async () => {
    const module = new URL('engine-host.ts', import.meta.url).href
    const script = `import { createEngineHost } from '${module}'; createEngineHost()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  })
})
