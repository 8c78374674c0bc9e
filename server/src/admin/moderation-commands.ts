import { parseArgs } from 'node:util'
import { isUuid } from '../db/uuid.ts'
import { readModerationLog } from '../moderation/moderation-log.ts'
import { findReport, listReports } from '../reports/list-reports.ts'
import { removePicture } from '../reports/remove-picture.ts'
import { resolveReport } from '../reports/resolve-report.ts'
import { setSuspension } from '../reports/suspend-user.ts'
import { openStore } from '../storage/open-store.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'

export const moderationCommands: AdminCommands = {
  'reports list': {
    readsOnly: true,
    usage: '[--all]',
    help: 'lists open reports with their deadlines, the most urgent first',
    run: printReports,
  },
  'reports show': {
    readsOnly: true,
    usage: 'REPORT_ID',
    help: 'shows a report, the picture it is about, and every step taken',
    run: showReport,
  },
  'reports resolve': {
    usage: 'REPORT_ID --outcome removed|kept|not_found --note TEXT',
    help: 'decides a report; removed also removes the picture',
    run: decideReport,
  },
  'picture remove': {
    usage: 'PICTURE_ID --reason TEXT [--copies]',
    help: 'removes a picture and its link for good, blocks it and its photos from coming back',
    run: removeByOperator,
  },
  'user suspend': {
    usage: 'EMAIL --reason TEXT',
    help: 'closes an account: nobody gets in, its public links end',
    run: (parts, words) => suspend(parts, words, true),
  },
  'user unsuspend': {
    usage: 'EMAIL --reason TEXT',
    help: 'opens a suspended account again',
    run: (parts, words) => suspend(parts, words, false),
  },
}

const reportsMax = 200

async function printReports({ database, clock, print }: AdminParts, words: string[]) {
  const { values } = parseArgs({
    args: words,
    options: { all: { type: 'boolean', default: false } },
  })
  const reports = await listReports(database, { all: values.all, limit: reportsMax })
  for (const report of reports) {
    const state =
      report.outcome ?? (report.due_at < clock() ? 'OVERDUE' : `due ${report.due_at.toISOString()}`)
    print(`${report.id}  ${state}  ${report.reason}  picture ${report.generation_id ?? 'unknown'}`)
  }
  if (reports.length === 0) print(values.all ? 'There are no reports.' : 'No report is open.')
  return 0
}

async function showReport({ database, print }: AdminParts, [reportId = '']: string[]) {
  const report = isUuid(reportId) ? await findReport(database, reportId) : undefined
  if (report === undefined) {
    print('There is no such report.')
    return 1
  }
  print(`Report    ${report.id}`)
  print(`Filed     ${report.created_at.toISOString()}, due ${report.due_at.toISOString()}`)
  print(`Reason    ${report.reason}`)
  print(`Picture   ${report.generation_id ?? 'not known here'}`)
  print(`Link      ${bareText(report.link)}`)
  print(`Contact   ${bareText(report.contact)}`)
  print(`Details   ${bareText(report.details) || '(none)'}`)
  print(`Outcome   ${report.outcome ?? 'open'} ${bareText(report.note ?? '')}`.trimEnd())
  const steps = await readModerationLog(database, {
    reportId,
    generationId: report.generation_id ?? undefined,
  })
  for (const { at, actor, act, detail } of steps) {
    print(`  ${at.toISOString()}  ${actor}  ${act}  ${detail}`.trimEnd())
  }
  return 0
}

async function decideReport(parts: AdminParts, words: string[]): Promise<number> {
  const { database, print } = parts
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { outcome: { type: 'string' }, note: { type: 'string' } },
  })
  const [reportId = ''] = positionals
  const note = values.note?.trim() ?? ''
  const outcome = (['removed', 'kept', 'not_found'] as const).find((it) => it === values.outcome)
  if (outcome === undefined || note === '') {
    print('Say how and why: REPORT_ID --outcome removed|kept|not_found --note TEXT.')
    return 2
  }
  const report = isUuid(reportId) ? await findReport(database, reportId) : undefined
  if (report === undefined || report.outcome !== null) {
    print(report === undefined ? 'There is no such report.' : 'It was decided before.')
    return 1
  }
  if (outcome !== 'removed') {
    await resolveReport(parts, { reportId, outcome, note })
    print(`Decided: ${outcome}.`)
    return 0
  }
  if (report.generation_id === null) {
    print('Which picture it is about is not known; remove it by its id, then resolve not_found.')
    return 1
  }
  return remove(parts, { generationId: report.generation_id, reason: note, copies: false })
}

async function removeByOperator(parts: AdminParts, words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { reason: { type: 'string' }, copies: { type: 'boolean', default: false } },
  })
  const [generationId = ''] = positionals
  const reason = values.reason?.trim() ?? ''
  if (reason === '') {
    parts.print('Say which and why: PICTURE_ID --reason TEXT.')
    return 2
  }
  return remove(parts, { generationId, reason, copies: values.copies })
}

async function remove(
  parts: AdminParts,
  options: { generationId: string; reason: string; copies: boolean },
): Promise<number> {
  const { config, database, clock, print } = parts
  const store = await openStore(config, { warn: (_details, message) => print(message) })
  const removed = isUuid(options.generationId)
    ? await removePicture({ database, clock, store }, options)
    : undefined
  if (removed === undefined) {
    print('There is no such finished picture.')
    return 1
  }
  print(`Removed. ${removed.blocked} hashes are blocked. Its owner is ${removed.ownerId}.`)
  for (const generationId of removed.copies) {
    if (!options.copies) {
      print(`Looks the same: ${generationId} (--copies removes such pictures too)`)
      continue
    }
    await removePicture({ database, clock, store }, { generationId, reason: options.reason })
    print(`Removed the copy ${generationId}.`)
  }
  return 0
}

async function suspend(parts: AdminParts, words: string[], suspended: boolean): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  })
  const [email = ''] = positionals
  const reason = values.reason?.trim() ?? ''
  if (email === '' || reason === '') {
    parts.print('Say whom and why: EMAIL --reason TEXT.')
    return 2
  }
  const userId = await setSuspension(parts, { email, suspended, reason })
  if (userId === undefined) {
    parts.print(`Nobody has this e-mail, or the account is ${suspended ? 'suspended' : 'active'}.`)
    return 1
  }
  parts.print(`${userId} is ${suspended ? 'suspended' : 'active again'}.`)
  return 0
}

/** A stranger's words on a terminal: one line, without control characters. */
function bareText(text: string): string {
  return text.replaceAll(/\p{C}+/gu, ' ').trim()
}
