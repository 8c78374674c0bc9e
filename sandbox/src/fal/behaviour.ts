/** How the stand-in treats one request; whoever controls it mixes these freely. */
export interface Behaviour {
  submit: (typeof choices.submit)[number]
  /** How many pictures it has, of those that were asked for. */
  count: (typeof choices.count)[number]
  /** How the request ends. */
  end: (typeof choices.end)[number]
  webhook: (typeof choices.webhook)[number]
  /** How questions about the request are answered. */
  polls: (typeof choices.polls)[number]
  /** What is at the picture's address. */
  file: (typeof choices.file)[number]
  /** Milliseconds in the queue, then at work. */
  queueMs: number
  workMs: number
}

export const choices = {
  submit: [
    'accept',
    /** The connection dies before the request is taken. */
    'drop',
    /** The request is taken, the answer is lost. */
    'accept_and_drop',
    /** The request is taken, and answered only when its webhook was delivered. */
    'accept_after_webhook',
    'busy',
    'down',
    /** A gateway's 502, behind which the request was taken. */
    'accept_behind_502',
    'unauthorised',
    /** Addresses on another host, where our key would go. */
    'foreign_urls',
  ],
  end: [
    'picture',
    'policy',
    'no_media',
    'bad_input',
    'failure',
    'empty',
    'flagged',
    'timeout',
    'never',
  ],
  count: ['asked', 'more', 'fewer'],
  webhook: ['send', 'none', 'twice', 'forged', 'old', 'wrong_request', 'unsigned'],
  polls: ['answer', 'drop_two', 'fail_two', 'nonsense_two'],
  file: [
    'picture',
    'html',
    'huge',
    'endless',
    'drop',
    'drop_once',
    'fail_once',
    'redirect',
    'redirect_to_private',
    'at_private',
    'at_foreign',
    'damaged',
    'tiny',
    'data_url',
  ],
} as const

export const usualBehaviour: Behaviour = {
  submit: 'accept',
  end: 'picture',
  count: 'asked',
  webhook: 'send',
  polls: 'answer',
  file: 'picture',
  queueMs: 0,
  workMs: 0,
}

/** Reads the named parts of a behaviour; the others are the usual ones. Throws for unknown words. */
export function readBehaviour(body: unknown): Behaviour {
  const given = { ...(body as Record<string, unknown>) }
  const behaviour: Record<string, unknown> = { ...usualBehaviour }
  for (const [name, value] of Object.entries(given)) {
    const words: readonly string[] | undefined = Object.hasOwn(choices, name)
      ? choices[name as keyof typeof choices]
      : undefined
    const isDelay = (name === 'queueMs' || name === 'workMs') && Number.isFinite(value)
    if (!isDelay && words?.includes(String(value)) !== true) {
      throw new TypeError(`${name} may be ${words?.join(', ') ?? 'no setting of the stand-in'}`)
    }
    behaviour[name] = value
  }
  return behaviour as unknown as Behaviour
}
