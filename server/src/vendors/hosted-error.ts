import type { ErrorCode } from '@starside/contract/errors.ts'
import { keysOf } from '@starside/contract/keys-of.ts'

/** What can go wrong with a hosted provider. A closed list: every vendor's words are mapped to it. */
export type HostedErrorKind =
  /** The vendor's safety rules turned the photos, the words or the result down. */
  | 'policy_refused'
  /** The vendor can't work with these photos or fields. */
  | 'bad_input'
  /** Too many requests for now; surely not accepted and not charged. */
  | 'provider_busy'
  /** Unreachable, broken, out of credit, or refusing our key. */
  | 'provider_down'
  /** No answer within the time we give it. */
  | 'timeout'
  /** The picture shows somebody who is not in the photos. */
  | 'likeness_lost'
  /** Anything else, as a picture that is none or has too few or too many faces. */
  | 'unknown'

interface HostedErrorRule {
  /** What the user is told, when no further provider is asked. */
  code: ErrorCode
  /** How often the same provider is asked again within one charge. Only what was surely not accepted. */
  retriesMax: number
  /** Whether the next provider of the chain is asked unless the operator says otherwise. */
  failsOver: boolean
  /** Whether it counts as a failure of the provider, so that others are spared the wait. */
  opensCircuit: boolean
}

/** What follows from each kind. The credit comes back with every one of them. */
export const hostedErrorRules: Readonly<Record<HostedErrorKind, HostedErrorRule>> = {
  policy_refused: {
    code: 'provider_refused',
    retriesMax: 0,
    failsOver: false,
    opensCircuit: false,
  },
  bad_input: { code: 'provider_bad_input', retriesMax: 0, failsOver: false, opensCircuit: false },
  provider_busy: { code: 'provider_busy', retriesMax: 3, failsOver: true, opensCircuit: false },
  provider_down: { code: 'provider_down', retriesMax: 0, failsOver: true, opensCircuit: true },
  timeout: { code: 'provider_timeout', retriesMax: 0, failsOver: true, opensCircuit: true },
  likeness_lost: { code: 'likeness_lost', retriesMax: 0, failsOver: true, opensCircuit: false },
  unknown: { code: 'generation_failed', retriesMax: 0, failsOver: true, opensCircuit: false },
}

export const hostedErrorKinds = keysOf(hostedErrorRules)

/** An expected failure of a hosted provider, with the vendor's own words for the operator's log. */
export class HostedError extends Error {
  override name = 'HostedError'
  readonly kind: HostedErrorKind
  /** True when the connection died before the answer: such a request is never submitted again. */
  readonly maybeAccepted: boolean
  /** Milliseconds to wait before the provider is asked again, where it said so. */
  readonly retryAfterMs: number | undefined

  /** @param detail the vendor's words, cut to 300 characters; never shown to the user */
  constructor(
    kind: HostedErrorKind,
    detail: string,
    options: { cause?: unknown; maybeAccepted?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(detail.slice(0, 300), { cause: options.cause })
    this.kind = kind
    this.maybeAccepted = options.maybeAccepted ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}
