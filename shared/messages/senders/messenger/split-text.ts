/**
 * Splits a text into parts of at most `maxLength` UTF-16 units: between paragraphs, else lines, else words, and inside a
 * word only when it is longer than a part. White space around parts is dropped; a blank text has no parts.
 */
export function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > maxLength) {
    const end = cutOf(rest, maxLength)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}

/** Where to cut: a break that leaves at least half a part, so that there are few parts. */
function cutOf(text: string, maxLength: number): number {
  // A break right behind the part counts too.
  const head = text.slice(0, maxLength + 1)
  for (const gap of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(gap)
    if (at >= maxLength / 2) return at
  }
  const inside = text.charCodeAt(maxLength - 1)
  // Both halves of a character outside the basic plane stay together.
  return inside >= 0xd8_00 && inside <= 0xdb_ff ? maxLength - 1 : maxLength
}
