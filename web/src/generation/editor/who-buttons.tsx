import { useMessages } from '../../ui/language.tsx'
import type { ControlsProps } from './editor-controls.tsx'

/** Whose measures are set, or who is painted on. */
export function WhoButtons({ names, selected, onSelect }: ControlsProps) {
  const m = useMessages('variations')
  return (
    <div role="group" aria-label={m.who} className="flex flex-wrap gap-2">
      {names.map((name, index) => (
        <button
          key={name}
          type="button"
          className="button button-film aria-pressed:bg-bone aria-pressed:text-film"
          aria-pressed={index === selected}
          onClick={() => onSelect(index)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
