import { act, fireEvent, screen, within } from '@testing-library/react'
import { shareNoticeMs } from '@starside/contract/limits.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { testSelfie } from '../generation/testing/test-selfie.ts'
import { ReferralCard } from '../referrals/referral-card.tsx'
import { LinkSwitch, ShareElsewhere, usePublicLink } from './public-link.tsx'
import { SharedSelfie } from './shared-selfie.tsx'

let questions: HeldQuestion[]
let copied: string[]
beforeEach(() => {
  // What is said for a moment stays until the test has read it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  questions = holdQuestions()
  copied = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    copied.push(text)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.head.querySelector('meta[property="og:image"]')?.remove()
  history.replaceState(null, '', '/')
})

const press = (name: string) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))

/** What a picture shows of its link. */
function Link(props: { item: GenerationItem; onItem: (item: GenerationItem) => void }) {
  const shared = usePublicLink(props.item, props.onItem)
  const { error, notice } = shared
  return (
    <>
      <p role={error ? 'alert' : 'note'}>{error ?? notice}</p>
      <LinkSwitch shared={shared} />
      <ShareElsewhere text="Look & see" shared={shared} />
    </>
  )
}

it('a public link is made and copied at one press, copied again, and turned off', async () => {
  const onItem = vi.fn()
  const part = (shareUrl: string | null) => (
    <Link item={{ ...testSelfie, shareUrl }} onItem={onItem} />
  )
  const { again } = await show(part(null))
  expect(screen.queryByRole('button', { name: 'Turn off the link' })).toBeNull()
  await press('Make public and copy link')
  await questions[0]?.fail()
  expect(screen.getByText('No connection to the server. Please try again.')).toBeTruthy()
  await press('Make public and copy link')
  expect(questions[1]).toMatchObject({ method: 'POST', address: '/api/generations/one/share' })
  const shareUrl = 'https://selfie.example/?ref=ADA12345&selfie=AAAA'
  await questions[1]?.answer({ success: true, generation: { ...testSelfie, shareUrl } })
  expect(onItem).toHaveBeenLastCalledWith({ ...testSelfie, shareUrl })
  expect(copied).toEqual([shareUrl])
  await again(part(shareUrl))
  expect(screen.getByRole('status').textContent).toBe(
    'Anyone with the link can see this picture. Turn off the link',
  )
  await press('Copied!')
  expect([copied, questions.length], 'it is not made twice').toEqual([[shareUrl, shareUrl], 2])
  await press('Turn off the link')
  expect(questions[2]).toMatchObject({ method: 'DELETE', address: '/api/generations/one/share' })
  await questions[2]?.fail()
  expect(screen.getByRole('alert').textContent).toBe(
    'No connection to the server. Please try again.',
  )
  expect(onItem).toHaveBeenCalledOnce()
  screen.getByRole('button', { name: 'Turn off the link' }).focus()
  await press('Turn off the link')
  await questions[3]?.answer({ success: true, generation: testSelfie })
  expect(onItem).toHaveBeenLastCalledWith(testSelfie)
  expect(screen.getByText('The public link no longer works.')).toBeTruthy()
  await again(part(null))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Make it public' }))
  await act(() => vi.advanceTimersByTimeAsync(shareNoticeMs))
  expect(screen.getByRole('status').textContent, 'what was pressed goes with the notice').toBe('')
  expect(screen.queryByRole('list')).toBeNull()
})

it('a picture is made public by one press, after it was said what that means, and then passed on', async () => {
  const onItem = vi.fn()
  const { again } = await show(<Link item={testSelfie} onItem={onItem} />)
  expect(screen.getByText(/^To share it elsewhere, make it public/)).toBeTruthy()
  expect(screen.queryAllByRole('link')).toEqual([])
  await press('Make public and copy link')
  const shared = { ...testSelfie, shareUrl: 'https://selfie.example/?selfie=AAAA' }
  await questions[0]?.answer({ success: true, generation: shared })
  expect(onItem).toHaveBeenCalledExactlyOnceWith(shared)
  await again(<Link item={shared} onItem={onItem} />)
  const way = screen.getByRole('link', { name: 'Share on WhatsApp' })
  expect(way.getAttribute('href')).toContain(encodeURIComponent(shared.shareUrl))
  await act(async () => void fireEvent.click(way))
  expect(questions, 'it shows what is seen already').toHaveLength(1)
  expect(copied).toEqual([shared.shareUrl])
})

it.each(['Copy link', 'Share on WhatsApp'])(
  '‘%s’ shares the version that is seen, also by a link that showed another',
  async (name) => {
    const version = (isShared: boolean, isChosen: boolean) => ({
      variationId: isChosen ? 'second' : 'first',
      source: 'made' as const,
      arrangement: null,
      look: 'natural' as const,
      isChosen,
      isShared,
      isRendered: true,
      imageUrl: '/a.jpg',
      thumbnailUrl: '/b.jpg',
      downloadUrl: null,
      widthPx: 4,
      heightPx: 5,
    })
    const shareUrl = 'https://selfie.example/?selfie=AAAA'
    const item = {
      ...testSelfie,
      shareUrl,
      variations: [version(true, false), version(false, true)],
    }
    const onItem = vi.fn()
    const { again } = await show(<Link item={item} onItem={onItem} />)
    expect(screen.getByText(/^The link shows version 1\./)).toBeTruthy()
    const role = name === 'Copy link' ? 'button' : 'link'
    await act(async () => void fireEvent.click(screen.getByRole(role, { name })))
    expect(questions[0]).toMatchObject({ method: 'POST', address: '/api/generations/one/share' })
    const moved = { ...item, variations: [version(false, false), version(true, true)] }
    await questions[0]?.answer({ success: true, generation: moved })
    expect(onItem).toHaveBeenCalledExactlyOnceWith(moved)
    expect(copied).toEqual(name === 'Copy link' ? [shareUrl] : [])
    expect(screen.getByText('The link shows this version now.')).toBeTruthy()
    await again(<Link item={moved} onItem={onItem} />)
    expect(screen.getByText(/^Anyone with the link can see this picture/)).toBeTruthy()
  },
)

