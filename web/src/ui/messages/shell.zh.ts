import type { ShellMessages } from './shell.en.ts'
import { messages as english } from './shell.en.ts'

export const messages: ShellMessages = english
