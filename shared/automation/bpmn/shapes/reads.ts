import { own } from '../../../kernel/collections/own-members.ts'

/**
 * One thing that goes into a value: `record.<field>`, `variables.<name>`, `tasks.<element>` (what was entered into it),
 * `decided.<element>` (what went into the inputs of its decision), `names` (of tasks), `items` (of loops), or `*`: it may be anything.
 */
export type Read = string

/** What may go into a value that nobody can tell beforehand. */
export const anything: readonly Read[] = ['*']

/** What goes into what a process shows, stored with each version of its template: who may not see that does not see it either. */
export interface ProcessReads {
  /** By the variable; `*`: into any of them. What is in no variable comes from outside. */
  readonly variables: Readonly<Record<string, readonly Read[]>>
  /** By the element and what it shows: `name`, `due_at`, `message`, ...; `*`: all of that. What reads nothing is left out. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, readonly Read[]>>>>
}

export const union = (...lists: readonly (readonly Read[])[]): readonly Read[] => {
  const all = new Set(lists.flat())
  return all.has('*') ? anything : [...all]
}

/** What goes into each of some values that two say. */
const unionOf = (
  one: ProcessReads['variables'] = {},
  other: ProcessReads['variables'] = {},
): ProcessReads['variables'] =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      union(own(one, name) ?? [], own(other, name) ?? []),
    ]),
  )

/** What two say of the same process together. */
export const mergeReads = (one: ProcessReads = noReads, other: ProcessReads = noReads): ProcessReads => ({
  variables: unionOf(one.variables, other.variables),
  texts: Object.fromEntries(
    [...new Set([...Object.keys(one.texts), ...Object.keys(other.texts)])].map((id) => [
      id,
      unionOf(own(one.texts, id), own(other.texts, id)),
    ]),
  ),
})

const noReads: ProcessReads = { variables: {}, texts: {} }

/** Variables of which nobody knows what went into them. */
export const mayBeAnything = (variables: Readonly<Record<string, unknown>>): ProcessReads => ({
  variables: Object.fromEntries(Object.keys(variables).map((name) => [name, anything])),
  texts: {},
})

/**
 * What an instance keeps of the version that it leaves: what its values came from stays, also where elements have other ids
 * now. `from`: undefined for a version of which nobody knows.
 */
export function formerReads(
  from: ProcessReads | undefined,
  elementIds: readonly string[],
  mapping: Readonly<Record<string, string>>,
): ProcessReads {
  const { variables, texts } = from ?? {
    variables: { '*': anything },
    texts: Object.fromEntries(elementIds.map((id) => [id, { '*': anything }])),
  }
  const renamed = Object.entries(texts).flatMap(([id, of]) => {
    const now = own(mapping, id)
    return now === undefined ? [] : [[now, of] as const]
  })
  return mergeReads({ variables, texts }, { variables: {}, texts: Object.fromEntries(renamed) })
}
