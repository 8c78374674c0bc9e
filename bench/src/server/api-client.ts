import http from 'node:http'
import { generateForm } from '@starside/server/testing/generate-form.ts'
import { readPersonPhoto } from '@starside/server/testing/test-photo.ts'

export interface ApiCall {
  path: string
  token?: string
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
}

export interface ApiAnswer {
  status: number
  /** Milliseconds from the request to the answer's last byte. */
  ms: number
  text: string
}

/** Calls the API as many browsers do: connections stay open, each call is timed. */
export function openApiClient(url: string) {
  const { hostname, port } = new URL(url)
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' })
  const call = ({ path, token, method = 'GET', headers, body }: ApiCall) =>
    new Promise<ApiAnswer>((resolve, reject) => {
      const startedAt = performance.now()
      const request = http.request(
        {
          hostname,
          port,
          agent,
          path,
          method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              ms: performance.now() - startedAt,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  return { call, close: () => agent.destroy() }
}

export type ApiClient = ReturnType<typeof openApiClient>

/** A form of `generate` as bytes, made once for many calls. */
export async function packSelfieForm(): Promise<PackedForm> {
  const form = await generateForm({ userPhoto: await readPersonPhoto() })
  const response = new Response(form)
  return {
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()),
  }
}

export interface PackedForm {
  headers: { 'content-type': string }
  body: Buffer
}

/** Makes a selfie and waits for it; throws when it fails. */
export async function makeSelfie(
  client: ApiClient,
  token: string,
  form: PackedForm,
): Promise<void> {
  const path = '/api/ai?action=generate'
  const { status, text } = await client.call({ path, method: 'POST', token, ...form })
  if (status !== 200) throw new Error(`generate: ${status} ${text}`)
}
