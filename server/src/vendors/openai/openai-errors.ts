import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'

/**
 * Maps an answer that isn't a success: OpenAI's `{error: {message, type, code}}`, and the plain
 * `{detail}` of vLLM and SGLang.
 * @param body parsed JSON, of any shape
 */
export function openaiError(status: number, body: unknown, retryAfterMs?: number): HostedError {
  const { code, text } = readError(body)
  const detail = `the server answered ${status}: ${text}`
  if (status === 429 && code !== 'insufficient_quota' && code !== 'billing_hard_limit_reached') {
    return new HostedError('provider_busy', detail, { retryAfterMs })
  }
  if (status === 503) return new HostedError('provider_busy', detail, { retryAfterMs })
  if (status === 408 || status === 504 || status === 524) {
    return new HostedError('timeout', detail, { maybeAccepted: true })
  }
  if ([400, 413, 415, 422].includes(status)) {
    return new HostedError(isRefusal(code, text) ? 'policy_refused' : 'bad_input', detail)
  }
  // Keys, quota and model names are the operator's to mend; the user can only wait.
  return new HostedError('provider_down', detail, { maybeAccepted: status >= 500 })
}

function isRefusal(code: string, text: string): boolean {
  return (
    /moderation|content_policy|safety/.test(code) ||
    /safety system|content polic|moderation|safety checker/i.test(text)
  )
}

function readError(body: unknown): { code: string; text: string } {
  const { error, detail } = readObject(body)
  if (typeof error === 'object' && error !== null) {
    const { code, type, message } = readObject(error)
    const word = typeof code === 'string' ? code : type
    const name = typeof word === 'string' ? word : ''
    return { code: name, text: typeof message === 'string' ? message : name }
  }
  // sd-server says `server_error`, with the words beside it.
  const words = readObject(body)['message']
  if (typeof error === 'string' && typeof words === 'string') return { code: error, text: words }
  const text = typeof error === 'string' ? error : detail
  return { code: '', text: typeof text === 'string' ? text : JSON.stringify(text ?? '') }
}
