import { readFileSync } from 'node:fs'

/** The look of the operator's pages: the paper and ink of the app, without its pictures. */
export const operatorStyle = readFileSync(new URL('operator-style.css', import.meta.url), 'utf8')
