import { fork } from 'node:child_process'
import type { Scene } from '@starside/engine/image-provider.ts'

/** One picture; user and star are files. */
export interface PictureOrder {
  user: string
  star: string
  scene: Scene
  seed: number
}

/** A PNG, or why there is none. */
export type PictureAnswer = { picture: Uint8Array } | { refusal: string }

/** The engine of one checkout, in a process of its own. */
export interface JudgedEngine {
  /** One picture at a time. */
  make(order: PictureOrder): Promise<PictureAnswer>
  close(): void
}

/** @param project the folder of an installed checkout */
export function startJudgedEngine(project: string): JudgedEngine {
  const child = fork(new URL('./judged-engine-child.ts', import.meta.url), [project], {
    cwd: project,
    serialization: 'advanced',
  })
  return {
    make: (order) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void =>
          reject(new Error(`The engine of ${project} ended with ${code}`))
        child.once('exit', ended)
        child.once('message', (answer: PictureAnswer) => {
          child.off('exit', ended)
          resolve(answer)
        })
        child.send(order)
      }),
    close: () => child.disconnect(),
  }
}
