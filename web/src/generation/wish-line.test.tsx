import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { promptLengthMax } from '@starside/contract/limits.ts'
import { show } from '../auth/testing/show.tsx'
import { testChoices } from './testing/test-choices.ts'
import type { Wishes } from './gather-request.ts'
import type { useStudioChoices } from './use-studio-choices.ts'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { BackgroundPanel, ConsentField, WishLine } from './wish-line.tsx'

type Choices = ReturnType<typeof useStudioChoices>

/** What is chosen in the studio, as far as the wishes look at it; changes are only noted. */
function choicesOf(wishes: Partial<Wishes> = {}, photo: object | null = null) {
  const change = vi.fn()
  const clear = vi.fn()
  const choose = vi.fn()
  const choices = {
    mine: { photo: null },
    background: { photo, clear, choose },
    wishes: { ...testChoices.wishes, ...wishes },
    wished: wishes,
    change,
  } as unknown as Choices
  return { choices, change, clear, choose }
}

const unfold = () => fireEvent.click(screen.getByRole('button', { name: /^Format, look/ }))

it('each scene is one press away, and the line says which format and look are wished for', async () => {
  const { choices, change } = choicesOf({ scene: 'stage', aspect: '9:16', look: 'warm' })
  await show(<WishLine choices={choices} disabled={false} />)
  const scenes = screen.getAllByRole<HTMLInputElement>('radio')
  expect(scenes[0]?.value, 'first of all the own photo').toBe('own')
  expect(scenes.find(({ checked }) => checked)?.value).toBe('stage')
  fireEvent.click(screen.getByRole('radio', { name: 'Forest' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ scene: 'forest' })
  expect(screen.getByRole('button', { name: 'Format, look: Story 9:16 · Warm' })).toBeTruthy()
})

it('what is unfolded comes into view, and folds again once a selfie is made', async () => {
  const { choices } = choicesOf()
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined)
  const { again } = await show(<WishLine choices={choices} disabled={false} />)
  expect(screen.queryByRole('textbox')).toBeNull()
  unfold()
  expect(screen.getByRole('textbox')).toBeTruthy()
  expect(scrolled).toHaveBeenCalledOnce()
  scrolled.mockRestore()
  await again(<WishLine choices={choices} disabled />)
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('where the automatic look would be black and white the line says so', async () => {
  const { choices } = choicesOf()
  choices.keepColour = () => undefined
  await show(<WishLine choices={choices} disabled={false} />)
  const name = 'Format, look: Portrait 4:5 · Automatic: black and white'
  expect(screen.getByRole('button', { name })).toBeTruthy()
})

it.each([
  [{}, '16:9', true, false],
  [{ aspect: '16:9' } as const, '16:9', false, false],
  [{ aspect: '4:5' } as const, '4:5', true, true],
] as const)(
  'with %o of one’s own and %s it says why it is wide: %s, or offers that: %s',
  async (wishes, aspect, isSaid, isOffered) => {
    const { choices, change } = choicesOf(wishes)
    choices.wishes.aspect = aspect
    choices.advice = { sentence: '16:9 gives 3 people more room.', at: null, format: '16:9' }
    await show(<WishLine choices={choices} disabled={false} />)
    expect(screen.queryByText(/gives 3 people/) !== null).toBe(isSaid)
    const way = screen.queryByRole('button', { name: 'Use 16:9' })
    expect(way !== null).toBe(isOffered)
    if (way) fireEvent.click(way)
    expect(change.mock.calls).toEqual(isOffered ? [[{ aspect: '16:9' }]] : [])
  },
)

it('words are kept as they are typed, and choose the place that they name', async () => {
  const { choices, change } = choicesOf({ scene: 'stage' })
  await show(<WishLine choices={choices} disabled={false} />)
  unfold()
  const field = document.querySelector('textarea')!
  expect(field.maxLength).toBe(promptLengthMax)
  fireEvent.change(field, { target: { value: 'warm light ' } })
  fireEvent.change(field, { target: { value: 'at the beach, at sunset' } })
  expect(change.mock.calls).toEqual([
    [{ prompt: 'warm light ', scene: 'stage' }],
    [{ prompt: 'at the beach, at sunset', scene: 'beach-dusk' }],
  ])
})

it('the scene that was chosen comes back once the words that named another are gone', async () => {
  const { choices, change } = choicesOf({ scene: 'stage' })
  const { again } = await show(<WishLine choices={choices} disabled={false} />)
  unfold()
  const field = document.querySelector('textarea')!
  const type = async (value: string, wishes: Partial<Wishes>) => {
    await again(<WishLine choices={{ ...choicesOf(wishes).choices, change }} disabled={false} />)
    fireEvent.change(field, { target: { value } })
    return change.mock.lastCall?.[0].scene
  }
  expect(await type('in a café', { scene: 'stage' })).toBe('cafe')
  expect(await type('in a café ', { scene: 'cafe', prompt: 'in a café' })).toBe('cafe')
  expect(await type('', { scene: 'cafe', prompt: 'in a café ' })).toBe('stage')
  const pressed = { scene: 'forest', prompt: 'in a café' } as const
  expect(await type('in a', pressed), 'what was pressed since stays').toBe('forest')
})

it.each([
  ['on the Great Wall of China', { scene: 'own' }, [], true],
  ['on the Great Wall of China', { scene: 'forest' }, [], false],
  ['a café in Paris', { scene: 'cafe' }, [], true],
  ['smiling, in black and white', {}, [], false],
  ['at the beach, at sunset', {}, [], false],
  ['on the Great Wall of China', { scene: 'photo' }, [], false],
  ['on the Great Wall of China', { scene: 'own' }, ['fal.ai'], false],
] as const)(
  'of %j with %o and photos that go to %j it is told that no scene shows the place: %s',
  async (prompt, wishes, photoRecipients, isTold) => {
    const settings = { ...testSettings, photoRecipients: [...photoRecipients] }
    vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(settings)
    const { choices } = choicesOf({ scene: 'stage', ...wishes, prompt })
    await show(<WishLine choices={choices} disabled={false} />)
    unfold()
    const name = photoRecipients.length > 0 ? /Describe the look/ : /Name a place/
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name })
    const told = screen.queryByText(
      "We don't know this place. Choose a scene above, or a photo of your own.",
    )
    expect([field.value, told !== null]).toEqual([prompt, isTold])
  },
)

