import { useEffect, useRef } from 'react'
import { useMessages } from '../ui/language.tsx'
import { FilmButton } from './film-button.tsx'
import { StarPanel } from './star-panel.tsx'
import type { ChoicesProps } from './use-studio-choices.ts'

/** The star, and a second one where one was added. */
export function StarPanels({ choices, disabled }: ChoicesProps) {
  const m = useMessages('dashboard')
  const { star, second, presets, borrowed } = choices
  const { addButton, panel, press } = useFocusAfterPress(second !== null)
  const { custom, preset, presetId } = star.chosen
  return (
    <>
      <StarPanel
        number="2"
        title={m.person2}
        star={star}
        presets={presets}
        takenId={second?.chosen.presetId ?? null}
        suggested={borrowed !== null && borrowed.suggestedId === presetId}
        disabled={disabled}
      >
        {!second && (custom || preset) ? (
          <FilmButton ref={addButton} disabled={disabled} onClick={() => press(choices.addSecond)}>
            {m.addSecondStar}
          </FilmButton>
        ) : null}
      </StarPanel>
      {second ? (
        <StarPanel
          ref={panel}
          number="3"
          title={m.person3}
          star={second}
          presets={presets}
          takenId={presetId}
          suggested={false}
          disabled={disabled}
        >
          <FilmButton disabled={disabled} onClick={() => press(choices.removeSecond)}>
            {m.removeSecondStar}
          </FilmButton>
        </StarPanel>
      ) : null}
    </>
  )
}

/** Moves the focus to where the person goes on, once what they pressed is gone. */
function useFocusAfterPress(isAdded: boolean) {
  const addButton = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (wasPressed.current) (isAdded ? panel : addButton).current?.focus()
    wasPressed.current = false
  }, [isAdded])
  const press = (act: () => void): void => {
    wasPressed.current = true
    act()
  }
  return { addButton, panel, press }
}
