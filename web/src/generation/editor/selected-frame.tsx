import type { ArrangedSubject } from '@starside/contract/arrangement.ts'
import { headBox, type DrawnPerson } from './draw-parts.ts'

interface SelectedFrameProps {
  person: DrawnPerson
  subject: ArrangedSubject
  name: string
  zoom: number
}

/** A frame about the head of who is chosen, with their name and handles at its corners (`dashboard.css`); `zoom` enlarges none of it. */
export function SelectedFrame({ person, subject, name, zoom }: SelectedFrameProps) {
  'use memo'
  const { x, y, size, turnDegrees, mirrored } = subject
  const measures = { x, y, size, turnDegrees, zoom, ...headBox(person, mirrored) }
  const style = Object.entries(measures).map(([measure, value]) => [`--${measure}`, value] as const)
  return (
    <div aria-hidden="true" className="selected-frame" style={Object.fromEntries(style)}>
      <span className="stamp absolute top-0 left-0 origin-top-left whitespace-nowrap">{name}</span>
      {['top left', 'top right', 'bottom left', 'bottom right'].map((corner) => (
        <span key={corner} data-corner={corner} />
      ))}
    </div>
  )
}
