import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formQuery } from '../api/form.ts'
import { type ListWindow, recordQuery, type Row } from '../api/records.ts'
import { useKeys } from '../keyboard/keyboard.tsx'

/** J and K go on to the record after and before this one, in the list that it was opened from. */
export function useNeighbours(model: string, id: number): void {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const search = useSearch({ from: '/frame/e/$model/$id' })
  const { next, previous } = neighboursOf(client, model, id)
  const open = (one: number): void =>
    void navigate({ to: '/e/$model/$id', params: { model, id: String(one) }, search, replace: true })
  useKeys([
    ...(next === undefined ? [] : [{ keys: 'j', label: t('queue.keyNext'), run: () => open(next.id) }]),
    ...(previous === undefined ? [] : [{ keys: 'k', label: t('queue.keyPrevious'), run: () => open(previous.id) }]),
  ])
  const { id: following, version } = next ?? {}
  useEffect(() => {
    if (following === undefined) return
    void client.prefetchQuery(recordQuery(model, following))
    if (version !== undefined) void client.prefetchQuery(formQuery(model, following, version))
  }, [client, model, following, version])
}

interface Neighbours {
  readonly next?: Row | undefined
  readonly previous?: Row | undefined
}

/** The records around one, in the list that was read last and has it. */
function neighboursOf(client: QueryClient, model: string, id: number): Neighbours {
  const windows = client.getQueryCache().findAll({ queryKey: ['records', model, 'list'] })
  const found = windows
    .filter(({ state }) => (state.data as Partial<ListWindow> | undefined)?.rows?.some((row) => row.id === id))
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0]
  if (!found) return {}
  const [query, index] = found.queryKey.slice(3) as [object, number]
  const rowsOf = (at: number): readonly Row[] =>
    client.getQueryData<ListWindow>(['records', model, 'list', query, at])?.rows ?? []
  const rows = rowsOf(index)
  const at = rows.findIndex((row) => row.id === id)
  return { next: rows[at + 1] ?? rowsOf(index + 1)[0], previous: rows[at - 1] ?? rowsOf(index - 1).at(-1) }
}
