import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mentionableQuery } from '../../api/replies.ts'
import { mentionAt } from './draft.ts'
import { type useCaret, useChoices } from './use-choices.ts'

interface MentionOptions {
  readonly model: string
  readonly id: number
  readonly isInternal: boolean
  readonly at: ReturnType<typeof useCaret>
  readonly body: string
  readonly onMention: (body: string, name: string, person: number) => void
}

/** Offers people while somebody types `@` and a name. */
export function useMentions({ model, id, isInternal, at: { caret, place }, body, onMention }: MentionOptions) {
  const mention = caret === undefined ? undefined : mentionAt(body, caret)
  const [search] = useDebouncedValue(mention?.search ?? '', 120)
  const { data = [] } = useQuery({
    ...mentionableQuery(model, id, search, isInternal),
    enabled: mention !== undefined,
    placeholderData: keepPreviousData,
  })
  return useChoices({
    asked: mention,
    found: data,
    onTake({ id: person, name }) {
      if (!mention || caret === undefined) return
      place(mention.start + name.length + 2)
      onMention(`${body.slice(0, mention.start)}@${name} ${body.slice(caret)}`, name, person)
    },
  })
}
