interface Choice {
  readonly name: string
  readonly value: string
  /** Why it cannot be chosen. */
  readonly obstacle?: string | undefined
}

interface SegmentsProps {
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly chosen: string
  readonly onChoose: (value: string) => void
}

/** A row of buttons, one of which is chosen. */
export const Segments = ({ legend, choices, chosen, onChoose }: SegmentsProps) => (
  <fieldset class="segments">
    <legend class="sr">{legend}</legend>
    {choices.map(({ name, value, obstacle }) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === chosen}
        disabled={obstacle !== undefined}
        title={obstacle}
        onClick={() => onChoose(value)}
      >
        {name}
      </button>
    ))}
  </fieldset>
)
