import { expect, test, type Page } from './story.ts'
import { guestWithPicture, openEvent } from './story-event.ts'

/** The paper in mm, how many sheets there are, and the pixels of a picture, of what went to the printer. */
async function printedSheet(page: Page) {
  const sheet = page.locator('body > .print-sheet')
  const widthPx = await sheet
    .locator('img')
    .first()
    .evaluate((picture: HTMLImageElement) => picture.naturalWidth)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  await sheet.evaluate((element) => element.remove())
  const [, width = '', height = ''] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []
  const inMm = (points: string): number => Math.round((Number(points) / 72) * 25.4)
  return {
    paper: `${inMm(width)} x ${inMm(height)}`,
    sheets: pdf.match(/\/Type \/Page\b/g)?.length ?? 0,
    isSharp: widthPx >= 1024,
  }
}

test('an attendant prints what guests have asked for, and marks it @once', async ({
  page,
  browser,
  see,
  baseURL,
}) => {
  const event = await openEvent()
  const phones = await browser.newContext({ baseURL: baseURL ?? '' })
  const guest = await phones.newPage()
  await guestWithPicture(guest, event)
  for (const [index, format] of ['Photo 10 × 15', 'Strip of four', 'Square'].entries()) {
    await guest.getByRole('button', { name: format }).click()
    await expect(guest.getByText(`${format}: your number is ${index + 1}`)).toBeVisible()
  }

  // The sheet is gone once the printer has it.
  await page.addInitScript(() => {
    window.print = () =>
      document.body.append(document.querySelector('.print-sheet')!.cloneNode(true))
  })
  await page.goto(await event.linkFor('attendant'))
  await expect(page.getByRole('region', { name: 'To print' }).getByRole('listitem')).toHaveCount(3)
  await see('event-prints')
  const papers = ['100 x 150', '100 x 150', '100 x 100']
  for (const [index, paper] of papers.entries()) {
    const number = index + 1
    await page.getByRole('button', { name: `Print number ${number}` }).click()
    await expect(page.getByText(`Number ${number} is marked as printed.`)).toBeVisible()
    expect(await printedSheet(page)).toEqual({ paper, sheets: 1, isSharp: true })
  }
  await expect(page.getByText('Nothing to print.')).toBeVisible()
  const last = page.getByRole('group', { name: 'Number 3' })
  await last.getByRole('button', { name: 'To print' }).click()
  await expect(page.getByRole('region', { name: 'To print' }).getByRole('listitem')).toHaveCount(1)
  await guest.reload()
  await expect(guest.getByText('Photo 10 × 15: printed, pick up number 1')).toBeVisible()
  await phones.close()
})
