import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeConnectionsAtStop } from './close-connections.ts'

/** A server that waits ten minutes for the headers of a request. */
async function open() {
  const app = Fastify({
    forceCloseConnections: 'idle',
    http: { headersTimeout: 600_000, requestTimeout: 600_000 },
  })
  const stop = new AbortController()
  closeConnectionsAtStop(app, stop.signal)
  const go = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    begun.resolve()
    await go.promise
    return 'done'
  })
  const stopping = Promise.withResolvers<void>()
  app.addHook('preClose', async () => {
    stop.abort()
    stopping.resolve()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, port, begun: begun.promise, stopping: stopping.promise, go: () => go.resolve() }
}

test('a connection on which nothing was ever sent does not hold up the stop', async () => {
  const { app, port } = await open()
  const accepted = once(app.server, 'connection')
  const silent = connect(port, '127.0.0.1')
  const ended = once(silent, 'close')
  await accepted
  await app.close()
  await ended
  expect(silent.bytesRead).toBe(0)
})

test('an answer under way is still given, and ends its connection', async () => {
  const { app, port, begun, stopping, go } = await open()
  const answer = fetch(`http://127.0.0.1:${port}/slow`)
  await begun
  const closed = app.close()
  await stopping
  go()
  const { status, headers } = await answer
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  await closed
})

test('an answer that takes its time is still given, though silent connections are closed meanwhile', async () => {
  const { app, port, begun, stopping, go } = await open()
  const answer = fetch(`http://127.0.0.1:${port}/slow`)
  await begun
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const closed = app.close()
  await stopping
  vi.advanceTimersByTime(2_000)
  go()
  expect(await (await answer).text()).toBe('done')
  await closed
})

test('every answer ends its connection from the moment on in which the program is told to stop', async () => {
  const stop = new AbortController()
  const app = Fastify()
  closeConnectionsAtStop(app, stop.signal)
  app.get('/', async () => 'here')
  const connection = async () => (await app.inject('/')).headers['connection']
  expect(await connection()).not.toBe('close')
  stop.abort()
  expect(await connection()).toBe('close')
})
