/** A value of a sentence. */
export type Param = string | number | readonly string[]

/** The words of a language that stand between the values of a list. */
export interface ListWords {
  readonly or: string
  readonly more: (count: number) => string
}

const english: ListWords = { or: 'or', more: (count) => `and ${count} more` }
/** As many words of a list as one reads. */
const maxListed = 30

const isThere = (value: Param | undefined): boolean =>
  value !== undefined && (typeof value !== 'object' || value.length > 0)

/** A sentence with its values, which `shown` may show in another way, such as labels for names. */
export function fill(
  template: string,
  params: Readonly<Record<string, Param | undefined>>,
  words: ListWords = english,
  shown: (name: string, value: string | number) => string = (_, value) => String(value),
): string {
  const valueOf = (name: string): Param | undefined => (Object.hasOwn(params, name) ? params[name] : undefined)
  return template
    .replaceAll(/\[([^\]|]*)(?:\|([^\]]*))?\]/g, (_, part: string, otherwise = '') =>
      [...part.matchAll(/\{(\w+)/g)].every(([, name = '']) => isThere(valueOf(name))) ? part : String(otherwise),
    )
    .replaceAll(/\{(\w+)(?::([^}]*))?\}/g, (_, name: string, form = '') => {
      const value = valueOf(name) ?? ''
      if (form.includes('|')) return String(form.split('|')[value === 1 ? 0 : 1])
      if (typeof value !== 'object') return shown(name, value)
      const more = form === 'some' ? value.length - maxListed : 0
      const listed = (more > 0 ? value.slice(0, maxListed) : value).map((one) => shown(name, one))
      return listed.join(form === 'or' ? ` ${words.or} ` : ', ') + (more > 0 ? ` ${words.more(more)}` : '')
    })
}
