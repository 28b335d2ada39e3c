/*
 * Objects as maps whose names come from outside. Every object of JavaScript also answers to the names of its prototype
 * (`toString`, `constructor`, `__proto__`), which are names like others in a request, an import or a document.
 */

/** The member of an object that is its own; undefined when it has none of that name. */
export const own = <V>(members: Readonly<Record<string, V>> | null | undefined, name: string): V | undefined =>
  members !== null && members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined

/** An empty object to collect values by name: without a prototype, so that it holds nothing but what is put into it. */
export const byName = <V>(): Record<string, V> => Object.create(null) as Record<string, V>
