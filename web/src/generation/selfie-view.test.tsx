import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { PreviewAnswer, VariationItem } from '@starside/contract/variations.ts'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { AlertProvider } from '../ui/alerts.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { AuthContext } from '../auth/auth-context.ts'
import type { AuthContextValue } from '../auth/auth-context.ts'
import messages from '@starside/contract/texts/en/variations.json'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { show as showPart } from '../auth/testing/show.tsx'
import { Router } from '../ui/router.tsx'
import { answerRequests } from '../ui/testing/press-each.ts'
import { ownPhoto } from './testing/test-photo.ts'
import { testArrangement } from './testing/test-arrangement.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { SelfieView } from './selfie-view.tsx'

beforeAll(async () => {})

afterEach(() => vi.unstubAllGlobals())

const hosted = (
  variationId: string,
  isChosen: boolean,
  look: VariationItem['look'] = 'natural',
): VariationItem => ({
  variationId,
  source: 'made',
  arrangement: null,
  look,
  isChosen,
  isRendered: true,
  imageUrl: `/${variationId}.jpg`,
  thumbnailUrl: `/${variationId}-small.jpg`,
  downloadUrl: `/${variationId}.png`,
  widthPx: 1024,
  heightPx: 1280,
})

async function show(
  variations: VariationItem[],
  change: Partial<GenerationItem> = {},
  before: typeof ownPhoto | null = null,
  onItem: (item: GenerationItem) => void = () => {},
) {
  const first = { ...testSelfie, variations, ...change }
  function Shown() {
    const [item, setItem] = useState<GenerationItem>(first)
    const take = (changed: GenerationItem) => {
      onItem(changed)
      setItem(changed)
    }
    return <SelfieView imageUrl="/one.jpg" item={item} before={before} onItem={take} />
  }
  await act(async () =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <LanguageProvider initial="en">
          <AuthContext value={{ user: null } as unknown as AuthContextValue}>
            <Router>
              <AlertProvider>
                <Shown />
              </AlertProvider>
            </Router>
          </AuthContext>
        </LanguageProvider>
      </QueryClientProvider>,
    ),
  )
  await screen.findByRole('button', { name: /^More/ })
}

const names = () =>
  screen.queryAllByRole('img', { name: /^Version/ }).map((image) => image.getAttribute('alt'))

/** What stands behind 'More'. */
async function more(text: string) {
  await userEvent.setup().click(screen.getByRole('button', { name: /^More/ }))
  return await screen.findByText(text)
}

it('shows several pictures of a hosted model to choose from, without an editor', async () => {
  await show([hosted('a', true), hosted('b', false)])
  expect(names()).toEqual(['Version 1: our pick', 'Version 2: another picture'])
  expect(screen.queryByRole('button', { name: messages.adjust })).toBeNull()
})

it('names the looks of one picture by what they are', async () => {
  await show([hosted('a', true), hosted('b', false, 'black-and-white'), hosted('c', false, 'warm')])
  expect(names().slice(1)).toEqual(['Version 2: Black and white', 'Version 3: Warm'])
  expect(screen.getByText('Version 1: our pick'), 'the chosen one also for the eye').toBeDefined()
})

it('shows nothing to choose from of a hosted model’s only picture', async () => {
  await show([hosted('a', true)])
  expect(names()).toEqual([])
})

it('its parts are deleted while they are kept', async () => {
  const questions = holdQuestions()
  await show([hosted('a', true)], { adjustableUntil: '2999-01-01T00:00:00Z' })
  expect(screen.queryByRole('button', { name: messages.deleteNow })).toBeNull()
  await more(messages.deleteNow)
  fireEvent.click(screen.getByRole('button', { name: messages.deleteNow }))
  expect(questions.at(-1)).toMatchObject({
    method: 'DELETE',
    address: '/api/generations/one/layers',
  })
})

it.each([
  ['while its parts are kept', 3_600_000, true],
  ['once they are gone', -1, false],
])(
  'more versions are asked for beside those that there are, %s',
  async (_when, keptMs, isOffered) => {
    const questions = holdQuestions()
    const adjustableUntil = new Date(Date.now() + keptMs).toISOString()
    await show([hosted('a', true), hosted('b', false)], {
      hasMoreVariations: true,
      adjustableUntil,
    })
    const button = screen.queryByRole('button', { name: messages.others })
    expect(button !== null).toBe(isOffered)
    if (button) fireEvent.click(button)
    expect(questions.some(({ address }) => address.endsWith('/variations/more'))).toBe(isOffered)
  },
)

