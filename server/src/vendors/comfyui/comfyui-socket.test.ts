import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { serveSockets } from '../../testing/vendors/comfyui-sockets.ts'
import { expect, test } from 'vitest'
import type { RequestListener } from '../hosted-provider.ts'
import { createComfySocket } from './comfyui-socket.ts'

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A socket to a ComfyUI that says what it is told to, and the news of it. */
async function openSocket() {
  const server = createServer()
  const sockets = serveSockets(server)
  let connections = 0
  server.on('upgrade', () => (connections += 1))
  const news: Parameters<RequestListener>[] = []
  const port = await portOf(server)
  const socket = createComfySocket({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: 'we',
    onNews: (...said) => void news.push(said),
  })
  return {
    socket,
    sockets,
    isOpen: () => expect.poll(() => sockets.count()).toBe(1),
    isClosed: () => expect.poll(() => sockets.count()).toBe(0),
    connections: () => connections,
    say: (type: string, data: object) => sockets.send('we', type, data),
    /** All news so far: what was said is taken in order, and this request's is said last. */
    async news() {
      socket.follow('last')
      sockets.send('we', 'executing', { prompt_id: 'last', node: '1' })
      await expect.poll(() => news.at(-1)?.[0]).toBe('last')
      return news.splice(0).slice(0, -1)
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      sockets.close()
      server.close()
      await once(server, 'close')
    },
  }
}

test('the first work on a request is news, and its end, and nothing else without a percentage', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  comfy.socket.follow('b')
  await comfy.isOpen()
  comfy.say('execution_start', { prompt_id: 'a' })
  comfy.say('execution_success', { prompt_id: 'a', node: null })
  expect(await comfy.news()).toEqual([])
  for (const node of ['5', '6']) comfy.say('executing', { prompt_id: 'a', node })
  expect(await comfy.news()).toEqual([['a']])
  comfy.say('progress', { prompt_id: 'b', value: 0, max: 4 })
  comfy.say('executing', { prompt_id: 'b', node: '5' })
  expect(await comfy.news()).toEqual([['b']])
  comfy.say('executing', { prompt_id: 'a', node: null })
  comfy.say('executing', { prompt_id: 'a', node: null })
  expect(await comfy.news(), 'after its end there is none').toEqual([['a']])
})

test('its longest node’s steps are said in fives, never back', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.say('executing', { prompt_id: 'a', node: '1' })
  expect(await comfy.news()).toEqual([['a']])
  const percents = async (...steps: [value: unknown, max: unknown][]) => {
    for (const [value, max] of steps) comfy.say('progress', { prompt_id: 'a', value, max })
    return (await comfy.news()).map(([, percent]) => percent)
  }
  expect(await percents([1, 1])).toEqual([100])
  comfy.socket.follow('a')
  comfy.say('executing', { prompt_id: 'a', node: '1' })
  await comfy.news()
  expect(await percents([0, 20], [1, 20], [1, 20], [1.9, 20], [2, 20])).toEqual([5, 10])
  expect(await percents([0, 30], [20, 20], [29, 30.5]), 'of a shorter one, nothing').toEqual([95])
  expect(await percents([31, 30.5], [-1, -1], ['41', 41], [41, '41'])).toEqual([])
  expect(await percents([-5, 41], [0.5, 0.5], [null, 41], [41, undefined])).toEqual([])
  expect(await percents([34, 34])).toEqual([100])
})

test('a node of no step tells nothing', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.say('executing', { prompt_id: 'a', node: '1' })
  await comfy.news()
  comfy.say('progress', { prompt_id: 'a', value: 0, max: 0 })
  comfy.say('progress', { prompt_id: 'a', value: 0.9, max: 0.9 })
  expect(await comfy.news()).toEqual([])
  comfy.say('progress', { prompt_id: 'a', value: 1, max: 1 })
  expect(await comfy.news()).toEqual([['a', 100]])
})

test('news of another kind is none, whatever steps it names', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.say('status', { prompt_id: 'a', value: 1, max: 2 })
  expect(await comfy.news()).toEqual([])
  comfy.say('executing', { prompt_id: 'a', node: '1' })
  comfy.say('executing', { prompt_id: 'a', node: '2', value: 1, max: 2 })
  expect(await comfy.news()).toEqual([['a']])
})

test('what is of no request that is followed, or too long, or no message, is passed over', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.say('executing', { prompt_id: 'b', node: '1' })
  comfy.say('executing', { prompt_id: 7, node: '1' })
  comfy.say('executing', { prompt_id: 'b', node: null })
  expect(await comfy.news()).toEqual([])
  const lengthOf = (pad: string) =>
    JSON.stringify({ type: 'executing', data: { prompt_id: 'a', node: '1', pad } }).length
  const pad = 'x'.repeat(1024 * 1024 - lengthOf(''))
  comfy.say('executing', { prompt_id: 'a', node: '1', pad: `${pad}x` })
  expect(await comfy.news()).toEqual([])
  comfy.say('executing', { prompt_id: 'a', node: '1', pad })
  expect(await comfy.news()).toEqual([['a']])
})

test('the socket stays open up to the last request’s end, and opens anew with the next', async () => {
  await using comfy = await openSocket()
  for (const id of ['a', 'b']) comfy.socket.follow(id)
  await comfy.isOpen()
  comfy.socket.unfollow('a')
  comfy.say('executing', { prompt_id: 'b', node: '1' })
  comfy.say('executing', { prompt_id: 'b', node: null })
  await comfy.isClosed()
  comfy.socket.follow('c')
  await comfy.isOpen()
  comfy.say('executing', { prompt_id: 'c', node: '1' })
  expect(await comfy.news()).toEqual([['b'], ['b'], ['c']])
  comfy.socket.close()
  await comfy.isClosed()
})

test('a request that begins as the last one ends gets its news all the same', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.socket.unfollow('a')
  comfy.socket.follow('b')
  await expect.poll(comfy.connections).toBe(2)
  comfy.say('executing', { prompt_id: 'b', node: '1' })
  expect(await comfy.news()).toEqual([['b']])
})

test('a connection that is lost opens again with the next request', async () => {
  await using comfy = await openSocket()
  comfy.socket.follow('a')
  await comfy.isOpen()
  comfy.sockets.drop('we')
  await comfy.isClosed()
  await expect
    .poll(() => {
      comfy.socket.follow('b')
      return comfy.sockets.count()
    })
    .toBe(1)
})

test.for([
  ['https', 0x16],
  ['http', 'G'.charCodeAt(0)],
] as const)('an address of %s is asked by its protocol', async ([protocol, firstByte]) => {
  const first = Promise.withResolvers<number | undefined>()
  const server = createTcpServer((connection) => {
    connection.on('error', () => {})
    connection.once('data', (bytes) => {
      first.resolve(bytes[0])
      connection.destroy()
    })
  })
  const baseUrl = `${protocol}://127.0.0.1:${await portOf(server)}`
  const socket = createComfySocket({ baseUrl, clientId: 'we', onNews: () => {} })
  socket.follow('a')
  expect(await first.promise).toBe(firstByte)
  socket.close()
  server.close()
})
