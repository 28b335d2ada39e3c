import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { type Mentionable, mentionableQuery } from '../../api/replies.ts'
import { mentionAt } from './draft.ts'

interface MentionOptions {
  readonly model: string
  readonly id: number
  readonly isInternal: boolean
  readonly text: RefObject<HTMLTextAreaElement | null>
  readonly body: string
  readonly onMention: (body: string, name: string, person: number) => void
}

/** Offers people while somebody types `@` and a name: arrows choose, Enter and Tab take, Escape leaves it. */
export function useMentions({ model, id, isInternal, text, body, onMention }: MentionOptions) {
  const listId = useId()
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const [left, setLeft] = useState<number>()
  /** Where the caret belongs once the text is shown. */
  const next = useRef<number>(undefined)
  const found = caret === undefined ? undefined : mentionAt(body, caret)
  const mention = found && found.start !== left ? found : undefined
  const [search] = useDebouncedValue(mention?.search ?? '', 120)
  const { data } = useQuery({
    ...mentionableQuery(model, id, search, isInternal),
    enabled: mention !== undefined,
    placeholderData: keepPreviousData,
  })
  const people = mention ? (data ?? []) : []
  const isOpen = people.length > 0
  const index = Math.min(active, people.length - 1)
  const optionId = (at: number): string => `${listId}-${at}`
  useEffect(() => {
    if (next.current === undefined) return
    text.current?.setSelectionRange(next.current, next.current)
    setCaret(next.current)
    next.current = undefined
  }, [text, body])

  function take({ id: person, name }: Mentionable): void {
    if (!mention || caret === undefined) return
    next.current = mention.start + name.length + 2
    setActive(0)
    onMention(`${body.slice(0, mention.start)}@${name} ${body.slice(caret)}`, name, person)
    text.current?.focus()
  }
  /** Whether the key was for the list. */
  function onKey(key: string): boolean {
    if (!isOpen) return false
    const person = people[index]
    if (key === 'ArrowDown') setActive((index + 1) % people.length)
    else if (key === 'ArrowUp') setActive((index + people.length - 1) % people.length)
    else if ((key === 'Enter' || key === 'Tab') && person) take(person)
    else if (key === 'Escape') setLeft(mention?.start)
    else return false
    return true
  }
  const follow = (): void => setCaret(text.current?.selectionStart ?? undefined)
  return {
    onKey,
    inputProps: {
      'aria-autocomplete': 'list' as const,
      ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': optionId(index) }),
      onSelect: follow,
      onBlur: () => setCaret(undefined),
    },
    list: { id: listId, people, active: index, optionId, onTake: take },
  }
}
