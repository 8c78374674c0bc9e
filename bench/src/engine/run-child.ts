import { fork } from 'node:child_process'
import { minimalEnvironment } from '@starside/engine/engine-child.ts'
import { processFlags } from '@starside/engine/process-settings.ts'
import sharp from 'sharp'
import { median } from '../page/figures.ts'

/** `floor` decodes and encodes the photos by sharp alone; `turns` times everything, one after the other. */
export type Job = 'floor' | 'selfies' | 'sheets' | 'turns'

/** What a process is asked for. */
export interface ChildOrder {
  job: Job
  /** The user's first. */
  photos: Buffer[]
  rounds: number
}

/** Milliseconds by the clock, and of all threads together. */
export interface Turn {
  wallMs: number
  cpuMs: number
}

/** What one process measured, each kind in the order of its rounds. */
export interface ChildReport {
  turns: Record<'selfie' | 'sheet' | 'further' | 'preview' | 'press' | 'pressKept', Turn[]>
  peakMb: number
  /** Resident memory after each round. */
  memoryMb: number[]
}

/** Has a process of its own do the job, started as the engine's own process is. */
export function runChild(order: ChildOrder): Promise<ChildReport> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('measured-child.ts', import.meta.url), [], {
      env: minimalEnvironment(process.env),
      execArgv: [...processFlags],
      serialization: 'advanced',
    })
    child.on('message', (report: ChildReport) => {
      resolve(report)
      child.disconnect()
    })
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`The measured process ended with ${code}`)))
    child.send(order)
  })
}

/** The middle of the turns. */
export function medianTurn(turns: readonly Turn[]): Turn {
  return {
    wallMs: median(turns.map(({ wallMs }) => wallMs)),
    cpuMs: median(turns.map(({ cpuMs }) => cpuMs)),
  }
}

/** The photo as a phone would have sent it: 12 megapixels, JPEG; a cut-out stays as it is. */
export async function twelveMegapixels(file: Buffer, progressive = false): Promise<Buffer> {
  const { width, height, hasAlpha } = await sharp(file).autoOrient().metadata()
  if (hasAlpha) return file
  const scale = Math.sqrt(12_000_000 / (width * height))
  return await sharp(file)
    .autoOrient()
    .resize(Math.round(width * scale))
    .jpeg({ quality: 92, progressive })
    .toBuffer()
}