it.each([false, true])('nothing of it is changed while a selfie is made: %s', async (disabled) => {
  const { choices } = choicesOf()
  await show(
    <>
      <WishLine choices={choices} disabled={disabled} />
      <ConsentField choices={choices} disabled={disabled} />
      <BackgroundPanel choices={choicesOf({}, { prepared: null }).choices} disabled={disabled} />
    </>,
  )
  const parts = [
    ...document.querySelectorAll<HTMLFieldSetElement>('fieldset'),
    ...document.querySelectorAll<HTMLButtonElement>('[aria-expanded]'),
    ...document.querySelectorAll<HTMLInputElement>('#consent, input[type=file]'),
  ]
  expect(parts.length).toBeGreaterThan(3)
  expect(new Set(parts.map((part) => part.disabled))).toEqual(new Set([disabled]))
})

it('consent is given and taken back, and says why it is needed', async () => {
  const { choices, change } = choicesOf({ consent: false })
  const { again } = await show(<ConsentField choices={choices} disabled={false} />)
  const box = screen.getByRole<HTMLInputElement>('checkbox')
  const why = document.getElementById(box.getAttribute('aria-describedby') ?? '')
  expect([box.checked, why?.textContent !== '']).toEqual([false, true])
  fireEvent.click(box)
  const given = choicesOf({ consent: true })
  await again(<ConsentField choices={given.choices} disabled={false} />)
  expect(box.checked).toBe(true)
  fireEvent.click(box)
  expect([change.mock.calls, given.change.mock.calls]).toEqual([
    [[{ consent: true }]],
    [[{ consent: false }]],
  ])
})

it('a background that is removed leaves one’s own', async () => {
  const { choices, change, clear } = choicesOf({ scene: 'photo' }, { prepared: null })
  await show(<BackgroundPanel choices={choices} disabled={false} />)
  await act(
    async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove the background' })),
  )
  expect([clear.mock.calls.length, change.mock.calls]).toEqual([1, [[{ scene: 'own' }]]])
})
