import { act, createEvent, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { FormDialog } from './form-dialog.tsx'
import { Form, FormError, TextField, type Typed } from './form.tsx'
import { PageFrame } from './page-frame.tsx'

it('a form stays on its page, and hands on what was typed; of what is no text, nothing', async () => {
  const onSubmit = vi.fn()
  const file = new File(['x'], 'a.txt')
  await show(
    <Form className="" onSubmit={(typed) => onSubmit(typed('name'), typed('file'), typed('none'))}>
      <input name="name" defaultValue="Ada" />
      <input name="file" type="file" />
    </Form>,
  )
  const form = document.querySelector('form')!
  vi.spyOn(FormData.prototype, 'get').mockImplementation((name) =>
    name === 'name' ? 'Ada' : name === 'file' ? file : null,
  )
  const sent = createEvent.submit(form)
  fireEvent(form, sent)
  vi.restoreAllMocks()
  expect(sent.defaultPrevented).toBe(true)
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith('Ada', '', '')
})

it('a field that is wrong is marked and described by the error and its hint, another by its hint alone', async () => {
  await show(
    <>
      <FormError message="That is too short." />
      <TextField id="name" label="Name" hint="Three letters." isWrong />
      <TextField id="code" label="Code" hint="From a friend." />
      <TextField id="plain" label="Plain" />
    </>,
  )
  const told = (label: string) => {
    const field = screen.getByLabelText(label)
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
    return [
      field.getAttribute('aria-invalid'),
      ...ids.map((id) => document.getElementById(id)?.textContent),
    ]
  }
  expect(told('Name')).toEqual(['true', 'That is too short.', 'Three letters.'])
  expect(told('Code')).toEqual([null, 'From a friend.'])
  expect(told('Plain')).toEqual([null])
  const field = screen.getByLabelText('Name')
  expect([field.getAttribute('autocapitalize'), field.getAttribute('spellcheck')]).toEqual([
    'none',
    'false',
  ])
})

it('a form’s dialog stays open beside a press next to it, says that it works, and gives its button the focus', async () => {
  const onClose = vi.fn()
  const sent = Promise.withResolvers<void>()
  const onSubmit = vi.fn<(typed: Typed) => Promise<void>>()
  onSubmit.mockRejectedValueOnce(new Error('lost')).mockReturnValueOnce(sent.promise)
  const dialog = (done?: string) => (
    <FormDialog
      title="Ask"
      intro="Why?"
      failed="It was not sent."
      submitText="Send"
      busyText="Sending..."
      closeText="Close"
      done={done}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <input aria-label="What" name="what" />
    </FormDialog>
  )
  const { again } = await show(dialog())
  expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('false')
  act(() => void fireEvent.click(screen.getByRole('dialog')))
  expect(onClose).not.toHaveBeenCalled()
  const press = () => act(async () => void fireEvent.submit(document.querySelector('form')!))
  await press()
  expect(screen.getByRole('alert').textContent).toBe('It was not sent.')
  fireEvent.change(screen.getByLabelText('What'), { target: { value: 'x' } })
  expect(screen.getByRole('alert').textContent).toBe('')
  await press()
  await press()
  expect(onSubmit, 'once while it is on its way').toHaveBeenCalledTimes(2)
  expect(onSubmit.mock.lastCall?.[0]('what')).toBe('x')
  expect(screen.getByRole('button', { name: 'Sending...' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await act(async () => sent.resolve())
  await again(dialog('Sent.'))
  expect(screen.getByRole('status').textContent).toBe('Sent.')
  expect(screen.queryByLabelText('What')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
})

it('a page leads home by its name, and past its header first of all', async () => {
  await show(<PageFrame>words</PageFrame>)
  const [first, home] = document.querySelectorAll('a')
  expect([first?.getAttribute('href'), home?.getAttribute('href')]).toEqual(['#main', '/'])
  expect(home?.querySelector('img, svg, span')).not.toBeNull()
  const main = screen.getByRole('main')
  const scrolled = vi.spyOn(main, 'scrollIntoView').mockReturnValue(undefined)
  act(() => void fireEvent.click(first!))
  expect(document.activeElement).toBe(main)
  expect(scrolled).toHaveBeenCalledOnce()
})
