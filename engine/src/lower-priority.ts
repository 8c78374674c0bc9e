import { readdirSync } from 'node:fs'
import os from 'node:os'

/**
 * Lowers the priority of this process to `niceness` (POSIX nice value, 0 to 19), if it isn't lower. On Linux each thread has its
 * own and takes that of the thread that starts it, so those that run already are lowered one by one.
 * Source: setpriority(2), "C library/kernel differences".
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
