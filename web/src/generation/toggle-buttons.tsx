import { FilmButton } from '../ui/button.tsx'

interface ToggleButtonsProps<Option extends string | number> {
  label: string
  value: Option | null
  options: readonly Option[]
  nameOf: (option: Option) => string
  /** The language of a name, where it is not the page's. */
  languageOf?: (option: Option) => string
  onChange: (option: Option) => void
}

/** Buttons side by side, of which the chosen one is pressed. */
export function ToggleButtons<Option extends string | number>(props: ToggleButtonsProps<Option>) {
  return (
    <div role="group" aria-label={props.label} className="flex flex-wrap gap-2">
      {props.options.map((option) => (
        <FilmButton
          key={option}
          lang={props.languageOf?.(option)}
          aria-pressed={option === props.value}
          onClick={() => props.onChange(option)}
        >
          {props.nameOf(option)}
        </FilmButton>
      ))}
    </div>
  )
}