it('the referral card shows code and friends, and copies the link that carries the code', async () => {
  await show(<ReferralCard user={{ ...testProfile, friendsReferred: 3 }} />)
  expect(screen.getByText('3').className).toContain('figure')
  expect(screen.getByText('ADA12345')).toBeTruthy()
  const button = screen.getByRole('button', { name: 'Share Link' })
  expect(button.getAttribute('aria-disabled')).toBe('false')
  await press('Share Link')
  expect(copied).toEqual([expect.stringMatching(/^http.*[?&]ref=ADA12345$/)])
  expect(screen.getByRole('button', { name: 'Copied!' })).toBeTruthy()
})

it('the link of the referral card is shown where it cannot be copied', async () => {
  vi.mocked(navigator.clipboard.writeText).mockRejectedValue(new Error('no'))
  await show(<ReferralCard user={testProfile} />)
  await press('Share Link')
  const alert = screen.getByRole('alertdialog', { name: /^This browser blocks copying/ })
  expect(alert.textContent).toContain('ref=ADA12345')
  expect(getSelection()?.toString(), 'and is marked').toMatch(/^http.*ref=ADA12345$/)
  expect(screen.queryByRole('button', { name: 'Copied!' })).toBeNull()
})

it('without a code the card says so, and so does its button', async () => {
  const { userId, email, username } = testProfile
  await show(<ReferralCard user={{ userId, email, username }} />)
  expect(screen.getByText('Not available yet')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Share Link' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await press('Share Link')
  expect(copied).toEqual([])
  expect(screen.getByRole('alertdialog').textContent).toContain('not available yet')
})

it.each([
  ['works', 'AAAAAAAAAAAAAAAAAAAAAA', true],
  ['was turned off', 'BBBBBBBBBBBBBBBBBBBBBB', false],
  ['never was', 'B', false],
])('a public link that %s', async (_how, shareId, isShown) => {
  const card = document.createElement('meta')
  card.setAttribute('property', 'og:image')
  card.content = 'https://selfie.example/api/shares/AAAAAAAAAAAAAAAAAAAAAA/card.jpg?lang=en'
  document.head.append(card)
  history.replaceState(null, '', `/?ref=ADA12345&selfie=${shareId}`)
  await show(<SharedSelfie />)
  const picture = screen.queryByRole('img')?.getAttribute('src')
  expect(picture).toBe(isShown ? `/api/shares/${shareId}/picture.jpg` : undefined)
  const said = screen.queryByRole('alert')?.textContent
  expect(said).toBe(
    isShown ? undefined : "This selfie isn't shared any more, or its link is incomplete.",
  )
  const links = screen.queryAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(isShown ? ['/auth?mode=register&ref=ADA12345', `/?report=${shareId}`] : [])
})

it('each way to pass a link on opens beside the page, with the words and the link in their places', async () => {
  const item = { ...testSelfie, shareUrl: 'https://selfie.example/s/a?b=1' }
  await show(<Link item={item} onItem={() => undefined} />)
  const ways = within(screen.getByRole('list')).getAllByRole<HTMLAnchorElement>('link')
  expect(ways.length).toBeGreaterThan(3)
  for (const { href, target, rel, textContent } of ways) {
    expect([target, rel], textContent ?? '').toEqual(['_blank', 'noopener noreferrer'])
    expect(href).toContain(encodeURIComponent('https://selfie.example/s/a?b=1'))
    const { searchParams } = new URL(href)
    const link = searchParams.get('url') ?? searchParams.get('u')
    if (link !== null) expect(link).toBe('https://selfie.example/s/a?b=1')
    const words = searchParams.get('text') ?? searchParams.get('subject') ?? ''
    if (words !== '') expect(words.startsWith('Look & see')).toBe(true)
  }
  const mail = screen.getByRole('link', { name: 'Share by email' })
  expect([mail.textContent, mail.getAttribute('href')?.split(':')[0]]).toEqual(['Email', 'mailto'])
  expect(screen.getByRole('link', { name: 'Share on WhatsApp' }).textContent).toBe('WhatsApp')
})

it('a link is turned off once, however often it is pressed', async () => {
  const shareUrl = 'https://selfie.example/s/a?b=1'
  await show(<Link item={{ ...testSelfie, shareUrl }} onItem={() => undefined} />)
  await press('Turn off the link')
  await press('Turn off the link')
  const button = screen.getByRole('button', { name: 'Turn off the link' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(questions.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})
