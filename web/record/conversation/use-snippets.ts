import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type FilledSnippet, fillSnippet, snippetsFor, snippetsQuery } from '../../api/snippets.ts'
import { type Draft, snippetAt } from './draft.ts'
import { type useCaret, useChoices } from './use-choices.ts'

interface SnippetOptions {
  readonly model: string
  readonly id: number
  readonly at: ReturnType<typeof useCaret>
  readonly body: string
  readonly onInsert: (changes: Pick<Draft, 'body'>, filled: FilledSnippet) => void
}

/** Offers snippets while somebody types `::` and words of it; the chosen one stands there with the values of the record. */
export function useSnippets({ model, id, at: { caret, place }, body, onInsert }: SnippetOptions) {
  const asked = caret === undefined ? undefined : snippetAt(body, caret)
  const { data } = useQuery({ ...snippetsQuery, enabled: asked !== undefined })
  // What is typed while it is being filled stays.
  const latest = useRef(body)
  useEffect(() => {
    latest.current = body
  }, [body])
  const fill = useMutation({
    mutationFn: ({ snippet }: { readonly snippet: number; readonly start: number; readonly typed: string }) =>
      fillSnippet(model, id, snippet),
    onSuccess(filled, { start, typed }) {
      const now = latest.current
      const end = now.startsWith(typed, start) ? start + typed.length : Math.min(start, now.length)
      place(Math.min(start, now.length) + filled.text.length)
      onInsert({ body: `${now.slice(0, start)}${filled.text}${now.slice(end)}` }, filled)
    },
  })
  const choices = useChoices({
    asked,
    found: asked && data ? snippetsFor(data, model, asked.search) : [],
    onTake({ id: snippet }) {
      if (asked && caret !== undefined)
        fill.mutate({ snippet, start: asked.start, typed: body.slice(asked.start, caret) })
    },
  })
  return { ...choices, problem: fill.error }
}
