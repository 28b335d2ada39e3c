import type { InstanceAnswer } from '../../schema.ts'

/** What happened at an element: it failed there, it waits there now with so many tokens, or it was there. */
export interface Mark {
  readonly is: 'failed' | 'active' | 'done'
  readonly tokens: number
}

/** What to mark in the picture of an instance: where it fails counts more than where it is, and that more than where it was. */
export function marksOf({
  history,
  tokens,
  incidents,
}: Pick<InstanceAnswer, 'history' | 'tokens' | 'incidents'>): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { element_id: id, status } of history) if (status === 'completed') marks.set(id, { is: 'done', tokens: 0 })
  for (const { element_id: id } of tokens) marks.set(id, { is: 'active', tokens: (marks.get(id)?.tokens ?? 0) + 1 })
  for (const { element_id: id, status } of incidents)
    if (id !== null && status === 'open') marks.set(id, { is: 'failed', tokens: marks.get(id)?.tokens ?? 0 })
  return marks
}
