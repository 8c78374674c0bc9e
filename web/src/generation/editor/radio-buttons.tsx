import { useId } from 'react'

interface RadioButtonsProps<Option extends string> {
  label: string
  value: Option
  options: readonly Option[]
  names: Record<Option, string>
  onChange: (option: Option) => void
}

/** A few words to choose one of, all in sight. */
export function RadioButtons<Option extends string>(props: RadioButtonsProps<Option>) {
  const { label, value, options, names, onChange } = props
  const group = useId()
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option}
            className="button button-film relative cursor-pointer has-checked:bg-bone has-checked:text-film has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-amber"
          >
            <input
              type="radio"
              name={group}
              value={option}
              checked={value === option}
              className="sr-only"
              onChange={() => onChange(option)}
            />
            {names[option]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
