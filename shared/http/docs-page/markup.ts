const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for use between tags and in quoted attributes. */
export const escapeHtml = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, (character) => entities[character] as string)

/** Renders `code` and **strong** in a line of text. */
export const inlineMarkup = (text: string): string =>
  text
    .split(/(`[^`\n]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`')
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part).replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>'),
    )
    .join('')

/** Renders paragraphs, `##` headings (as `<h3>`) and `-` lists, which empty lines separate. */
export const blockMarkup = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      if (block.startsWith('## ')) return `<h3 id="${slug(block.slice(3))}">${inlineMarkup(block.slice(3))}</h3>`
      const lines = block.split('\n')
      if (lines.every((line) => line.startsWith('- ')))
        return `<ul>${lines.map((line) => `<li>${inlineMarkup(line.slice(2))}</li>`).join('')}</ul>`
      return `<p>${inlineMarkup(block.replaceAll('\n', ' '))}</p>`
    })
    .join('\n')

/** Turns a name into an `id`. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'section'

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Renders indented JSON with syntax highlighting. */
export function jsonMarkup(value: unknown): string {
  const text = compactJson(value)
  let html = ''
  let from = 0
  for (const match of text.matchAll(jsonToken)) {
    const [token, quoted, colon, word] = match
    const kind = colon ? 'key' : quoted ? 'str' : word ? 'lit' : 'num'
    html +=
      escapeHtml(text.slice(from, match.index)) +
      `<span class="${kind}">${escapeHtml(quoted ?? token)}</span>${escapeHtml(colon ?? '')}`
    from = match.index + token.length
  }
  return html + escapeHtml(text.slice(from))
}

/** Formats JSON with one member per line, and short objects and arrays on one line. */
export function compactJson(value: unknown, indent = ''): string {
  if (value === undefined) return 'null'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Array.isArray(value)
    ? value.map((member) => compactJson(member, `${indent}  `))
    : Object.entries(value).flatMap(([key, member]) =>
        member === undefined ? [] : [`${JSON.stringify(key)}: ${compactJson(member, `${indent}  `)}`],
      )
  const [open, close, gap] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  if (members.length === 0) return `${open}${close}`
  const oneLine = `${open}${gap}${members.join(', ')}${gap}${close}`
  if (indent !== '' && oneLine.length + indent.length <= 56 && !oneLine.includes('\n')) return oneLine
  return `${open}\n${members.map((member) => `${indent}  ${member}`).join(',\n')}\n${indent}${close}`
}