it('the photo is compared on the picture itself', async () => {
  await show([hosted('a', true)], {}, ownPhoto)
  const button = screen.getByRole('button', { name: 'Before / after' })
  fireEvent.click(button)
  expect(button.getAttribute('aria-pressed')).toBe('true')
  expect(screen.getByRole('slider', { name: /before and after/ })).toBeDefined()
})

const advised: Partial<GenerationItem> = {
  isGreyAdvised: true,
  greyHints: ['small_face', 'turned'],
}

it('black and white that was advised says because of what, in colour too', async () => {
  const advice = /suits this photo best: a small face, a turned head\./
  await show([hosted('a', false, 'black-and-white'), hosted('b', true)], advised)
  expect(screen.getByText(advice)).toBeDefined()
})

it('of an earlier selfie nobody knows why', async () => {
  await show([hosted('a', true, 'black-and-white')], { isGreyAdvised: true })
  expect(screen.getByText(/suits this photo best\./)).toBeDefined()
})

it('goes from version to version by arrow keys and by swipes', async () => {
  HTMLElement.prototype.scrollIntoView ??= () => {}
  const questions = holdQuestions()
  await show([hosted('a', false), hosted('b', true), hosted('c', false)], {}, ownPhoto)
  const [first, chosen] = screen.getAllByRole('button', { name: /^Version/ })
  chosen?.focus()
  await userEvent.setup().keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(first)
  expect(questions.at(-1)?.body).toEqual({ variationId: 'a' })
  await userEvent.setup().keyboard('{ArrowRight}')
  expect(document.activeElement, 'before the first one has come').toBe(chosen)
  await questions.at(-1)?.fail()
  const picture = screen.getByRole('img', { name: /made with AI/ })
  const at = (clientX: number, clientY = 0) => [
    { identifier: 0, target: picture, clientX, clientY },
  ]
  const elsewhere = screen.getByRole('button', { name: /^More/ })
  elsewhere.focus()
  fireEvent.touchStart(picture, { touches: at(200) })
  fireEvent.touchEnd(picture, { changedTouches: at(100) })
  expect(questions.at(-1)?.body).toEqual({ variationId: 'c' })
  expect(document.activeElement, 'a swipe leaves the focus where it was').toBe(elsewhere)
  await questions.at(-1)?.fail()
  fireEvent.touchStart(picture, { touches: at(200) })
  fireEvent.touchEnd(picture, { changedTouches: at(190) })
  fireEvent.touchStart(picture, { touches: at(200) })
  fireEvent.touchEnd(picture, { changedTouches: at(100, 120) })
  expect(questions, 'a tap is no swipe, nor is what goes farther down').toHaveLength(2)
})

it('the editor closes once its version is saved, which has the focus then, with the picture in sight', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue(undefined)
  const variations = [{ ...hosted('a', true), arrangement: testArrangement }]
  const adjustableUntil = new Date(Date.now() + 3_600_000).toISOString()
  const preview: PreviewAnswer = {
    success: true,
    expiresAt: adjustableUntil,
    image: 'b25l',
    widthPx: 410,
    heightPx: 512,
    visibleBorder: 0,
    mended: null,
    background: 'dHdv',
    markBox: null,
    people: [],
  }
  const generation = {
    ...testSelfie,
    variations: [{ ...variations[0]!, isChosen: false }, hosted('saved', true)],
    adjustableUntil,
  }
  answerRequests({
    'POST /api/generations/one/preview': preview,
    'POST /api/generations/one/variations': { success: true, generation },
  })
  const onItem = vi.fn()
  await show(variations, { adjustableUntil }, null, onItem)
  fireEvent.click(screen.getByRole('button', { name: messages.adjust }))
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  await screen.findByRole('button', { name: 'Flip' })
  // Until the server's picture has come, nothing can be changed.
  const drawn = () => document.querySelector('.paper img')?.getAttribute('src')
  await waitFor(() => expect(drawn()).toBe(`data:image/jpeg;base64,${preview.image}`))
  expect(save().disabled, 'nothing has changed').toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Flip' }))
  await waitFor(() => expect(save().disabled).toBe(false))
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  await act(async () => void fireEvent.click(save()))
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Version 2/ }))
  expect(scroll.mock.instances.slice(-2)).toEqual([
    document.querySelector('.result-print')?.firstElementChild,
    document.activeElement,
  ])
  expect(onItem).toHaveBeenCalledExactlyOnceWith(generation)
  vi.restoreAllMocks()
})

const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }))

