import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createMailer,
  describeMissingMail,
  endMails,
  isRefusedForGood,
  sendInBackground,
} from './mailer.ts'

const mail = {
  to: 'person@example.test',
  subject: 'Set a new password',
  text: 'https://selfie.example/auth?mode=reset#token=secret',
}
const open = (writeToConsole?: (text: string) => void) => {
  const logged: unknown[] = []
  const log = { error: (...line: unknown[]) => logged.push(line) }
  const from = () => 'Starside <no-reply@selfie.example>'
  return { mailer: createMailer({ smtpUrl: undefined, from, writeToConsole, log }), logged }
}

/** A mailer whose server speaks so with who connects, and what it logs. */
async function openServed(speak: (socket: Socket) => void) {
  const server = createServer(speak)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const logged: unknown[][] = []
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: () => 'Starside <no-reply@selfie.example>',
    writeToConsole: undefined,
    log: { error: (...line) => logged.push(line) },
  })
  return { mailer, logged }
}

test('without a mail server the terminal shows mails, where there is somebody to read it', async () => {
  const printed: string[] = []
  const { mailer } = open((text) => printed.push(text))
  await mailer.send(mail)
  expect(printed.join('')).toContain(mail.text)
  expect(mailer.isSetUp).toBe(true)
  expect(describeMissingMail(mailer)).toBeUndefined()
})

test('without either, nothing is written anywhere, and what does not work is said', async () => {
  const { mailer, logged } = open()
  await mailer.send(mail)
  expect(logged).toEqual([])
  expect(mailer.isSetUp).toBe(false)
  expect(describeMissingMail(mailer)).toMatch(/^SMTP_URL is not set.*passwords/)
})

test('a mail goes to the address that it names and to nobody else', async () => {
  const lines: string[] = []
  const { mailer } = await openServed((socket) => {
    let isData = false
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        lines.push(line)
        if (isData && line !== '.') continue
        const isEnd = isData
        isData = line === 'DATA'
        if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write(isData ? '354 go on\r\n' : isEnd ? '250 taken\r\n' : '250 ok\r\n')
      }
    })
  })
  // Registered before such addresses were refused.
  await mailer.send({ ...mail, to: 'x@a.example,ada@a.example' }).catch(() => undefined)
  await mailer.send({ ...mail, to: 'ada@a.example' })
  const recipients = lines.filter((line) => line.startsWith('RCPT TO:'))
  expect(recipients.filter((line) => line === 'RCPT TO:<ada@a.example>')).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('MAIL FROM:')).at(-1)).toMatch(
    /^MAIL FROM:<no-reply@selfie\.example>/,
  )
})

test('a mail that the server doesn’t take is logged and told', async () => {
  const { mailer, logged } = await openServed((socket) => void socket.end('421 come again\r\n'))
  await expect(mailer.send(mail)).rejects.toThrow('421')
  expect(logged.map(([, message]) => message)).toEqual(['a mail could not be sent'])
})

test.each([
  [550, '5.1.1', true],
  [450, '4.2.0', false],
])('a recipient that is refused with %i is in no log', async (code, status, isFinal) => {
  const { mailer, logged } = await openServed((socket) => {
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      const [, to] = /^RCPT TO:(<.*>)/m.exec(chunk.toString()) ?? []
      socket.write(to ? `${code} ${status} ${to}: Recipient address rejected\r\n` : '250 ok\r\n')
    })
  })
  const failure = await mailer.send(mail).catch((error: unknown) => error)
  expect(inspect([logged, failure], { depth: 9 })).toContain(`the mail server: ${code}`)
  expect(inspect([logged, failure], { depth: 9 })).not.toContain(mail.to)
  expect(isRefusedForGood(failure)).toBe(isFinal)
})

test('a mail server that is away has refused nobody', () => {
  const away = new Error('the mail server: ECONNREFUSED')
  expect(() => isRefusedForGood(away)).toThrow(away)
})

describe('a mail in the background', () => {
  async function send(failures: number) {
    const tries: number[] = []
    const waited: number[] = []
    const mailer = {
      async send() {
        tries.push(tries.length)
        if (tries.length <= failures) throw new Error('away')
      },
    }
    sendInBackground(mailer, mail, async (ms) => waited.push(ms))
    await expect.poll(() => tries.length).toBe(Math.min(failures + 1, 4))
    return { tries: tries.length, waited }
  }

  test('is sent once where the server takes it', async () => {
    expect(await send(0)).toEqual({ tries: 1, waited: [] })
  })

  test('is tried again later and later, and then given up in silence', async () => {
    expect(await send(2)).toEqual({ tries: 3, waited: [10_000, 60_000] })
    expect(await send(9)).toEqual({ tries: 4, waited: [10_000, 60_000, 600_000] })
  })

  test('that waits for its next try has it at once when the program ends', async () => {
    let tries = 0
    const mailer = {
      async send() {
        tries += 1
        if (tries === 1) throw new Error('away')
      },
    }
    const wait = vi.fn((_ms: number, signal: AbortSignal) => once(signal, 'abort'))
    sendInBackground(mailer, mail, wait)
    await expect.poll(() => wait.mock.calls.length).toBe(1)
    await endMails(60_000)
    expect(tries).toBe(2)
  })

  test('that is not taken at the end either is given up with the program', async () => {
    const take = vi.fn(async () => Promise.reject(new Error('away')))
    const wait = vi.fn(async (_ms: number, signal: AbortSignal) => {
      if (!signal.aborted) await once(signal, 'abort')
    })
    sendInBackground({ send: take }, mail, wait)
    await expect.poll(() => wait.mock.calls.length).toBe(1)
    await endMails(60_000)
    expect(take).toHaveBeenCalledTimes(2)
  })

  test('that no server takes does not keep the program from ending', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    sendInBackground({ send: () => promise }, mail)
    await endMails(1)
    resolve()
    await endMails(60_000)
  })
})
