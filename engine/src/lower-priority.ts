import { readdirSync } from 'node:fs'
import os from 'node:os'

/** Pictures are made when the server has nothing better to do (POSIX nice value). */
const priority = 10

/**
 * Lowers the priority of this process, whatever it was started with. On Linux each thread has its
 * own and takes that of the thread that starts it, so those that run already are lowered one by one.
 * Source: setpriority(2), "C library/kernel differences".
 */
export function lowerPriority(): void {
  const lowered = Math.max(priority, os.getPriority())
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : ['0']
    for (const thread of threads) os.setPriority(Number(thread), lowered)
  } catch {
    // Not allowed everywhere; the engine works at any priority.
  }
}