it('what is pressed is marked and shown small at once, in its own format, before the server has answered', async () => {
  const questions = holdQuestions()
  const wide = { ...hosted('b', false), isRendered: false, widthPx: 1920, heightPx: 1080 }
  await show([hosted('a', true), wide])
  press(/^Version 2/)
  const pressed = screen.getAllByRole('button', { name: /^Version/, pressed: true })
  expect(pressed.map((one) => one.textContent || one.querySelector('img')?.alt)).toEqual([
    expect.stringMatching(/^Version 2/),
  ])
  expect(screen.getByText(messages.making)).toBeDefined()
  const small = document.querySelector('.result-print > div > img')
  expect(small?.getAttribute('src')).toBe('/b-small.jpg')
  const print = document.querySelector<HTMLElement>('.result-print')
  expect(Number(print?.style.getPropertyValue('--aspect'))).toBeCloseTo(16 / 9)
  await questions.at(-1)?.fail()
  expect(screen.getByRole('button', { name: /^Version 1/, pressed: true })).toBeDefined()
})

it('the picture itself fades in once it has come', async () => {
  await show([hosted('a', true)])
  const picture = screen.getByRole('img', { name: /made with AI/ })
  expect(picture.className).toContain('opacity-0')
  fireEvent.load(picture)
  expect(picture.className).not.toContain('opacity-0')
})

it('what is seen of a version does not go away as its full size comes', async () => {
  const questions = holdQuestions()
  const small = { ...hosted('b', false), isRendered: false }
  await show([hosted('a', true), small])
  const picture = () => screen.getByRole('img', { name: /made with AI/ })
  fireEvent.load(picture())
  press(/^Version 2/)
  expect(picture().className, 'another version').toContain('opacity-0')
  fireEvent.load(picture())
  const variations = [hosted('a', false), hosted('b', true)]
  const generation = { ...testSelfie, imageUrl: '/one-large.jpg', variations }
  await questions.at(-1)?.answer({ success: true, generation })
  await waitFor(() => expect(screen.queryByText(messages.making)).toBeNull())
  expect(picture().className).not.toContain('opacity-0')
})

it('Escape leaves the comparison, and the focus is at its button', async () => {
  await show([hosted('a', true), hosted('b', false)], {}, ownPhoto)
  const compare = () => screen.getByRole('button', { name: 'Before / after' })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(document.activeElement, 'while nothing is compared').toBe(document.body)
  fireEvent.click(compare())
  const slider = screen.getByRole('slider')
  slider.focus()
  fireEvent.keyDown(slider, { key: 'Escape' })
  expect(screen.queryByRole('slider')).toBeNull()
  expect(document.activeElement).toBe(compare())
})

it('the pencil’s frame is not drawn again as a comparison ends', async () => {
  await showPart(
    <SelfieView imageUrl="/one.jpg" item={testSelfie} fresh before={ownPhoto} onItem={() => {}} />,
  )
  const frame = document.querySelector('.arrival')
  expect(frame).not.toBeNull()
  for (let n = 0; n < 2; n++)
    fireEvent.click(screen.getByRole('button', { name: 'Before / after' }))
  expect(document.querySelector('.arrival')).toBe(frame)
})

it('a picture that does not come while its version is made leaves the one before', async () => {
  const onGone = vi.fn()
  holdQuestions()
  const { again } = await showPart(
    <SelfieView
      imageUrl="/one.jpg"
      item={{ ...testSelfie, variations: [hosted('a', true), hosted('b', false)] }}
      onItem={() => {}}
      onGone={onGone}
    />,
  )
  const picture = () => screen.getByRole('img', { name: /made with AI/ })
  fireEvent.click(await screen.findByRole('button', { name: /^Version 2/ }))
  fireEvent.error(picture())
  expect(onGone).not.toHaveBeenCalled()
  await again(<SelfieView imageUrl="/one.jpg" item={null} onItem={() => {}} onGone={onGone} />)
  fireEvent.error(picture())
  expect(onGone).toHaveBeenCalledOnce()
})

const swipe = (target: Element, fingers: number, toX: number): void => {
  const at = (clientX: number) => ({ identifier: 0, target, clientX, clientY: 0 })
  fireEvent.touchStart(target, { touches: Array.from({ length: fingers }, () => at(200)) })
  fireEvent.touchEnd(target, { changedTouches: [at(toX)] })
}

