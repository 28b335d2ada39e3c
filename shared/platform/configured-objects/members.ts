/**
 * The members of an object that administrators set, in the order in which answers show them. `stored`: the name in the
 * stored object, when it is another one. `unset`: the value when it is left out of a new object; a member without it is
 * required.
 */
export type Members<T, Document> = {
  readonly [Name in keyof Document]-?: Name extends keyof T
    ? { readonly stored?: undefined; readonly unset?: T[Name] }
    : { readonly [Stored in keyof T]: { readonly stored: Stored; readonly unset?: T[Stored] } }[keyof T]
}

/** An object that has neither an id nor a version nor times yet. */
export type Draft<T> = Omit<T, 'id' | 'version' | 'createdAt' | 'updatedAt'>

type Values = Readonly<Record<string, unknown>>

/** Brings documents and stored objects with these members into each other's form. */
export function membersOf<T, Document extends object>(members: Members<T, Document>) {
  const all = Object.entries(members as Record<string, { readonly stored?: string; readonly unset?: unknown }>)
  const collect = (pairs: readonly (readonly [string, unknown])[]): unknown => Object.fromEntries(pairs)

  /** A new object as a document describes it. */
  const draftOf = (document: object): Draft<T> =>
    collect(all.map(([name, { stored = name, unset }]) => [stored, (document as Values)[name] ?? unset])) as Draft<T>

  /** An object as it will be: what the document leaves out stays, null clears. */
  const merge = (before: T, document: object): T => ({
    ...before,
    ...(collect(
      all.flatMap(([name, { stored = name }]) => {
        const given = (document as Values)[name]
        return given === undefined ? [] : [[stored, given]]
      }),
    ) as Partial<T>),
  })

  /** What administrators set of an object. */
  const documentOf = (one: Draft<T>): Document =>
    collect(
      // An object from before there was the member has none.
      all.map(([name, { stored = name, unset }]) => [
        name,
        (one as Values)[stored] ?? (unset === null ? null : undefined),
      ]),
    ) as Document

  /**
   * A whole document: what one leaves out stays as in the existing object, or has its default. A member that may be null
   * is cleared by leaving it out.
   */
  const complete = <D extends object>(document: D, before: D | undefined): D =>
    collect(
      all.map(([name, { unset }]) => [
        name,
        (document as Values)[name] ?? (unset === null ? null : ((before as Values | undefined)?.[name] ?? unset)),
      ]),
    ) as D

  return { draftOf, merge, documentOf, complete }
}
