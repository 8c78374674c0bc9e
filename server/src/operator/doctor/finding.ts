/** What a check of the installation found. */
export interface Finding {
  /** `ok` needs nothing, `warning` works but not well, `problem` doesn't work. */
  level: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  text: string
  /** What to do; only beside a warning or a problem. */
  mend?: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string, mend: string): Finding => ({ level: 'warning', text, mend })
export const problem = (text: string, mend: string): Finding => ({ level: 'problem', text, mend })
