import { act, fireEvent, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { useAlert } from './alerts.tsx'
import { shown } from './brand.ts'
import { Wordmark } from './wordmark.tsx'

let alert: ReturnType<typeof useAlert>
function Speaker() {
  const speak = useAlert()
  useEffect(() => {
    alert = speak
  }, [speak])
  return null
}
const text = () => screen.queryByRole('alertdialog')?.querySelector('p')?.textContent
const close = async (name = 'OK') => {
  const form = screen.getByRole('button', { name }).closest('form')
  await act(async () => {
    fireEvent.submit(form!)
    form?.closest('dialog')?.close()
  })
}

it('shows one alert after the other in their order, each sentence once', async () => {
  await show(<Speaker />)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  act(() => {
    alert('First.', 'success')
    alert('Second.', 'failure')
    alert('First.', 'note')
    alert('Third.', 'note')
  })
  expect(text()).toBe('First.')
  await close()
  expect(text()).toBe('Second.')
  await close()
  expect(text()).toBe('Third.')
  await close()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('says more above and below its sentence, and names its button, where it is told to', async () => {
  await show(<Speaker />)
  act(() => {
    const content = <p>Twice as many.</p>
    alert('Bought.', 'success', { heading: 'Thank you', content, button: 'Go on' })
  })
  expect(screen.getByRole('heading', { name: 'Thank you' })).toBeTruthy()
  expect(screen.getByRole('alertdialog', { name: 'Bought.' })).toBeTruthy()

  expect(screen.getByText('Twice as many.')).toBeTruthy()
  await close('Go on')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('a press beside it leaves it to be read', async () => {
  await show(<Speaker />)
  act(() => alert('Read this.', 'failure'))
  fireEvent.click(screen.getByRole('alertdialog'))
  expect(text()).toBe('Read this.')
  expect(screen.getByRole('alertdialog').querySelector('.border-danger')).not.toBeNull()
  await close()
})

it.each(['Glitter', ''])('the logo of a site is called as the site is: %j', async (url) => {
  shown.brand = url === '' ? undefined : ({ logo: { url, widthPx: 40, heightPx: 20 } } as never)
  await show(<Wordmark />)
  const name = document.querySelector('[data-wordmark]')
  if (url === '') expect([name?.querySelector('img'), name?.textContent]).toEqual([null, '{brand}'])
  else expect(name?.querySelector('img')?.alt).toBe('{brand}')
  shown.brand = undefined
})
