import { useEffect, useRef } from 'react'
import { useMessages } from '../ui/language.tsx'
import { FilmButton } from './film-button.tsx'
import { StarPanel } from './star-panel.tsx'
import type { useStudioChoices } from './use-studio-choices.ts'

interface StarPanelsProps {
  choices: ReturnType<typeof useStudioChoices>
  disabled: boolean
}

/** The star, and a second one where one was added. */
export function StarPanels({ choices, disabled }: StarPanelsProps) {
  const m = useMessages('dashboard')
  const { custom, second, presets, presetId, preset, borrowed } = choices
  const isAdded = second.chosen !== null
  const { addButton, panel, press } = useFocusAfterPress(isAdded)
  return (
    <>
      <StarPanel
        number="2"
        title={m.person2}
        custom={custom}
        presets={presets}
        presetId={presetId}
        takenId={second.chosen ? second.presetId : null}
        suggested={borrowed !== null && borrowed.suggestedId === presetId}
        disabled={disabled}
        onPreset={choices.choosePreset}
      >
        {!isAdded && (custom.photo || preset) ? (
          <FilmButton ref={addButton} disabled={disabled} onClick={() => press(second.add)}>
            {m.addSecondStar}
          </FilmButton>
        ) : null}
      </StarPanel>
      {isAdded ? (
        <StarPanel
          ref={panel}
          number="3"
          title={m.person3}
          custom={second.custom}
          presets={presets}
          presetId={second.presetId}
          takenId={presetId}
          suggested={false}
          disabled={disabled}
          onPreset={second.choosePreset}
        >
          <FilmButton disabled={disabled} onClick={() => press(second.remove)}>
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
