import { useQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import { useTranslation } from 'react-i18next'
import { useUser } from '../api/permissions.ts'
import { presenceQuery } from '../api/presence.ts'
import { usePresence } from './use-presence.ts'

/** Who else has the record open, and who of them is writing. */
export function PresenceList({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const user = useUser()
  usePresence(model, id)
  const { data } = useQuery(presenceQuery(model, id))
  const others = data?.filter((one) => one.id !== user.id) ?? []
  const said = others.map(({ name, is_editing: isEditing }) =>
    t(isEditing ? 'presence.isEditing' : 'presence.isHere', { name }),
  )
  return (
    <>
      <span className="visually-hidden" role="status">
        {said.join(' ')}
      </span>
      {others.length > 0 && (
        <ul className="plain-list presence" aria-label={t('presence.title')}>
          {others.map(({ id: person, name, is_editing: isEditing }, index) => (
            <li key={person} title={said[index]} className={isEditing ? 'avatar is-editing' : 'avatar'}>
              <span aria-hidden>{initialsOf(name)}</span>
              {isEditing && <Pencil size={10} className="avatar-pencil" aria-hidden />}
              <span className="visually-hidden">{said[index]}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The first letters of the first and the last name. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ? ([...word][0] ?? '') : ''))
    .join('')
    .toUpperCase()
}
