import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'

/** The page of benchmarks. */
const pageFile = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url))
const title = '# Benchmarks'

/** A part of the page of benchmarks, which one measurement writes. */
export interface Section {
  title: string
  /** Tables and sentences, a string for each line. */
  lines: readonly string[]
}

/** The section as Markdown, with its title and the command and machine that made it. */
export function sectionText({ title: sectionTitle, lines }: Section, command: string): string {
  return [`## ${sectionTitle}`, '', ...madeBy(command), '', ...lines].join('\n')
}

/** Puts the section into the page of benchmarks; the other sections stay as they are. */
export async function writeSection(sectionTitle: string, text: string): Promise<void> {
  const page = await readFile(pageFile, 'utf8').catch(() => `${title}\n`)
  await writeFile(pageFile, placeSection(page, sectionTitle, text))
}

/** The page with the section in the place of the earlier one of that title, or at its end. */
export function placeSection(page: string, sectionTitle: string, text: string): string {
  const sections = page
    .replace(`${title}\n`, '')
    .split(/^(?=## )/m)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const at = sections.findIndex((part) => part.split('\n')[0] === `## ${sectionTitle}`)
  if (at < 0) sections.push(text)
  else sections[at] = text
  return `${[title, ...sections].join('\n\n')}\n`
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
}

function madeBy(command: string): string[] {
  const cpu = os.cpus()[0]?.model ?? 'unknown'
  return [
    `Made by \`${command}\` on ${os.cpus().length} cores (${cpu}), Node ${process.versions.node}, load`,
    `average ${os.loadavg()[0]?.toFixed(1)} at its end.`,
  ]
}
