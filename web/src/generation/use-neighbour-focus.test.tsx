import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { useNeighbourFocus } from './use-neighbour-focus.ts'

/** Three frames, of which each can be deleted; what is deleted goes once the answer is there. */
function Frames() {
  const group = useRef<HTMLDivElement>(null)
  const [ids, setIds] = useState(['one', 'two', 'three'])
  const [asked, setAsked] = useState<string | null>(null)
  const expectRemoval = useNeighbourFocus(group, ids)
  return (
    <div ref={group}>
      {ids.map((id) => (
        <div key={id} data-frame={id}>
          <button type="button">{id}</button>
          <button
            type="button"
            onClick={() => {
              expectRemoval(id)
              setAsked(id)
            }}
          >
            delete {id}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => setIds(ids.filter((id) => id !== asked))}>
        answer
      </button>
    </div>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => {
  button(name).focus()
  fireEvent.click(button(name))
}
/** The answer comes without anybody pressing anything. */
function answer(): void {
  act(() => void button('answer').dispatchEvent(new Event('click', { bubbles: true })))
}

it('gives the focus to the next frame when one is gone, and to the one before the last', () => {
  render(<Frames />)
  press('delete one')
  expect(document.activeElement).toBe(button('delete one'))
  answer()
  expect(document.activeElement).toBe(button('two'))
  press('delete three')
  answer()
  expect(document.activeElement).toBe(button('two'))
})

it('gives the focus to the next frame also where one stands before, and once only', () => {
  render(<Frames />)
  press('delete two')
  answer()
  expect(document.activeElement).toBe(button('three'))
  button('three').blur()
  answer()
  expect(document.activeElement).toBe(document.body)
})

it('leaves the focus where somebody has moved it meanwhile', () => {
  render(<Frames />)
  press('delete two')
  button('one').focus()
  answer()
  expect(document.activeElement).toBe(button('one'))
})
