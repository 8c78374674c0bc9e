/** What a check of the installation found. */
export interface Finding {
  /** `ok` needs nothing, `warning` works but not well, `problem` doesn't work. */
  level: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  text: string
  /** What to do; only beside a warning or a problem. Variables of the environment stand in it by name. */
  mend?: string
  /** Where that is done under `/admin`. */
  href?: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string, mend: string, href?: string): Finding => ({
  level: 'warning',
  text,
  mend,
  ...(href === undefined ? {} : { href }),
})
export const problem = (text: string, mend: string, href?: string): Finding => ({
  ...warning(text, mend, href),
  level: 'problem',
})