it('where it can go the way to a new selfie lets it go, and leads to the studio', async () => {
  const onGone = vi.fn()
  const view = (gone?: () => void) => (
    <SelfieView imageUrl="/one.jpg" item={null} onItem={() => {}} onGone={gone} />
  )
  const { again } = await showPart(view())
  expect(screen.queryByRole('link', { name: 'New selfie' })).toBeNull()
  await again(view(onGone))
  const link = screen.getByRole('link', { name: 'New selfie' })
  expect(link.getAttribute('href')).toBe('/dashboard#create')
  fireEvent.click(link)
  expect(onGone).toHaveBeenCalledOnce()
})

it('two fingers swipe nothing, and a swipe is the gallery’s where it has asked for it', async () => {
  const questions = holdQuestions()
  const onSwipe = vi.fn()
  const item = { ...testSelfie, variations: [hosted('a', true), hosted('b', false)] }
  await showPart(<SelfieView imageUrl="/one.jpg" item={item} onItem={() => {}} onSwipe={onSwipe} />)
  const picture = await screen.findByRole('img', { name: /made with AI/ })
  swipe(picture, 2, 100)
  expect(onSwipe).not.toHaveBeenCalled()
  swipe(picture, 1, 100)
  swipe(picture, 1, 300)
  expect([onSwipe.mock.calls, questions]).toEqual([[[1], [-1]], []])
})

it('a swipe is forty pixels long at least', async () => {
  holdQuestions()
  const onSwipe = vi.fn()
  const item = { ...testSelfie, variations: [hosted('a', true), hosted('b', false)] }
  await showPart(<SelfieView imageUrl="/one.jpg" item={item} onItem={() => {}} onSwipe={onSwipe} />)
  const picture = await screen.findByRole('img', { name: /made with AI/ })
  swipe(picture, 1, 161)
  swipe(picture, 1, 239)
  expect(onSwipe).not.toHaveBeenCalled()
  swipe(picture, 1, 160)
  swipe(picture, 1, 240)
  expect(onSwipe.mock.calls).toEqual([[1], [-1]])
})

it('arrow keys move the edge of the comparison, else the versions and not the page', async () => {
  const questions = holdQuestions()
  await show([hosted('a', true), hosted('b', false)], {}, ownPhoto)
  fireEvent.click(screen.getByRole('button', { name: 'Before / after' }))
  const right = { key: 'ArrowRight' }
  expect(fireEvent.keyDown(screen.getByRole('slider'), right)).toBe(true)
  expect(questions).toEqual([])
  const [chosen] = screen.getAllByRole('button', { name: /^Version/ })
  expect(fireEvent.keyDown(chosen!, right), 'the page does not scroll').toBe(false)
  expect(questions.map(({ body }) => body)).toEqual([{ variationId: 'b' }])
})

it('a new picture is scrolled to, one of an earlier visit leaves the page where it is', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined)
  const view = (fresh: boolean) => (
    <SelfieView imageUrl="/one.jpg" item={testSelfie} fresh={fresh} onItem={() => {}} />
  )
  const { again } = await showPart(view(false))
  expect(scroll).not.toHaveBeenCalled()
  await again(view(true))
  expect(scroll).toHaveBeenCalledOnce()
  scroll.mockRestore()
})

it('a link that could not be made is told of below the picture', async () => {
  const questions = holdQuestions()
  await show([])
  await more('Print')
  press(/^Make public and copy link/)
  await questions.at(-1)?.fail()
  expect(screen.getByText('No connection to the server. Please try again.')).toBeDefined()
})

it('can be adjusted until its time is over, though nobody presses anything', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T12:00:00Z') })
  const item = { ...testSelfie, adjustableUntil: '2026-11-22T12:00:03Z' }
  await showPart(<SelfieView imageUrl="/one.jpg" item={item} onItem={() => {}} />)
  const isOffered = () => screen.queryByRole('button', { name: messages.adjust }) !== null
  expect(isOffered()).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(isOffered()).toBe(false)
  vi.useRealTimers()
})

it.each([
  ['an hour', 3_600_000, false],
  ['four minutes', 240_000, true],
])('how long it can be adjusted is told %s before the end', async (_long, keptMs, isTold) => {
  const adjustableUntil = new Date(Date.now() + keptMs).toISOString()
  await show([hosted('a', true)], { adjustableUntil })
  expect(screen.queryByText(/^You can adjust it for [34]:\d\d\./) !== null).toBe(isTold)
})

it('what is done less often folds again, and the comparison ends with a second press', async () => {
  await show([], {}, ownPhoto)
  const unfold = screen.getByRole('button', { name: /^More/ })
  const isUnfolded = () => unfold.getAttribute('aria-expanded')
  fireEvent.click(unfold)
  expect(isUnfolded()).toBe('true')
  fireEvent.click(unfold)
  expect(isUnfolded()).toBe('false')
  const compare = screen.getByRole('button', { name: 'Before / after' })
  fireEvent.click(compare)
  fireEvent.click(compare)
  expect([compare.getAttribute('aria-pressed'), screen.queryByRole('slider')]).toEqual([
    'false',
    null,
  ])
})

