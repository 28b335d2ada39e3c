import type { TenantRef } from '../../kernel/tenancy.ts'
import { idKey, idText, type Key, tenantPrefix } from './key.ts'

/** A rebuilt index is written beside the one it replaces: each has a number, and the first none in its keys. */
const generationPart = (generation: number): string => (generation === 0 ? '' : `#${generation}`)
/** Words are spread by their first two letters; where one letter is a syllable or a word, by that one. */
const lettersOf = (token: string): string => {
  const [first = '', second = ''] = token
  return first >= '\u2e80' ? first : first + second
}

/** The partition of every word that begins as `token` does; see `tellsPostingPartition`. */
export const postingPartition = (tenant: TenantRef, model: string, generation: number, token: string): string =>
  `${tenantPrefix(tenant)}S#${model}${generationPart(generation)}#${lettersOf(token)}`
/** Whether the beginning of a word says in which partition its postings are. */
export const tellsPostingPartition = (prefix: string): boolean => [...prefix].length > 1 || prefix >= '\u2e80'
/** The start of every posting of exactly this word. */
export const postingPrefix = (token: string): string => `${token}#`
export const postingKey = (tenant: TenantRef, model: string, generation: number, token: string, id: number): Key => ({
  pk: postingPartition(tenant, model, generation, token),
  sk: `${postingPrefix(token)}${idText(id)}`,
})

export const manifestKey = (tenant: TenantRef, model: string, id: number): Key =>
  idKey(`${tenantPrefix(tenant)}SM#${model}`, id)

export const counterPartition = (tenant: TenantRef, model: string, field: string, generation: number): string =>
  `${tenantPrefix(tenant)}N#${model}#${field}${generationPart(generation)}`
const noValue = '-'
/** A value as the sort key of its counter; null and undefined: the records without a value. */
export const counterSort = (value: unknown): string =>
  value === null || value === undefined ? noValue : `=${String(value)}`
/** The value that `counterSort` wrote, as text; null: the records without a value. */
export const parseCounterSort = (sort: string): string | null => (sort === noValue ? null : sort.slice(1))
/** `sort`: see `counterSort`. */
export const counterKey = (tenant: TenantRef, model: string, field: string, generation: number, sort: string): Key => ({
  pk: counterPartition(tenant, model, field, generation),
  sk: sort,
})
