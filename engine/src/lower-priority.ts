import { readdirSync } from 'node:fs'
import os from 'node:os'

/**
 * Lowers this process's priority to `niceness` (POSIX nice value, 0 to 19), if it isn't lower. Linux has one for each thread, so
 * running ones are lowered too. Source: setpriority(2), "C library/kernel differences".
 */
export function lowerPriority(niceness: number): void {
  const lowered = Math.max(niceness, os.getPriority())
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : ['0']
    for (const thread of threads) os.setPriority(Number(thread), lowered)
  } catch {
    // Not allowed everywhere; the engine works at any priority.
  }
}
