import { readFile, readdir } from 'node:fs/promises'

/** What a process and everything that it has started use; from Linux's /proc. */
export interface TreeUse {
  /** User and system time so far, with that of children that have ended. */
  cpuSeconds: number
  /** Memory of each process's own share (PSS), summed. */
  memoryMb: number
}

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Reads the tree under `rootPid`; without it when `withRoot` is false. */
export async function readTree(rootPid: number, withRoot = true): Promise<TreeUse> {
  const processes = await readProcesses()
  const members = new Set(withRoot ? [rootPid] : [])
  const parents = new Set([rootPid])
  // A child has started after its parent, but its number may be smaller: look until nothing is new.
  for (let before = -1; before !== parents.size;) {
    before = parents.size
    for (const { pid, parentPid } of processes) {
      if (!parents.has(parentPid)) continue
      parents.add(pid)
      members.add(pid)
    }
  }
  let cpuTicks = 0
  let memoryKb = 0
  for (const { pid, ticks } of processes) {
    if (!members.has(pid)) continue
    cpuTicks += ticks
    memoryKb += await readPssKb(pid)
  }
  return { cpuSeconds: cpuTicks / ticksPerSecond, memoryMb: memoryKb / 1024 }
}

async function readProcesses() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  )
  return stats.flatMap((stat, index) => {
    // Fields 3 and on (proc_pid_stat(5)); the second, a name in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 15) return []
    const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0)
    return [{ pid: Number(pids[index]), parentPid: Number(fields[1]), ticks }]
  })
}

async function readPssKb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
}
