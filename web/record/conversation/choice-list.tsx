/** What may be meant by what is typed. */
interface ChoiceListProps<T> {
  readonly id: string
  readonly items: readonly T[]
  readonly active: number
  readonly optionId: (index: number) => string
  readonly onTake: (one: T) => void
  readonly label: string
  /** How many there are, for those who do not see it. */
  readonly status: string
}

/** A list below the text, of people or of snippets with how they begin. */
export function ChoiceList<T extends { readonly id: number; readonly name: string; readonly body?: string }>({
  id,
  items,
  active,
  optionId,
  onTake,
  label,
  status,
}: ChoiceListProps<T>) {
  return (
    <>
      <span className="visually-hidden" role="status">
        {items.length > 0 && status}
      </span>
      {items.length > 0 && (
        <div id={id} className="choice-list" role="listbox" aria-label={label}>
          {items.map((one, index) => (
            <div
              key={one.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={index === active ? 'choice is-active' : 'choice'}
              // The text keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                onTake(one)
              }}
            >
              {one.name}
              {one.body !== undefined && <span className="choice-detail small quiet">{one.body}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
