import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const connections = 1_000
/** Only what hangs is given up. */
const giveUpMs = 120_000

/** Connects from a thread of its own, which goes on while this one stands still. */
const visitors = `
  const { connect } = require('node:net')
  const { workerData } = require('node:worker_threads')
  for (let n = 0; n < workerData.connections; n++) {
    connect(workerData.port, '127.0.0.1', () => {
      Atomics.add(workerData.connected, 0, 1)
      Atomics.notify(workerData.connected, 0)
    })
  }`

function systemAllows(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

test.skipIf(systemAllows() < connections)(
  'many connections at once are all accepted while the program is busy',
  async () => {
    const app = Fastify()
    const url = await listen(app, { port: 0, host: '127.0.0.1' })
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(visitors, {
      eval: true,
      workerData: { port: Number(new URL(url).port), connections, connected },
    })
    try {
      await new Promise((resolve) => worker.once('online', resolve))
      // Nothing is accepted from here on: this is the thread that would.
      const until = performance.now() + giveUpMs
      for (;;) {
        const count = Atomics.load(connected, 0)
        const left = until - performance.now()
        if (count === connections || left <= 0) break
        Atomics.wait(connected, 0, count, left)
      }
      expect(Atomics.load(connected, 0)).toBe(connections)
    } finally {
      await worker.terminate()
      await app.close()
    }
  },
)
