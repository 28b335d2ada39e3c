const maxIds = 100
const maxIdCharacters = 500

/**
 * The message ids in a header, with brackets, in their order; of very many the first and the newest. Ids without brackets
 * are taken as well. Spaces inside of brackets come from folding.
 */
export function messageIds(value: string | undefined): string[] {
  const text = value ?? ''
  const bracketed = text.match(/<[^<>]+>/g)
  const found = bracketed ?? text.split(/[\s<>,;]+/).flatMap((word) => (word.includes('@') ? [`<${word}>`] : []))
  const ids = found.map((id) => id.replaceAll(/\s+/g, '')).filter((id) => id.length > 2 && id.length <= maxIdCharacters)
  return ids.length <= maxIds ? ids : [...ids.slice(0, 1), ...ids.slice(1 - maxIds)]
}
