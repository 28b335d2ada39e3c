import { useTranslation } from 'react-i18next'
import type { Mentionable } from '../../api/replies.ts'

interface MentionListProps {
  readonly id: string
  readonly people: readonly Mentionable[]
  readonly active: number
  readonly optionId: (index: number) => string
  readonly onTake: (person: Mentionable) => void
}

/** The people who may be meant by what is typed. */
export function MentionList({ id, people, active, optionId, onTake }: MentionListProps) {
  const { t } = useTranslation()
  return (
    <>
      <span className="visually-hidden" role="status">
        {people.length > 0 && t('composer.people', { count: people.length })}
      </span>
      {people.length > 0 && (
        <div id={id} className="mention-list" role="listbox" aria-label={t('composer.mention')}>
          {people.map((person, index) => (
            <div
              key={person.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={index === active ? 'mention is-active' : 'mention'}
              // The text keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                onTake(person)
              }}
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