it('no other versions, and a picture that could not be saved, are told of', async () => {
  const questions = holdQuestions()
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const variations = [hosted('a', true)]
  const adjustableUntil = new Date(Date.now() + 3_600_000).toISOString()
  await show(variations, { hasMoreVariations: true, adjustableUntil })
  fireEvent.click(screen.getByRole('button', { name: messages.others }))
  const button = screen.getByRole('button', { name: messages.makingOthers })
  expect(button.getAttribute('aria-disabled'), 'while they are made').toBe('true')
  const generation = { ...testSelfie, variations, hasMoreVariations: false }
  await questions.at(-1)?.answer({ success: true, generation })
  expect(screen.getByText('No other version was good enough.')).toBeDefined()
  expect(screen.queryByRole('group', { name: messages.title })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Download Image' }))
  await questions.at(-1)?.fail()
  expect(screen.getByText('Failed to download image. Please try again.')).toBeDefined()
})

it('of other versions nobody knows how many come: the first has the focus then, and all are told of', async () => {
  const questions = holdQuestions()
  const adjustableUntil = new Date(Date.now() + 3_600_000).toISOString()
  const variations = [hosted('a', true), hosted('b', false)]
  await show(variations, { hasMoreVariations: true, adjustableUntil })
  fireEvent.click(screen.getByRole('button', { name: messages.others }))
  const both = [...variations, hosted('c', false), hosted('d', false)]
  const generation = { ...testSelfie, variations: both, hasMoreVariations: false }
  await questions.at(-1)?.answer({ success: true, generation })
  expect(screen.getByText('2 more versions are here.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Version 3/ }))
})

it('a version beside the one that the link shows says so, and sharing it takes the link along', async () => {
  const questions = holdQuestions()
  vi.stubGlobal('open', () => ({}))
  const variations = [
    { ...hosted('a', false), isShared: true },
    { ...hosted('b', true), isShared: false },
  ]
  await show(variations, { shareUrl: 'https://selfie.example/?ref=ADA12345&selfie=AAAA' })
  expect(screen.getByText(/^The link shows version 1\./)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Share on X' }))
  const moved = variations.map((one) => ({ ...one, isShared: one.isChosen }))
  const share = questions.find(({ address }) => address.endsWith('/share'))
  await share?.answer({ success: true, generation: { ...testSelfie, variations: moved } })
  expect(screen.getByText('The link shows this version now.')).toBeDefined()
})

it('that everybody can see a picture stands there once, folded or not, beside the way back', async () => {
  await show([], { shareUrl: 'https://selfie.example/?ref=ADA12345&selfie=AAAA' })
  const told = () => screen.getByText(/^Anyone with the link can see this/).textContent
  expect(told()).toMatch(/Turn off the link$/)
  await more('Print')
  expect(told()).toMatch(/Turn off the link$/)
})

it('a link is made once, however often it is pressed', async () => {
  const questions = holdQuestions()
  await show([])
  await more('Print')
  press(/^Make public and copy link/)
  const button = await screen.findByRole('button', { name: 'Making the link...' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button)
  expect(questions).toHaveLength(1)
})

it('a picture has its own format in the frame', async () => {
  const [widthPx, heightPx] = [1920, 1080]
  await show([], { widthPx, heightPx })
  const print = document.querySelector<HTMLElement>('.result-print')
  expect(Number(print?.style.getPropertyValue('--aspect'))).toBeCloseTo(widthPx / heightPx)
})

it('a swipe on the versions scrolls them, and is none on the picture', async () => {
  const questions = holdQuestions()
  await show([hosted('a', true), hosted('b', false)])
  swipe(screen.getAllByRole('img', { name: /^Version/ })[0]!, 1, 100)
  expect(questions).toEqual([])
})

it('the small picture stands there until the picture has come, and appears with one that was just made', async () => {
  const view = (fresh: boolean) => (
    <SelfieView imageUrl="/one.jpg" item={testSelfie} fresh={fresh} onItem={() => {}} />
  )
  const small = () => document.querySelector('img[src="/one-small.jpg"]')
  const { again } = await showPart(view(false))
  expect(small()?.classList.contains('appears')).toBe(false)
  await again(view(true))
  expect(small()?.classList.contains('appears')).toBe(true)
})
